package dev.ottla.metadata.liveness;

/// What one look at a broker's address found.
public enum Finding {
    /// The process there answered a request.
    ANSWERED,
    /// The machine there said that nobody listens.
    REFUSED,
    /// For as long as a look takes ([BrokerSessions#LOOK_MS]) nothing came, neither from the
    /// machine nor from the process.
    SILENT,
    /// Anything else, which proves nothing: an unknown name, no way there, a connection that broke.
    UNCLEAR
}

package dev.ottla.wire;

/// A message with a number of its own: a request or response (the API key) or a record of the
/// metadata log or a coordinator's topic (the record type).
public interface ApiMessage extends Message {
    short apiKey();

    /// Whether a response says of anything that it went wrong: an error code stands in it.
    default boolean hasError() {
        return false;
    }
}

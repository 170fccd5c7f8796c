package dev.ottla.metadata.liveness;

/// A broker that is to be fenced, and why.
public record Verdict(BrokerIncarnation broker, Reason reason) {
    public enum Reason {
        /// No heartbeat came for the session time-out.
        SESSION_OVER,
        /// Its machine refuses connections to it.
        GONE,
        /// No heartbeat came for half a session, and it does not answer when it is asked.
        FROZEN
    }
}

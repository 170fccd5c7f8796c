package dev.ottla.broker.telemetry;

import dev.ottla.wire.Uuid;

/// Answer to a client that asks what is wanted of it.
public sealed interface SubscriptionReply {
    /// This is wanted.
    ///
    /// @param instanceId the client's id, a new one when it had none
    record Wanted(Uuid instanceId, WantedMetrics metrics) implements SubscriptionReply {}

    /// The client asks again before its interval is over.
    record TooEarly() implements SubscriptionReply {}
}

package dev.ottla.broker.fetch;

/// Who fetches. Immutable.
public sealed interface Asker {
    /// A client.
    ///
    /// @param leaderOnly whether its protocol version knows of no other replicas to read from
    /// @param rack where it is; empty when unknown
    record Consumer(boolean leaderOnly, String rack) implements Asker {}

    /// A broker that copies what this one leads: it reads to the log's end, and its fetch offsets
    /// tell what is safe there.
    ///
    /// @param brokerEpoch of its registration, -1 when it does not say
    /// @param answeredMs monotonic; when it was given the answer that this request follows on,
    ///   [dev.ottla.replication.FollowerFetch#NEVER_MS] when this one is the first of its session
    record Follower(int brokerId, long brokerEpoch, long answeredMs) implements Asker {}
}

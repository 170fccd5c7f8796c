package dev.ottla.broker.fetch;

import dev.ottla.wire.Uuid;

/// What a client wants to read of one partition. Immutable.
///
/// @param topicId zero in versions that name topics
/// @param topic name; empty in versions that give ids
/// @param currentLeaderEpoch as the client knows it, -1 for none
/// @param lastFetchedEpoch epoch of the record before the offset, -1 for unknown
/// @param logStartOffset of a follower's own log, -1 for a consumer
/// @param maxBytes most bytes of this partition, unless its first batch is larger
public record FetchTarget(
        Uuid topicId,
        String topic,
        int partition,
        int currentLeaderEpoch,
        long fetchOffset,
        int lastFetchedEpoch,
        long logStartOffset,
        int maxBytes) {

    /// What the client was told of a partition's ends. Immutable.
    ///
    /// @param highWatermark exclusive
    public record Told(long highWatermark, long logStartOffset) {
        /// As to one that was told nothing yet.
        public static final Told NOTHING = new Told(-1, -1);
    }

    /// What names the partition in a session.
    SessionKey sessionKey() {
        return new SessionKey(topicId, topic, partition);
    }

    /// A partition as requests of one session name it.
    public record SessionKey(Uuid topicId, String topic, int partition) {}
}

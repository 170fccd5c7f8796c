package dev.ottla.broker.fetch;

import dev.ottla.wire.Uuid;

/// What a client wants to read of one partition. Immutable.
///
/// @param topicId zero in versions that name topics
/// @param topic name; empty in versions that give ids
/// @param currentLeaderEpoch as the client knows it, -1 for none
/// @param lastFetchedEpoch epoch of the record before the offset, -1 for unknown
/// @param maxBytes most bytes of this partition, unless its first batch is larger
public record FetchTarget(
        Uuid topicId,
        String topic,
        int partition,
        int currentLeaderEpoch,
        long fetchOffset,
        int lastFetchedEpoch,
        int maxBytes) {

    /// What names the partition in a session.
    SessionKey sessionKey() {
        return new SessionKey(topicId, topic, partition);
    }

    /// A partition as requests of one session name it.
    public record SessionKey(Uuid topicId, String topic, int partition) {}
}

package dev.ottla.replication;

/// What a follower asks its leader for.
///
/// @param leaderEpoch under which the leader must answer
/// @param fetchOffset the next record wanted; everything below is safe on the follower
/// @param lastFetchedEpoch of the record before it, -1 when there is none: the leader compares it
///   with its log
/// @param logStartOffset of the follower
public record FetchPosition(
        int leaderEpoch, long fetchOffset, int lastFetchedEpoch, long logStartOffset) {}

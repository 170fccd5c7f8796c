package dev.ottla.replication;

/// What a follower says of itself with a fetch. Immutable.
///
/// @param brokerEpoch of the incarnation that asks, -1 when it does not say
/// @param fetchOffset exclusive end of what is safe there
/// @param logStartOffset of its log, -1 when it does not say
public record FollowerFetch(
        int brokerId, long brokerEpoch, long fetchOffset, long logStartOffset) {}

package dev.ottla.replication;

/// What a follower says of itself with a fetch. Immutable.
///
/// @param brokerEpoch of the incarnation that asks, -1 when it does not say
/// @param fetchOffset exclusive end of what is safe there
/// @param logStartOffset of its log, -1 when it does not say
/// @param answeredMs when it was given the answer that this fetch follows on: it has taken the
///   receiver for the leader since then. [#NEVER_MS] when it follows on none, for such a fetch may
///   have lain in a socket for any time
public record FollowerFetch(
        int brokerId, long brokerEpoch, long fetchOffset, long logStartOffset, long answeredMs) {
    /// Long before any time, and far enough from the smallest number to be subtracted.
    public static final long NEVER_MS = Long.MIN_VALUE / 4;
}

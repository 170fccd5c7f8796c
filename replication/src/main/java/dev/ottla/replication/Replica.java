package dev.ottla.replication;

/// What a leader knows of one member of the assignment, itself included. Owned by the leader.
final class Replica {
    static final long UNKNOWN = -1;

    final int brokerId;
    boolean inMaximalIsr;

    /// Exclusive end of what is safe there.
    long flushedEndOffset = UNKNOWN;

    /// Of its log, as it last said.
    long logStartOffset = UNKNOWN;

    /// Of the incarnation that fetched last.
    long brokerEpoch = UNKNOWN;

    /// When it last held all that the leader had.
    private long caughtUpMs;

    private long lastFetchMs = FollowerFetch.NEVER_MS;

    /// When it last followed for certain.
    private long followedMs = FollowerFetch.NEVER_MS;

    private long leaderEndAtLastFetch = Long.MAX_VALUE;

    /// @param inSync a member of the ISR is taken to hold everything when the leader begins: it has
    ///   the whole permitted lag to show itself
    Replica(int brokerId, boolean inSync, long nowMs) {
        this.brokerId = brokerId;
        inMaximalIsr = inSync;
        caughtUpMs = inSync ? nowMs : FollowerFetch.NEVER_MS;
    }

    /// It asks for records. One that holds what the leader had at its fetch before was caught up
    /// then: under load no fetch ever reaches the present end.
    void onFetch(FollowerFetch fetch, long leaderEndOffset, long nowMs) {
        if (fetch.brokerEpoch() != brokerEpoch) {
            brokerEpoch = fetch.brokerEpoch();
            leaderEndAtLastFetch = Long.MAX_VALUE;
            lastFetchMs = FollowerFetch.NEVER_MS;
        }
        long fetchOffset = fetch.fetchOffset();
        logStartOffset = fetch.logStartOffset();
        flushedEndOffset = fetchOffset;
        if (fetchOffset >= leaderEndOffset) {
            caughtUpMs = nowMs;
        } else if (fetchOffset >= leaderEndAtLastFetch) {
            caughtUpMs = Math.max(caughtUpMs, lastFetchMs);
        }
        leaderEndAtLastFetch = leaderEndOffset;
        followedMs = Math.max(followedMs, fetch.answeredMs());
        lastFetchMs = nowMs;
    }

    /// How long ago it followed for certain.
    long silentMs(long nowMs) {
        return nowMs - followedMs;
    }

    /// How long ago it last held everything.
    long lagMs(long leaderEndOffset, long nowMs) {
        return flushedEndOffset >= leaderEndOffset ? 0 : nowMs - caughtUpMs;
    }
}

package dev.ottla.replication;

/// What a follower must know and do of its copy of the log. Whoever implements it does at once what
/// it is told; an answer that the log cannot give is thrown, and the follower is as before.
public interface FollowerLog {
    /// First offset that is there.
    long logStartOffset();

    /// Exclusive.
    long logEndOffset();

    /// Exclusive end of what counts as safe here: on disk under `flush.policy=fsync`, written under
    /// `page-cache`.
    long safeEndOffset();

    /// Leader epoch of the last record, [EpochEnd#UNKNOWN] when there is none.
    int lastEpoch();

    /// Where the newest epoch at or below `leaderEpoch` ends here.
    EpochEnd endOf(int leaderEpoch);

    /// Drops all records from `offset` on; batches are cut whole.
    void truncateTo(long offset);

    /// Drops everything and goes on at `offset`.
    void startAt(long offset);

    /// Nothing below `offset` is wanted any more; the log ends there or further on.
    void advanceLogStart(long offset);
}

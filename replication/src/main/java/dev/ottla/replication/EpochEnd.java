package dev.ottla.replication;

/// A leader epoch and the offset behind its last record (exclusive).
public record EpochEnd(int leaderEpoch, long endOffset) {
    /// An epoch or an offset that nobody knows.
    public static final int UNKNOWN = -1;
}

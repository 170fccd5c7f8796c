package dev.ottla.record;

/// End of a producer's transaction in one partition.
public record EndTransactionMarker(boolean commit, int coordinatorEpoch) {}

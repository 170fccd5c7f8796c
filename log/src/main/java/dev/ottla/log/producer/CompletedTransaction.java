package dev.ottla.log.producer;

/// A transaction that an end marker has closed: from its first offset to the marker's, both
/// inclusive.
public record CompletedTransaction(
        long producerId,
        long firstOffset,
        long lastOffset,
        boolean aborted,
        long lastStableOffset) {}

package dev.ottla.log.segment;

/// An aborted transaction: data of the producer from the first offset up to its abort marker, the
/// last offset, is not for readers of committed data. The last stable offset is that of the moment
/// when the marker was written.
public record AbortedTransaction(
        long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}

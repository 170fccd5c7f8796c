package dev.ottla.log;

/// What one read found. Offsets are absolute, end offsets exclusive.
public sealed interface ReadOutcome {
    /// Whole batches, the first of which holds the wanted offset or the next one there is; the last
    /// may be cut off. The receiver releases the slice.
    record Batches(LogSlice slice) implements ReadOutcome {}

    /// Nothing below the end of the read yet.
    record AtEnd(long endOffset) implements ReadOutcome {}

    /// The offset is not in the log.
    record OutOfRange(long logStartOffset, long logEndOffset) implements ReadOutcome {}

    /// The directory or this log cannot be used.
    record Offline(String reason) implements ReadOutcome {}
}

package dev.ottla.metadata.controller;

/// What the controller's process has.
///
/// @param processors that it may use; some defaults depend on it
/// @param maxPartitions of all topics that fit into its memory
public record Machine(int processors, int maxPartitions) {
    /// Heap that one partition takes at most, in the image and while a start replays it.
    private static final int BYTES_PER_PARTITION = 1 << 10;

    public Machine {
        if (processors < 1 || maxPartitions < 1) {
            throw new IllegalArgumentException(
                    "processors %d and partitions %d must be at least 1"
                            .formatted(processors, maxPartitions));
        }
    }

    public static Machine of(int processors, long maxHeapBytes) {
        return new Machine(
                processors, Math.clamp(maxHeapBytes / BYTES_PER_PARTITION, 1, Integer.MAX_VALUE));
    }
}

package dev.ottla.log.epoch;

import java.util.Arrays;

/// The leader epochs of one partition, each with the offset where it starts; both ascend. Changes
/// are kept in memory and written by the partition's checkpoint: what a crash loses stands in the
/// batches behind the recovery point. Owned by the shard thread.
///
/// Source: KIP-101, KIP-320.
public final class LeaderEpochs {
    private static final int[] NO_EPOCHS = {};
    private static final long[] NO_OFFSETS = {};

    private int[] epochs = NO_EPOCHS;
    private long[] startOffsets = NO_OFFSETS;
    private int count;
    private boolean changed;

    public int count() {
        return count;
    }

    public int epoch(int entry) {
        return epochs[entry];
    }

    public long startOffset(int entry) {
        return startOffsets[entry];
    }

    /// True when the entries are not those that [#markWritten] was told of.
    public boolean isChanged() {
        return changed;
    }

    public void markWritten() {
        changed = false;
    }

    public void markChanged() {
        changed = true;
    }

    /// The newest epoch, or [EpochEndOffset#UNDEFINED_EPOCH].
    public int latestEpoch() {
        return count == 0 ? EpochEndOffset.UNDEFINED_EPOCH : epochs[count - 1];
    }

    /// Notes that records from `startOffset` on are written in `epoch`. Nothing happens when it is
    /// the newest epoch already; entries that contradict are dropped, as after an unclean election.
    public void assign(int epoch, long startOffset) {
        if (epoch < 0 || latestEpoch() == epoch) {
            return;
        }
        while (count > 0
                && (epochs[count - 1] >= epoch || startOffsets[count - 1] >= startOffset)) {
            count--;
        }
        add(epoch, startOffset);
        changed = true;
    }

    /// Appends an entry read from the checkpoint; false when it is not above the last one.
    boolean add(int epoch, long startOffset) {
        if (count > 0 && (epochs[count - 1] >= epoch || startOffsets[count - 1] > startOffset)) {
            return false;
        }
        if (count == epochs.length) {
            int capacity = Math.max(2, 2 * count);
            epochs = Arrays.copyOf(epochs, capacity);
            startOffsets = Arrays.copyOf(startOffsets, capacity);
        }
        epochs[count] = epoch;
        startOffsets[count] = startOffset;
        count++;
        return true;
    }

    /// Where the newest epoch at or below the requested one ends, the answer to
    /// OffsetForLeaderEpoch. The newest epoch ends at the log's end; undefined when the requested
    /// epoch is unknown here.
    public EpochEndOffset endOffsetFor(int requestedEpoch, long logEndOffset) {
        if (requestedEpoch < 0 || count == 0 || requestedEpoch > epochs[count - 1]) {
            return EpochEndOffset.UNDEFINED;
        }
        if (requestedEpoch == epochs[count - 1]) {
            return new EpochEndOffset(requestedEpoch, logEndOffset);
        }
        int higher = firstAbove(requestedEpoch);
        // Older than all that is kept: its records are gone, and it ended before the first known
        // epoch began.
        int epoch = higher == 0 ? requestedEpoch : epochs[higher - 1];
        return new EpochEndOffset(epoch, startOffsets[higher]);
    }

    /// The epoch in which the record at an offset was or will be written, or
    /// [EpochEndOffset#UNDEFINED_EPOCH].
    public int epochAt(long offset) {
        for (int entry = count - 1; entry >= 0; entry--) {
            if (startOffsets[entry] <= offset) {
                return epochs[entry];
            }
        }
        return EpochEndOffset.UNDEFINED_EPOCH;
    }

    /// Drops the epochs that start at `endOffset` or behind it.
    public void truncateFromEnd(long endOffset) {
        while (count > 0 && startOffsets[count - 1] >= endOffset) {
            count--;
            changed = true;
        }
    }

    /// Drops the epochs that end before `startOffset`; the one it lies in starts there from now on.
    public void truncateFromStart(long startOffset) {
        int first = 0;
        while (first + 1 < count && startOffsets[first + 1] <= startOffset) {
            first++;
        }
        if (count == 0 || (startOffsets[first] >= startOffset && first == 0)) {
            return;
        }
        System.arraycopy(epochs, first, epochs, 0, count - first);
        System.arraycopy(startOffsets, first, startOffsets, 0, count - first);
        count -= first;
        startOffsets[0] = Math.max(startOffsets[0], startOffset);
        changed = true;
    }

    public void clear() {
        changed |= count > 0;
        count = 0;
    }

    private int firstAbove(int epoch) {
        int entry = 0;
        while (epochs[entry] <= epoch) {
            entry++;
        }
        return entry;
    }
}

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

    // The first entries, which stand in the file already, and whether the file has other entries
    // besides, or may have.
    private int writtenCount;
    private boolean fileDiffers;

    public int count() {
        return count;
    }

    public int epoch(int entry) {
        return epochs[entry];
    }

    public long startOffset(int entry) {
        return startOffsets[entry];
    }

    /// True when the entries of epochs with records below `endOffset` are not those that
    /// [#markWritten] was told of. An epoch without records is not written: the next start begins
    /// another one.
    public boolean isChanged(long endOffset) {
        return fileDiffers || (writtenCount < count && startOffsets[writtenCount] < endOffset);
    }

    /// The file has the entries below `endOffset` now.
    public void markWritten(long endOffset) {
        writtenCount = countBelow(endOffset);
        fileDiffers = false;
    }

    public void markChanged() {
        fileDiffers = true;
    }

    /// Number of entries that start below an offset.
    int countBelow(long endOffset) {
        int below = count;
        while (below > 0 && startOffsets[below - 1] >= endOffset) {
            below--;
        }
        return below;
    }

    private void dropLast() {
        count--;
        if (count < writtenCount) {
            writtenCount = count;
            fileDiffers = true;
        }
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
            dropLast();
        }
        add(epoch, startOffset);
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
            dropLast();
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
        writtenCount = 0;
        fileDiffers = true;
    }

    public void clear() {
        while (count > 0) {
            dropLast();
        }
    }

    private int firstAbove(int epoch) {
        int entry = 0;
        while (epochs[entry] <= epoch) {
            entry++;
        }
        return entry;
    }
}

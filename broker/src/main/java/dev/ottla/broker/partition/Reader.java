package dev.ottla.broker.partition;

import org.jspecify.annotations.Nullable;

/// Somebody who waits for a partition to have more to read. Extended by whoever waits; a link in
/// the partition's list, so waiting and giving up cost the same however many wait. Owned by the
/// partition's shard thread.
public abstract class Reader {
    @Nullable ReaderQueue queue;
    @Nullable Reader previous;
    @Nullable Reader next;

    /// Readable offsets must pass this one (exclusive ends: a reader at the end waits for the end
    /// to move).
    long awaitedOffset;

    public final boolean isWaiting() {
        return queue != null;
    }

    /// More can be read, or the partition is gone or led by somebody else: read again to learn
    /// which. The reader is not waiting any more.
    protected abstract void onReadable(HostedPartition partition);

    /// There may be news that are no records: the high watermark or the log start moved. The reader
    /// waits on.
    protected void onNews(HostedPartition partition) {}

    /// `onReadable` threw, which is no fault of the partition.
    protected abstract void onFailure(RuntimeException failure);

    final void tellNews(HostedPartition partition) {
        try {
            onNews(partition);
        } catch (RuntimeException e) {
            onFailure(e);
        }
    }

    final void tellReadable(HostedPartition partition) {
        try {
            onReadable(partition);
        } catch (RuntimeException e) {
            onFailure(e);
        }
    }
}

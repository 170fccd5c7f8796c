package dev.ottla.broker.partition;

import org.jspecify.annotations.Nullable;

/// Who waits for a partition to have more to read: consumers at the end they may read to, followers
/// at the end of what is written. Owned by the partition's shard thread.
final class WaitingReaders {
    private final HostedPartition partition;
    private final ReaderQueue consumers = new ReaderQueue();
    private final ReaderQueue committedConsumers = new ReaderQueue();

    /// Made when the first one waits.
    private @Nullable ReaderQueue followers;

    WaitingReaders(HostedPartition partition) {
        this.partition = partition;
    }

    /// @param committedOnly whether it stops at the last stable offset
    void addConsumer(Reader reader, long awaitedOffset, boolean committedOnly) {
        (committedOnly ? committedConsumers : consumers).add(reader, awaitedOffset);
    }

    void addFollower(Reader reader, long awaitedOffset) {
        ReaderQueue waiting = followers;
        if (waiting == null) {
            waiting = new ReaderQueue();
            followers = waiting;
        }
        waiting.add(reader, awaitedOffset);
    }

    void onHighWatermark(long highWatermark) {
        consumers.wake(partition, highWatermark);
        if (!committedConsumers.isEmpty()) {
            committedConsumers.wake(partition, partition.log().lastStableOffset(highWatermark));
        }
        tellFollowers();
    }

    void onWritten(long writtenEndOffset) {
        if (followers != null) {
            followers.wake(partition, writtenEndOffset);
        }
    }

    /// There may be something to tell followers that is no record.
    void tellFollowers() {
        if (followers != null) {
            followers.tellNews(partition);
        }
    }

    void wakeFollowers() {
        if (followers != null) {
            followers.wake(partition, Long.MAX_VALUE);
        }
    }

    void wakeAll() {
        consumers.wake(partition, Long.MAX_VALUE);
        committedConsumers.wake(partition, Long.MAX_VALUE);
        wakeFollowers();
    }
}

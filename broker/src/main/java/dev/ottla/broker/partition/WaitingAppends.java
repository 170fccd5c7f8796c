package dev.ottla.broker.partition;

/// Appends of one partition whose end is open. All wait until they are written, because their bytes
/// must not change before; those that asked for every in-sync replica wait on until the high
/// watermark passes them. Both queues are served from the front: nobody is looked at who has to
/// wait on. Owned by the partition's shard thread.
final class WaitingAppends {
    /// An offset before any record.
    private static final long NOTHING = -1;

    private final HostedPartition partition;
    private final AppendQueue unwritten = new AppendQueue();
    private final AppendQueue unreplicated = new AppendQueue();

    WaitingAppends(HostedPartition partition) {
        this.partition = partition;
    }

    void add(PendingAppend append) {
        unwritten.add(append);
    }

    void onWritten(long writtenEndOffset) {
        for (PendingAppend append = unwritten.poll(writtenEndOffset);
                append != null;
                append = unwritten.poll(writtenEndOffset)) {
            append.releaseMemory();
            if (append.isSettled()) {
                continue;
            }
            if (append.waitsForInSyncReplicas()) {
                unreplicated.add(append);
            } else {
                append.acknowledge(partition);
            }
        }
    }

    void onHighWatermark(long highWatermark) {
        for (PendingAppend append = unreplicated.poll(highWatermark);
                append != null;
                append = unreplicated.poll(highWatermark)) {
            append.acknowledge(partition);
        }
    }

    boolean areWritten() {
        return unwritten.isEmpty();
    }

    /// Everybody hears of the error. What the log has still to write stays in its queue, because
    /// that holds the memory.
    void fail(PartitionError error) {
        unwritten.forEach(append -> append.fail(error));
        unreplicated.removeBehind(NOTHING, append -> append.fail(error));
    }

    /// Those hear of the error who wait for other replicas and could go elsewhere. They stay in
    /// their queue, settled.
    void sendAway(PartitionError error) {
        unreplicated.forEach(append -> {
            if (append.mayGoElsewhere()) append.fail(error);
        });
    }

    /// The log has let go of everything behind `fromOffset` without having written it.
    void forgetUnwritten(long fromOffset, PartitionError error) {
        unwritten.removeBehind(
                fromOffset,
                append -> {
                    append.releaseMemory();
                    append.fail(error);
                });
    }

    /// The log has let go of everything without having written it.
    void forgetUnwritten(PartitionError error) {
        forgetUnwritten(NOTHING, error);
    }

    /// What was copied and is not written was cut away; nobody waits for it.
    void forgetCopied() {
        unwritten.removeBehind(NOTHING, PendingAppend::releaseMemory);
    }
}

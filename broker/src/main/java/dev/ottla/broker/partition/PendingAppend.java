package dev.ottla.broker.partition;

import dev.ottla.broker.request.RequestMemory;
import org.jspecify.annotations.Nullable;

/// Records that were given to a partition, and what their sender waits for. Extended by whoever
/// appends; a link in the partition's queues, so waiting costs no further object. Owned by the
/// partition's shard thread.
public abstract class PendingAppend {
    /// When the sender counts its records as taken.
    public enum Acks {
        /// In the leader's log.
        LEADER,
        /// On disk on every in-sync replica: below the high watermark.
        ALL_IN_SYNC
    }

    private final Acks acks;

    /// What the bytes live in, retained until they are written.
    private final RequestMemory memory;

    /// Exclusive end of the records in the log.
    long endOffset;

    private boolean settled;
    private boolean holdsMemory;
    @Nullable PendingAppend next;

    protected PendingAppend(Acks acks, RequestMemory memory) {
        this.acks = acks;
        this.memory = memory;
    }

    final void holdMemory() {
        memory.retain();
        holdsMemory = true;
    }

    final void releaseMemory() {
        if (holdsMemory) {
            holdsMemory = false;
            memory.release();
        }
    }

    final boolean waitsForInSyncReplicas() {
        return acks == Acks.ALL_IN_SYNC;
    }

    /// Whether the sender has heard what became of its records, or does not wait for it.
    final boolean isSettled() {
        return settled;
    }

    /// The sender does not wait any more; its records stay. Returns whether it had waited until
    /// now.
    public final boolean giveUp() {
        boolean waited = !settled;
        settled = true;
        return waited;
    }

    final void acknowledge(HostedPartition partition) {
        if (!settled) {
            settled = true;
            try {
                onAcknowledged(partition);
            } catch (RuntimeException e) {
                onFailure(e);
            }
        }
    }

    final void fail(PartitionError error) {
        if (!settled) {
            settled = true;
            try {
                onFailed(error);
            } catch (RuntimeException e) {
                onFailure(e);
            }
        }
    }

    /// Whether the sender should look for another leader when there may be one.
    protected boolean mayGoElsewhere() {
        return false;
    }

    /// The records are where `acks` wants them.
    protected abstract void onAcknowledged(HostedPartition partition);

    /// The records are not in the log, or nobody can say so.
    protected abstract void onFailed(PartitionError error);

    /// One of the two threw, which is no fault of the partition.
    protected abstract void onFailure(RuntimeException failure);
}

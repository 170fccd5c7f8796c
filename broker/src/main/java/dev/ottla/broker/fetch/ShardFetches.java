package dev.ottla.broker.fetch;

import dev.ottla.broker.partition.CopyThrottle;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.broker.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// The fetches of one shard that have enough to read. They are read at the end of the turn, when
/// everything that the turn made readable is there, so a consumer of many partitions gets one large
/// answer instead of many small ones. Owned by the shard's thread.
public final class ShardFetches {
    private static final int MOST_READS_AHEAD = 16;

    private final PartitionManager partitions;
    private final CopyThrottle throttle;
    private final ReadMemory memory;
    private final Executor coldReads;

    /// Raised by the shard, lowered by the pool.
    private final AtomicInteger readsAhead = new AtomicInteger();

    private List<FetchShardPart> ready = new ArrayList<>();
    private List<FetchShardPart> spare = new ArrayList<>();
    private boolean waitingEnded;

    /// @param memory for small reads
    /// @param coldReads where the disk may be waited for; it has as many tasks as there are
    ///   fetches, and some that read ahead
    public ShardFetches(PartitionManager partitions, ReadMemory memory, Executor coldReads) {
        this.coldReads = coldReads;
        this.partitions = partitions;
        this.throttle = CopyThrottle.ofLeaders(partitions);
        this.memory = memory;
    }

    PartitionManager partitions() {
        return partitions;
    }

    Shard shard() {
        return partitions.shard();
    }

    /// Of what followers copy.
    CopyThrottle throttle() {
        return throttle;
    }

    ReadMemory memory() {
        return memory;
    }

    /// Whether so little reading ahead is under way that answers do not wait behind it. What is
    /// left out is asked for when it is needed.
    boolean mayReadAhead() {
        return readsAhead.get() < MOST_READS_AHEAD;
    }

    void readAhead(Runnable reading) {
        readsAhead.incrementAndGet();
        boolean accepted =
                tryReadCold(() -> {
                    try {
                        reading.run();
                    } finally {
                        readsAhead.decrementAndGet();
                    }
                });
        if (!accepted) {
            readsAhead.decrementAndGet();
        }
    }

    /// Runs a task where the disk may be waited for; false when the broker stops, and it is not
    /// run.
    boolean tryReadCold(Runnable reading) {
        try {
            coldReads.execute(reading);
            return true;
        } catch (RejectedExecutionException _) {
            return false;
        }
    }

    void collectAtTurnEnd(FetchShardPart part) {
        ready.add(part);
    }

    /// From now on no fetch waits for more than there is, and those that do are answered.
    public void endWaiting() {
        waitingEnded = true;
        partitions.wakeReaders();
    }

    boolean hasWaitingEnded() {
        return waitingEnded;
    }

    /// To be called at the end of each turn of the shard.
    public void endTurn() {
        if (ready.isEmpty()) {
            return;
        }
        List<FetchShardPart> turn = ready;
        ready = spare;
        turn.forEach(FetchShardPart::collectSafely);
        turn.clear();
        spare = turn;
    }
}

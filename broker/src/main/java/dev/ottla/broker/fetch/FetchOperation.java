package dev.ottla.broker.fetch;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.shard.ShardMessage;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// One fetch request over the shards that own its partitions. Made on a loop; `finish` runs there
/// when the answer is complete.
///
/// | phase | what happens |
/// |---|---|
/// | look | each shard reads its partitions; with enough bytes, an error or no time to wait, collecting begins |
/// | wait | each shard's partitions tell when more can be read; the bytes of all shards are added up |
/// | collect | once, begun by any shard or the time-out: each shard reads again and reports |
///
/// Between shards there are only counters: the bytes that were seen, the bytes that may still be
/// put into the answer, and how many shards have not reported.
public final class FetchOperation {
    /// What a request allows.
    ///
    /// @param minBytes answer when so much can be read
    /// @param maxBytes most bytes of records in the answer, unless the first batch is larger
    /// @param committedOnly whether to stop at the last stable offset
    /// @param unsettled the error of a partition whose leader has just begun and does not know yet
    ///   what may be read
    /// @param asker a consumer or a follower
    /// @param slowClient whether the client takes its answers too slowly for buffers in memory
    public record Limits(
            int maxWaitMs,
            int minBytes,
            int maxBytes,
            boolean committedOnly,
            ErrorCode unsettled,
            Asker asker,
            BooleanSupplier slowClient) {}

    private final Limits limits;
    private final Executor home;
    private final Runnable finish;
    private final List<FetchPart> parts = new ArrayList<>();
    private final List<FetchShardPart> shardParts = new ArrayList<>(1);

    /// Set once, by the shard whose bytes, error or time-out ends the waiting; read by all shards.
    private final AtomicBoolean collecting = new AtomicBoolean();

    /// Sums over all shards; an order between their changes is not needed, the answer may differ by
    /// what raced.
    private final AtomicInteger seenBytes = new AtomicInteger();

    private final AtomicInteger remainingBytes;

    /// Whether some part has taken the right to one batch of any size.
    private final AtomicBoolean firstBatchTaken = new AtomicBoolean();

    /// Shards that have not reported; each decrement publishes what the shard wrote to the one that
    /// reaches zero.
    private final AtomicInteger shardsLeft = new AtomicInteger();

    /// @param home the loop that the request's session belongs to
    /// @param finish builds and sends the answer
    public FetchOperation(Limits limits, Executor home, Runnable finish) {
        this.limits = limits;
        this.home = home;
        this.finish = finish;
        this.remainingBytes = new AtomicInteger(limits.maxBytes());
    }

    /// A partition to read.
    public void add(FetchTarget target, PartitionKey key) {
        parts.add(new FetchPart(target, key));
    }

    /// The same for a follower, who is not left without news of the high watermark and the log
    /// start while it waits.
    public void add(FetchTarget target, PartitionKey key, FetchTarget.Told told) {
        FetchPart part = new FetchPart(target, key);
        part.told = told;
        parts.add(part);
    }

    /// A partition that cannot be read, whatever its shard would say.
    public void addFailed(FetchTarget target, ErrorCode code, String message) {
        FetchPart part =
                new FetchPart(target, new PartitionKey(target.topicId(), target.partition()));
        part.fail(code, message);
        parts.add(part);
    }

    /// In the order in which they were added.
    public List<FetchPart> parts() {
        return parts;
    }

    /// There will be no answer that takes what was read.
    public void releaseRecords() {
        parts.forEach(FetchPart::releaseRecords);
    }

    /// Sends every part to its shard. On the home loop.
    public void begin(Function<PartitionKey, ShardFetches> owners) {
        boolean answerNow = limits.maxWaitMs() <= 0;
        for (FetchPart part : parts) {
            if (part.hasFailed()) {
                answerNow = true;
            } else {
                shardPart(owners.apply(part.key())).add(part);
            }
        }
        collecting.set(answerNow);
        shardsLeft.set(shardParts.size());
        if (shardParts.isEmpty()) {
            finish.run();
            return;
        }
        shardParts.getFirst().keepTime();
        for (FetchShardPart shardPart : shardParts) {
            shardPart.shard().post(shardPart);
        }
    }

    private FetchShardPart shardPart(ShardFetches owner) {
        for (FetchShardPart shardPart : shardParts) {
            if (shardPart.isOf(owner)) {
                return shardPart;
            }
        }
        FetchShardPart added = new FetchShardPart(this, owner);
        shardParts.add(added);
        return added;
    }

    Limits limits() {
        return limits;
    }

    boolean isCollecting() {
        return collecting.get();
    }

    /// Counts bytes that can be read; returns whether there are enough now.
    boolean sawEnough(int moreBytes) {
        int seen = moreBytes == 0 ? seenBytes.get() : seenBytes.addAndGet(moreBytes);
        return seen >= limits.minBytes();
    }

    /// Ends the waiting: every other shard is told to read. `starter` does so by itself.
    void startCollecting(FetchShardPart starter) {
        if (collecting.compareAndSet(false, true)) {
            for (FetchShardPart shardPart : shardParts) {
                if (shardPart != starter) {
                    shardPart.shard().post(collectMessage(shardPart));
                }
            }
        }
    }

    private static ShardMessage collectMessage(FetchShardPart shardPart) {
        return new ShardMessage() {
            @Override
            protected void run() {
                shardPart.collectSafely();
            }
        };
    }

    /// Bytes that the answer still has room for.
    int remainingBytes() {
        return remainingBytes.get();
    }

    void take(int bytes) {
        remainingBytes.addAndGet(-bytes);
    }

    /// Whether the caller may take a batch that is larger than allowed, because nobody has taken
    /// anything yet.
    boolean mayTakeFirstBatch() {
        return !firstBatchTaken.get();
    }

    boolean takeFirstBatch() {
        return firstBatchTaken.compareAndSet(false, true);
    }

    void giveFirstBatchBack() {
        firstBatchTaken.set(false);
    }

    void shardDone() {
        if (shardsLeft.decrementAndGet() == 0) {
            home.execute(finish);
        }
    }
}

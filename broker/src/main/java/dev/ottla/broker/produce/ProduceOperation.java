package dev.ottla.broker.produce;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.partition.PendingAppend.Acks;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// One produce request: its batches in the order of the request, and how far they are. Made on the
/// loop; the batches are checked, posted to their shards, and when all are done `finish` runs on
/// the thread that did the last.
public final class ProduceOperation {
    /// How a request wants to be answered.
    public enum Answer {
        /// acks=0
        NEVER,
        /// acks=1
        WHEN_IN_LEADERS_LOG,
        /// acks=all
        WHEN_ON_ALL_IN_SYNC_REPLICAS
    }

    private final Answer answer;
    private final int timeoutMs;
    private final long nowMs;
    private final RequestMemory memory;
    private final Runnable finish;
    private final List<ProducePart> parts = new ArrayList<>(1);

    /// Shards that have not finished; each decrement publishes what the shard wrote to the one that
    /// reaches zero.
    private final AtomicInteger shardsLeft = new AtomicInteger();

    /// Written by a shard before its countdown, read by whoever answers.
    private volatile boolean failed;

    /// @param nowMs wall-clock time of the request
    /// @param memory what the batches live in
    /// @param finish builds and sends the answer
    public ProduceOperation(
            Answer answer, int timeoutMs, long nowMs, RequestMemory memory, Runnable finish) {
        this.answer = answer;
        this.timeoutMs = timeoutMs;
        this.nowMs = nowMs;
        this.memory = memory;
        this.finish = finish;
    }

    /// A batch that is to be checked and appended.
    public ProducePart add(PartitionKey key, ByteBuffer records) {
        Acks acks = waitsForInSyncReplicas() ? Acks.ALL_IN_SYNC : Acks.LEADER;
        ProducePart part = new ProducePart(key, records, acks, memory);
        parts.add(part);
        return part;
    }

    /// A batch that is refused without a look at it.
    public ProducePart addRefused(PartitionKey key, ErrorCode code, String message) {
        ProducePart part = add(key, ByteBuffer.allocate(0));
        part.refuse(code, message);
        return part;
    }

    public List<ProducePart> parts() {
        return parts;
    }

    /// Whether something broke that is no client's fault; the answer is worth nothing then.
    public boolean hasFailed() {
        return failed;
    }

    /// Posts every batch that was not refused to the shard of its partition. All are checked by
    /// now.
    void dispatch(Function<PartitionKey, PartitionManager> owners) {
        List<ProduceShardPart> shardParts = new ArrayList<>(1);
        for (ProducePart part : parts) {
            if (!part.isRefused()) {
                shardPart(shardParts, owners.apply(part.key())).add(part);
            }
        }
        shardsLeft.set(shardParts.size());
        if (shardParts.isEmpty()) {
            finish.run();
        }
        for (ProduceShardPart shardPart : shardParts) {
            shardPart.partitions().shard().post(shardPart);
        }
    }

    private ProduceShardPart shardPart(List<ProduceShardPart> shardParts, PartitionManager owner) {
        for (ProduceShardPart shardPart : shardParts) {
            if (shardPart.partitions() == owner) {
                return shardPart;
            }
        }
        ProduceShardPart added = new ProduceShardPart(this, owner);
        shardParts.add(added);
        return added;
    }

    void shardDone() {
        if (shardsLeft.decrementAndGet() == 0) {
            finish.run();
        }
    }

    /// The answer waits for the other shards nevertheless: they work with the request's memory,
    /// which ends with it.
    void shardFailed() {
        failed = true;
        shardDone();
    }

    boolean isAnswered() {
        return answer != Answer.NEVER;
    }

    boolean waitsForInSyncReplicas() {
        return answer == Answer.WHEN_ON_ALL_IN_SYNC_REPLICAS;
    }

    int timeoutMs() {
        return timeoutMs;
    }

    long nowMs() {
        return nowMs;
    }
}

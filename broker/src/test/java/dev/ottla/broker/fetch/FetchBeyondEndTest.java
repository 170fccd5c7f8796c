package dev.ottla.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.partition.TestShards;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.wire.ErrorCode;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What consumers hear that ask for records behind the end of the log.
@Timeout(30)
class FetchBeyondEndTest {
    private final TestMetadata metadata = new TestMetadata(2, TestShards.DIRECTORY);

    /// They would begin anew at once, while a later leader may have the records.
    @Test
    void leaderWhoseFollowersAreNotHeardOfSaysThatItMayNotLead() throws Exception {
        assertThat(fetchBeyondEnd(List.of(1, 2))).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void nobodyElseLeadsWhatHasOneReplica() throws Exception {
        assertThat(fetchBeyondEnd(List.of(1))).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
    }

    private ErrorCode fetchBeyondEnd(List<Integer> replicas) throws Exception {
        metadata.create("orders", List.of(replicas));
        PartitionKey key = new PartitionKey(metadata.image().topic("orders").orElseThrow().id(), 0);
        TestShards shards = new TestShards(new FakeDisk(), Runnable::run, 1);
        shards.start(metadata.image(), List.of());
        shards.unconfirm();
        try {
            FetchPart part = fetch(shards.owner(key), key, 7);
            return part.error().map(PartitionError::code).orElse(ErrorCode.NONE);
        } finally {
            shards.stop();
        }
    }

    private static FetchPart fetch(PartitionManager partitions, PartitionKey key, long offset)
            throws InterruptedException {
        ShardFetches fetches =
                new ShardFetches(
                        partitions,
                        new ReadMemory(PooledByteBufAllocator.DEFAULT, 1000),
                        Runnable::run);
        partitions.shard().execute(() -> partitions.shard().onTurnEnd(fetches::endTurn));
        FetchOperation.Limits limits =
                new FetchOperation.Limits(
                        0,
                        1,
                        1000,
                        false,
                        ErrorCode.OFFSET_NOT_AVAILABLE,
                        new Asker.Consumer(true, ""),
                        () -> false);
        CountDownLatch done = new CountDownLatch(1);
        FetchOperation operation = new FetchOperation(limits, Runnable::run, done::countDown);
        operation.add(
                new FetchTarget(key.topicId(), "orders", key.partition(), -1, offset, -1, -1, 1000),
                key);
        operation.begin(_ -> fetches);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        return operation.parts().getFirst();
    }
}

package dev.ottla.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.Lookup;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.partition.PendingAppend;
import dev.ottla.broker.partition.TestShards;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What readers are told after the process was killed, while records that were written are not
/// known to be on the disk: nothing is synced before the test lets the I/O lane run.
@Timeout(30)
class FetchAfterKillTest {
    private static final int PATIENT_MS = 60_000;
    private static final int MAX_BYTES = 1000;

    private final TestMetadata metadata = new TestMetadata(1, TestShards.DIRECTORY);
    private final FakeDisk disk = new FakeDisk();
    private final BlockingQueue<Runnable> lane = new LinkedBlockingQueue<>();
    private final List<TestShards> started = new ArrayList<>();
    private PartitionKey key = new PartitionKey(Uuid.ZERO, 0);

    @BeforeEach
    void writeAndBeKilled() throws IOException, InterruptedException {
        metadata.create("orders", List.of(List.of(1)));
        key = new PartitionKey(metadata.image().topic("orders").orElseThrow().id(), 0);
        PartitionManager partitions = start(List.of());
        CountDownLatch written = new CountDownLatch(1);
        partitions.shard().execute(() -> append(partitions, written));
        assertThat(written.await(10, TimeUnit.SECONDS)).isTrue();
        stop();
        disk.endProcess();
        lane.clear();
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (TestShards shards : started) {
            shards.stop();
        }
        started.clear();
    }

    @Test
    void whoDoesNotWaitIsToldThatItIsNotKnownYetWhatMayBeRead() throws Exception {
        PartitionManager partitions = start(List.of(key));

        FetchPart part = fetch(partitions, 0).await();

        assertThat(part.error().map(PartitionError::code)).contains(ErrorCode.OFFSET_NOT_AVAILABLE);
        assertThat(part.highWatermark()).isEqualTo(-1);
    }

    @Test
    void whoWaitsIsAnsweredWhenTheRecordsAreOnTheDisk() throws Exception {
        PartitionManager partitions = start(List.of(key));
        Fetch fetch = fetch(partitions, PATIENT_MS);

        while (fetch.done.getCount() > 0) {
            Runnable task = lane.poll(10, TimeUnit.MILLISECONDS);
            if (task != null) {
                task.run();
            }
        }
        FetchPart part = fetch.await();

        assertThat(part.error()).isEmpty();
        assertThat(part.highWatermark()).isEqualTo(1);
        assertThat(part.records().sizeBytes()).isPositive();
        part.releaseRecords();
    }

    private void append(PartitionManager partitions, CountDownLatch written) {
        ByteBuffer batch =
                new BatchBuilder().append(1000, null, ByteBuffer.wrap(new byte[3])).build();
        HostedPartition partition = ((Lookup.Found) partitions.lookup(key)).partition();
        partition.append(acknowledged(written), batch, AppendOrigin.CLIENT, 1000);
    }

    private static PendingAppend acknowledged(CountDownLatch written) {
        return new PendingAppend(PendingAppend.Acks.LEADER, RequestMemory.UNCOUNTED) {
            @Override
            protected void onAcknowledged(HostedPartition partition) {
                written.countDown();
            }

            @Override
            protected void onFailed(PartitionError error) {
                throw new AssertionError(error);
            }

            @Override
            protected void onFailure(RuntimeException failure) {
                throw failure;
            }
        };
    }

    private record Fetch(FetchOperation operation, CountDownLatch done) {
        FetchPart await() throws InterruptedException {
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
            return operation.parts().getFirst();
        }
    }

    private Fetch fetch(PartitionManager partitions, int maxWaitMs) {
        ShardFetches fetches =
                new ShardFetches(
                        partitions,
                        new ReadMemory(PooledByteBufAllocator.DEFAULT, MAX_BYTES),
                        Runnable::run);
        partitions.shard().execute(() -> partitions.shard().onTurnEnd(fetches::endTurn));
        CountDownLatch done = new CountDownLatch(1);
        FetchOperation.Limits limits =
                new FetchOperation.Limits(
                        maxWaitMs,
                        1,
                        MAX_BYTES,
                        false,
                        ErrorCode.OFFSET_NOT_AVAILABLE,
                        new Asker.Consumer(true, ""),
                        () -> true);
        FetchOperation operation = new FetchOperation(limits, Runnable::run, done::countDown);
        operation.add(new FetchTarget(key.topicId(), "orders", 0, -1, 0, -1, -1, MAX_BYTES), key);
        operation.begin(_ -> fetches);
        return new Fetch(operation, done);
    }

    private PartitionManager start(Collection<PartitionKey> stored)
            throws IOException, InterruptedException {
        TestShards shards = new TestShards(disk, lane::add, 1);
        started.add(shards);
        shards.start(metadata.image(), stored);
        return shards.managers().getFirst();
    }
}

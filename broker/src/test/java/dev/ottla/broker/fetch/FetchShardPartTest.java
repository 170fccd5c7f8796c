package dev.ottla.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Shards;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.log.Batches;
import dev.ottla.log.LogConfig;
import dev.ottla.log.LogShard;
import dev.ottla.log.ManualShard;
import dev.ottla.log.PartitionId;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.ReadOutcome;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A fetch is answered whatever becomes of it in a shard, and lets go of the files it had found.
@Timeout(30)
class FetchShardPartTest {
    private static final Uuid TOPIC = new Uuid(1, 2);
    private static final Executor STOPPED =
            task -> {
                throw new RejectedExecutionException("stopped");
            };

    private final FakeDisk disk = new FakeDisk();
    private final ReadMemory memory = new ReadMemory(UnpooledByteBufAllocator.DEFAULT, 1 << 20);
    private final Shard shard =
            new Shard(0, System::nanoTime, Thread::new, Throwable::printStackTrace);
    private ManualShard logs;
    private PartitionLog log;

    @BeforeEach
    void start() throws IOException {
        shard.start();
        logs = new ManualShard(disk, Path.of("/data"));
        log = logs.loaded(new PartitionId(TOPIC, "t", 0), LogConfig.DEFAULTS);
        log.append(Batches.of(1, "v"), 0, AppendOrigin.CLIENT, logs.nowMs);
        logs.settle();
    }

    @AfterEach
    void stop() throws InterruptedException {
        shard.stop();
        assertThat(shard.awaitStop(10_000)).isTrue();
    }

    /// A fetch that has found the log's records, and looks once more.
    private FetchOperation fetch(boolean cold, BooleanSupplier slowClient, Executor coldReads)
            throws InterruptedException {
        FetchOperation.Limits limits =
                new FetchOperation.Limits(
                        0,
                        1,
                        1 << 20,
                        false,
                        ErrorCode.OFFSET_NOT_AVAILABLE,
                        new Asker.Consumer(true, ""),
                        slowClient);
        CountDownLatch answered = new CountDownLatch(1);
        FetchOperation operation = new FetchOperation(limits, Runnable::run, answered::countDown);
        operation.add(
                new FetchTarget(TOPIC, "t", 0, -1, 0, -1, -1, 1 << 20), new PartitionKey(TOPIC, 0));
        FetchPart part = operation.parts().getFirst();
        part.slice = ((ReadOutcome.Batches) log.read(0, 1000, 1, true)).slice();
        part.cold = cold;
        ShardFetches fetches = new ShardFetches(noPartitions(), memory, coldReads);
        operation.begin(key -> fetches);
        assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
        return operation;
    }

    private PartitionManager noPartitions() {
        ConfigResolver config =
                new ConfigResolver(BrokerLayers.of(Map.of()), Surroundings.of(1, 1));
        return new PartitionManager(
                shard,
                new LogShard(disk, shard, 10, 10),
                new PartitionManager.Surroundings(
                        1,
                        new Shards(List.of(shard)),
                        Map.of(),
                        new BrokerConfig(1, config),
                        InstantSource.system(),
                        new BrokerMetrics()));
    }

    private void assertNoFileIsHeld(FetchOperation operation) {
        operation.releaseRecords();
        logs.shard.sweep(logs.nowMs);
        logs.shard.sweep(logs.nowMs);
        assertThat(disk.openFiles()).isZero();
    }

    @Test
    void coldRecordsLeaveUnreadWhenNobodyReadsAnyMore() throws InterruptedException {
        FetchOperation operation = fetch(true, () -> false, STOPPED);

        assertThat(operation.parts().getFirst().records().sizeBytes()).isPositive();
        assertNoFileIsHeld(operation);
    }

    @Test
    void whatFailsWhileTheAnswerIsMadeIsAnswered() throws InterruptedException {
        BooleanSupplier failing =
                () -> {
                    throw new IllegalStateException("planted");
                };
        for (boolean cold : List.of(false, true)) {
            FetchOperation operation = fetch(cold, failing, Runnable::run);

            assertThat(operation.parts().getFirst().hasFailed()).isTrue();
            assertNoFileIsHeld(operation);
        }
    }
}

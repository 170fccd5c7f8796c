package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
    private static final Path ROOT = Path.of("/data");
    private static final PartitionId ID = new PartitionId(new Uuid(1, 2), "orders", 3);

    private final FakeDisk disk = new FakeDisk();

    private static void append(ManualShard owner, PartitionLog log, String value) {
        assertThat(log.append(Batches.of(owner.nowMs, value), 1, AppendOrigin.CLIENT, owner.nowMs))
                .isInstanceOf(AppendOutcome.Appended.class);
    }

    @Test
    void aNewDirectoryIsClaimedOnceAndKeepsItsId() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        assertThat(owner.directory.properties()).isEmpty();
        owner.directory.claim("fNAHdq-xTrS5sWmx5ZQoDg", 4);
        owner.directory.close(false);

        Properties properties = new Properties();
        properties.load(
                new StringReader(
                        DiskIo.readText(disk, ROOT.resolve("meta.properties")).orElseThrow()));
        assertThat(properties)
                .containsEntry("version", "1")
                .containsEntry("cluster.id", "fNAHdq-xTrS5sWmx5ZQoDg")
                .containsEntry("node.id", "4")
                .containsEntry("directory.id", new Uuid(7, 7).toString());
        DataDirectory again = new ManualShard(disk, ROOT, options(new Uuid(9, 9))).directory;
        assertThat(again.id()).isEqualTo(new Uuid(7, 7));
        assertThat(again.properties())
                .contains(new MetaProperties("fNAHdq-xTrS5sWmx5ZQoDg", 4, new Uuid(7, 7)));
    }

    private static DataDirectory.Options options(Uuid id) {
        return new DataDirectory.Options(2, 0, 0, 0, id);
    }

    @Test
    void aDamagedIdentityIsRefusedWithAReason() throws IOException {
        new ManualShard(disk, ROOT).directory.close(false);
        DiskIo.replaceText(disk, ROOT.resolve("meta.properties"), "version=1\nnode.id=x\n");

        assertThatThrownBy(() -> new ManualShard(disk, ROOT))
                .isInstanceOf(DirectoryException.class)
                .hasMessageContaining("meta.properties is damaged");
    }

    @Test
    void theCleanMarkIsThereOnlyBetweenTwoProcesses() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        append(owner, owner.loaded(ID, LogConfig.DEFAULTS), "a");
        owner.settle();
        assertThat(disk.exists(ROOT.resolve(".kafka_cleanshutdown"))).isFalse();
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        owner.closeAll(log);
        assertThat(disk.exists(ROOT.resolve(".kafka_cleanshutdown"))).isTrue();

        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(next.directory.wasClean()).isTrue();
        disk.crash(new Random(1));
        assertThat(new ManualShard(disk, ROOT).directory.wasClean()).isFalse();
    }

    /// As when a start is refused, or stopped while logs are recovered.
    @Test
    void logsThatWereNotRecoveredKeepTheDirectoryFromBeingClean() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        append(owner, owner.loaded(ID, LogConfig.DEFAULTS), "a");
        owner.settle();
        disk.crash(new Random(1));

        new ManualShard(disk, ROOT).closeAll();

        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(next.directory.wasClean()).isFalse();
        next.closeAll(next.loaded(ID, LogConfig.DEFAULTS));
        assertThat(new ManualShard(disk, ROOT).directory.wasClean()).isTrue();
    }

    @Test
    void startThatOpensNoLogLeavesACleanDirectoryClean() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, "a");
        owner.closeAll(log);

        new ManualShard(disk, ROOT).closeAll();

        assertThat(new ManualShard(disk, ROOT).directory.wasClean()).isTrue();
    }

    @Test
    void aLogOfAnUnknownTopicIsSetAsideAndKept() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, "a");
        owner.closeAll(log);

        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(next.directory.storedPartitions())
                .containsExactly(
                        new DataDirectory.StoredPartition("orders", 3, Optional.of(ID.topicId())));
        next.directory.setAside("orders", 3);

        assertThat(next.directory.storedPartitions()).isEmpty();
        String stray = "orders-3.00000000000000010000000000000002-stray";
        assertThat(disk.list(ROOT)).contains(stray).doesNotContain("orders-3");
        assertThat(disk.list(ROOT.resolve(stray))).contains("00000000000000000000.log");
        PartitionLog fresh =
                next.loaded(new PartitionId(new Uuid(1, 3), "orders", 3), LogConfig.DEFAULTS);
        assertThat(fresh.logEndOffset()).isZero();
        append(next, fresh, "b");
        next.settle();
        assertThat(LogContent.records(fresh, 0, 100)).containsExactly("0:b");
        assertThat(new ManualShard(new FakeDisk(), ROOT).directory.storedPartitions()).isEmpty();
    }

    @Test
    void anErrorDuringTheOpeningOfALogIsTold() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        append(owner, owner.loaded(ID, LogConfig.DEFAULTS), "a");
        owner.settle();
        disk.endProcess();
        ManualShard next = new ManualShard(disk, ROOT);
        List<LoadOutcome> outcomes = new ArrayList<>();
        next.directory.load(
                ID,
                LogConfig.DEFAULTS,
                next.shard,
                new LogListener() {},
                next.nowMs,
                outcomes::add);

        disk.onList(directory -> {
            throw new OutOfMemoryError("Cannot reserve direct buffer memory");
        });
        assertThatThrownBy(next::settle).isInstanceOf(OutOfMemoryError.class);
        disk.onList(directory -> {});
        next.settle();

        assertThat(outcomes.getFirst()).isInstanceOf(LoadOutcome.Failed.class);
        assertThat(next.directory.progress().logsFailed()).isEqualTo(1);
    }

    @Test
    void theRemainsOfADeletionGoAwayAtTheNextStart() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, "a");
        owner.settle();
        log.delete();
        assertThat(disk.list(ROOT))
                .anyMatch(name -> name.endsWith("-delete"))
                .doesNotContain("orders-3");
        owner.directory.close(false);

        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(next.directory.storedPartitions()).isEmpty();
        next.settle();
        assertThat(disk.list(ROOT)).noneMatch(name -> name.startsWith("orders"));
    }

    @Test
    void oneFailedDirectoryTakesOnlyItsOwnLogsOffline() throws IOException {
        FakeDisk otherDisk = new FakeDisk();
        ManualShard owner = new ManualShard(disk, ROOT);
        ManualShard other = new ManualShard(otherDisk, Path.of("/other"));
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        PartitionLog otherLog = other.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, "a");
        append(other, otherLog, "a");
        disk.failWrites(true);
        owner.settle();
        other.settle();

        assertThat(owner.directory.offlineReason()).isPresent();
        assertThat(log.offlineReason()).isPresent();
        assertThat(log.flushedEndOffset()).isZero();
        assertThat(other.directory.offlineReason()).isEmpty();
        assertThat(otherLog.flushedEndOffset()).isEqualTo(1);
        LoadOutcome refused =
                owner.load(
                        new PartitionId(new Uuid(1, 4), "x", 0),
                        LogConfig.DEFAULTS,
                        new LogListener() {});
        assertThat(refused).isInstanceOf(LoadOutcome.Failed.class);
    }

    @Test
    void aStopCompletesAfterAFailureAndOnAFullDiskButIsNotCalledClean() throws IOException {
        ManualShard failed = new ManualShard(disk, ROOT);
        PartitionLog log = failed.loaded(ID, LogConfig.DEFAULTS);
        append(failed, log, "a");
        disk.failSyncs(true);
        List<String> events = new ArrayList<>();
        log.close(() -> events.add("closed after a failure"));
        failed.settle();
        failed.directory.close(true);
        disk.failSyncs(false);
        assertThat(disk.exists(ROOT.resolve(".kafka_cleanshutdown"))).isFalse();

        ManualShard full = new ManualShard(disk, ROOT);
        PartitionLog again = full.loaded(ID, LogConfig.DEFAULTS);
        ByteBuffer produced = // A producer, so that there is something to be written at the stop.
                Batches.of(new BatchBuilder().producer(1, (short) 0, 0), full.nowMs, "b");
        assertThat(again.append(produced, 1, AppendOrigin.CLIENT, full.nowMs))
                .isInstanceOf(AppendOutcome.Appended.class);
        full.settle();
        disk.capacity(1);
        again.close(() -> events.add("closed on a full disk"));
        full.settle();
        assertThat(full.directory.offlineReason()).isEmpty();
        disk.capacity(1_000_000);
        full.directory.close(true);
        assertThat(events).containsExactly("closed after a failure", "closed on a full disk");
        assertThat(disk.exists(ROOT.resolve(".kafka_cleanshutdown"))).isFalse();
        assertThat(new ManualShard(disk, ROOT).loaded(ID, LogConfig.DEFAULTS).logEndOffset())
                .isEqualTo(again.flushedEndOffset());
    }

    @Test
    void rollsByTimeAndByFullIndex() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog byTime =
                owner.loaded(ID, LogConfig.builder().segmentMs(1000).segmentJitterMs(100).build());
        for (int i = 0; i < 4; i++) {
            append(owner, byTime, "v");
            owner.nowMs += 451;
        }
        assertThat(byTime.segmentCount()).isEqualTo(2);

        PartitionLog byIndex =
                owner.loaded(
                        new PartitionId(new Uuid(1, 9), "i", 0),
                        LogConfig.builder().indexIntervalBytes(1).segmentIndexBytes(64).build());
        for (int i = 0; i < 20; i++) {
            owner.nowMs++;
            append(owner, byIndex, "v");
        }
        assertThat(byIndex.segmentCount()).isGreaterThan(2);
    }

    @Test
    void startingAFollowerAnewSurvivesARestart() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, "a");
        owner.settle();
        log.truncateFullyAndStartAt(100);
        owner.settle();
        assertThat(log.read(100, 10, 200, true)).isEqualTo(new ReadOutcome.AtEnd(100));

        disk.crash(new Random(5));

        ManualShard next = new ManualShard(disk, ROOT);
        PartitionLog recovered = next.loaded(ID, LogConfig.DEFAULTS);
        assertThat(recovered.logStartOffset()).isEqualTo(100);
        assertThat(recovered.logEndOffset()).isEqualTo(100);
        append(next, recovered, "b");
        next.settle();
        assertThat(LogContent.records(recovered, 100, 10)).containsExactly("100:b");
    }

    /// The way a broker uses it: lanes and shards are real threads.
    @Test
    void manyLogsAreRecoveredInParallelAndSyncedTogether(@TempDir Path directory) throws Exception {
        int count = 60;
        for (int round = 0; round < 3; round++) {
            ExecutorService lane = Executors.newFixedThreadPool(4);
            ExecutorService shardThread = Executors.newSingleThreadExecutor();
            try {
                LogShard shard = new LogShard(new FileDisk(), shardThread, 16, 64);
                DataDirectory.Options options =
                        new DataDirectory.Options(3, 20, 0, 0, 0, new Uuid(7, 7));
                DataDirectory data =
                        DataDirectory.open(
                                new FileDisk(), directory.resolve("d"), options, lane, lane);
                List<PartitionLog> logs = new ArrayList<>();
                CountDownLatch ready = new CountDownLatch(count);
                for (int i = 0; i < count; i++) {
                    PartitionId id = new PartitionId(new Uuid(3, i), "t", i);
                    data.load(
                            id,
                            LogConfig.DEFAULTS,
                            shard,
                            new LogListener() {},
                            1000,
                            outcome -> {
                                logs.add(((LoadOutcome.Ready) outcome).log());
                                ready.countDown();
                            });
                }
                assertThat(ready.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(data.progress().logsReady()).isEqualTo(count);
                int offset = round;
                AtomicInteger flushed = appendToAll(shardThread, shard, logs, offset);
                assertThat(flushed.get()).isEqualTo(count);
                // Not closed: the next round recovers.
                data.close(false);
            } finally {
                shardThread.shutdown();
                lane.shutdown();
            }
        }
    }

    private static AtomicInteger appendToAll(
            ExecutorService shardThread, LogShard shard, List<PartitionLog> logs, int offset)
            throws Exception {
        shardThread
                .submit(() -> {
                    for (PartitionLog log : logs) {
                        assertThat(log.append(Batches.of(1, "v"), 1, AppendOrigin.CLIENT, 1000))
                                .isEqualTo(new AppendOutcome.Appended(offset, offset));
                    }
                    shard.endTurn(1000);
                })
                .get();
        AtomicInteger flushed = new AtomicInteger();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (flushed.get() < logs.size() && System.nanoTime() < deadline) {
            shardThread
                    .submit(() ->
                            flushed.set(
                                    (int)
                                            logs.stream()
                                                    .filter(log ->
                                                            log.flushedEndOffset() == offset + 1)
                                                    .count()))
                    .get();
        }
        return flushed;
    }

    @Test
    void aLogThatOpensWhileItsDirectoryFailsIsOfflineAtOnce() throws IOException {
        ManualShard first = new ManualShard(disk, ROOT);
        PartitionLog log = first.loaded(ID, LogConfig.DEFAULTS);
        append(first, log, "a");
        first.settle();
        disk.endProcess(); // A log that was closed in order would rest.
        AtomicReference<DataDirectory> directory = new AtomicReference<>();
        Path opened = ROOT.resolve(ID.directoryName());
        ManualShard next =
                new ManualShard(
                        calling(() -> directory.get().fail(new IOException("planted")), opened),
                        ROOT);
        directory.set(next.directory);
        List<String> events = new ArrayList<>();

        next.directory.load(
                ID,
                LogConfig.DEFAULTS,
                next.shard,
                new LogListener() {
                    @Override
                    public void onOffline(PartitionLog offline, String reason) {
                        events.add("told");
                    }
                },
                next.nowMs,
                outcome -> {
                    assertThat(((LoadOutcome.Ready) outcome).log().offlineReason())
                            .hasValueSatisfying(reason -> assertThat(reason).contains("planted"));
                    events.add("opened");
                });
        next.settle();

        assertThat(events).containsExactly("opened", "told");
    }

    /// The disk, which does something else each time a directory is listed.
    private Disk calling(Runnable action, Path listed) {
        return (Disk)
                Proxy.newProxyInstance(
                        Disk.class.getClassLoader(),
                        new Class<?>[] {Disk.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("list") && listed.equals(arguments[0])) {
                                action.run();
                            }
                            try {
                                return method.invoke(disk, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    @Test
    void whoWaitsForANewLogStartHearsThatItCannotBeWritten() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, "a");
        owner.settle();
        List<String> events = new ArrayList<>();
        disk.failWrites(true);

        log.advanceLogStartOffset(
                1,
                new StartOutcome() {
                    @Override
                    public void onDurable() {
                        events.add("durable");
                    }

                    @Override
                    public void onFailed(IOException cause) {
                        events.add(log.offlineReason().isPresent() ? "failed" : "failed too early");
                    }
                });
        owner.settle();

        assertThat(events).containsExactly("failed");
    }
}

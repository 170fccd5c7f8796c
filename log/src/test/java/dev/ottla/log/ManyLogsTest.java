package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What thousands of logs with little traffic cost, seen at a few of them.
final class ManyLogsTest {
    private static final Path ROOT = Path.of("/data");
    private static final int LOGS = 20;
    private static final LogConfig CACHED =
            LogConfig.builder().flushPolicy(FlushPolicy.PAGE_CACHE).build();

    private final FakeDisk disk = new FakeDisk();
    private ManualShard owner = owner();
    private final List<PartitionLog> logs = new ArrayList<>();

    private ManualShard owner() {
        try {
            return new ManualShard(disk, ROOT);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static PartitionId id(int number) {
        return new PartitionId(new Uuid(1, 2), "many", number);
    }

    private static Path file(int number) {
        return ROOT.resolve("many-" + number + "/00000000000000000000.log");
    }

    private void loadAtStart(LogConfig config) {
        logs.clear();
        for (int i = 0; i < LOGS; i++) {
            logs.add(owner.loadedAtStart(id(i), config, new LogListener() {}));
        }
    }

    private void appendToEach() {
        for (PartitionLog log : logs) {
            append(log);
        }
        owner.settle();
    }

    private void append(PartitionLog log) {
        assertThat(log.append(Batches.of(owner.nowMs, "v"), 1, AppendOrigin.CLIENT, owner.nowMs))
                .isInstanceOf(AppendOutcome.Appended.class);
    }

    private void killAndStartAgain(LogConfig config) {
        disk.endProcess();
        owner = owner();
        loadAtStart(config);
    }

    @Test
    void filesOfUnsyncedRecordsAreClosed() {
        loadAtStart(CACHED);

        appendToEach();

        assertThat(disk.openFiles()).isEqualTo(4); // As many as the shard may keep open.
        owner.shard.sweep(owner.nowMs);
        owner.shard.sweep(owner.nowMs);
        assertThat(disk.openFiles()).isZero();
        assertThat(logs).allMatch(log -> log.flushedEndOffset() == 0);
    }

    @Test
    void aClosedFileIsSyncedWithTheFileSystem() {
        loadAtStart(CACHED);
        appendToEach();
        PartitionLog log = logs.getFirst();

        log.flush();
        owner.settle();

        assertThat(log.flushedEndOffset()).isEqualTo(1);
        disk.crash(new Random(1));
        owner = owner();
        assertThat(owner.loaded(id(0), CACHED).logEndOffset()).isEqualTo(1);
    }

    @Test
    void aFailureToWriteBackAClosedFileIsHeard() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        PartitionLog log = logs.getFirst();
        disk.failWriteBack(file(0));

        log.flush();
        owner.settle();

        assertThat(log.flushedEndOffset()).isZero();
        assertThat(owner.directory.offlineReason()).isPresent();
    }

    @Test
    void aFailureToWriteBackAnOpenFileIsHeard() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        PartitionLog log = logs.getLast();
        disk.failWriteBack(file(LOGS - 1));

        log.flush();
        owner.settle();

        assertThat(log.flushedEndOffset()).isZero();
        assertThat(owner.directory.offlineReason()).isPresent();
    }

    @Test
    void aStartAfterKillNeitherWritesNorSyncsUnlessThePolicySaysSo() {
        loadAtStart(CACHED);
        appendToEach();
        disk.endProcess();
        owner = owner();
        long before = disk.operations();

        loadAtStart(CACHED);
        owner.settle();

        assertThat(disk.operations()).isEqualTo(before);
        assertThat(logs).allMatch(log -> log.logEndOffset() == 1 && log.flushedEndOffset() == 0);
        assertThat(disk.openFiles()).isZero();
    }

    @Test
    void aStartAfterKillSyncsAllAtOnceUnderFsync() {
        loadAtStart(CACHED);
        appendToEach();
        disk.endProcess();
        owner = owner();
        long before = disk.syncs();

        loadAtStart(LogConfig.DEFAULTS);
        owner.settle();

        assertThat(disk.syncs() - before).isBetween(1L, 2L);
        assertThat(logs).allMatch(log -> log.flushedEndOffset() == 1);
    }

    @Test
    void recordsBehindTheRecoveryPointStayThereUntilACheckpoint() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        killAndStartAgain(CACHED);
        appendToEach();
        killAndStartAgain(CACHED);
        assertThat(logs).allMatch(log -> log.recoveryPoint() == 0 && log.logEndOffset() == 2);

        owner.closeAll(logs.toArray(PartitionLog[]::new));

        owner = owner();
        assertThat(owner.directory.wasClean()).isTrue();
        loadAtStart(CACHED);
        assertThat(logs).allMatch(log -> log.recoveryPoint() == 2 && log.logEndOffset() == 2);
    }

    @Test
    void aSmallLogNeedsItsRecordsOnly() throws IOException {
        loadAtStart(CACHED);
        appendToEach();

        owner.closeAll(logs.toArray(PartitionLog[]::new));

        assertThat(disk.list(ROOT.resolve("many-0")))
                .containsExactlyInAnyOrder(
                        "00000000000000000000.log",
                        "partition.metadata",
                        "leader-epoch-checkpoint");
        owner = owner();
        loadAtStart(CACHED);
        assertThat(logs).allMatch(log -> log.logEndOffset() == 1 && log.latestEpoch() == 1);
    }

    @Test
    void aLogThatWasOnlyLedIsClosedWithoutAWrite() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        owner.closeAll(logs.toArray(PartitionLog[]::new));
        owner = owner();
        loadAtStart(CACHED);
        logs.forEach(log -> log.assignEpoch(2));
        long before = disk.operations();

        for (PartitionLog log : logs) {
            log.close(() -> {});
        }
        owner.settle();

        assertThat(disk.operations()).isEqualTo(before);
    }
}

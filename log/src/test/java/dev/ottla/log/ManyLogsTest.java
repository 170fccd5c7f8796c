package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.DiskIo;
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
    void whereOnlyFilesCanBeSyncedTheyStayOpenUntilThen() {
        disk.syncsFileSystem(false);
        killAndStartAgain(CACHED);
        appendToEach();
        assertThat(disk.openFiles()).isEqualTo(LOGS);

        logs.forEach(PartitionLog::flush);
        owner.settle();

        assertThat(logs).allMatch(log -> log.flushedEndOffset() == 1);
        assertThat(disk.openFiles()).isEqualTo(4);
        disk.crash(new Random(1));
        owner = owner();
        loadAtStart(CACHED);
        assertThat(logs).allMatch(log -> log.logEndOffset() == 1);
    }

    @Test
    void whereOnlyFilesCanBeSyncedTheirFailuresAreHeard() throws IOException {
        disk.syncsFileSystem(false);
        killAndStartAgain(CACHED);
        appendToEach();

        assertThatAFailureToWriteBackIsHeard();
    }

    @Test
    void aFailureToWriteBackAClosedFileIsHeard() throws IOException {
        loadAtStart(CACHED);
        appendToEach();

        assertThatAFailureToWriteBackIsHeard();
    }

    private void assertThatAFailureToWriteBackIsHeard() throws IOException {
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
        assertThat(logs)
                .allMatch(
                        log -> log.logEndOffset() == 1 && LogContent.found(log.latestEpoch()) == 1);
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

    // --- logs that rest after a clean stop

    private void restartCleanly() throws IOException {
        owner.closeAll(logs.toArray(PartitionLog[]::new));
        owner = owner();
        startWithoutLane();
    }

    /// Nobody has looked at the files on return.
    private void startWithoutLane() {
        logs.clear();
        for (int i = 0; i < LOGS; i++) {
            owner.directory.load(
                    id(i),
                    CACHED,
                    owner.shard,
                    new LogListener() {},
                    owner.nowMs,
                    outcome -> logs.add(((LoadOutcome.Ready) outcome).log()));
        }
        while (logs.size() < LOGS) {
            owner.shardTasks.remove().run();
        }
    }

    @Test
    void aRestingLogIsWokenByItsFirstUse() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        restartCleanly();
        logs.forEach(log -> log.assignEpoch(7));

        PartitionLog log = logs.get(3);
        assertThat(log.isResting()).isTrue();
        assertThat(log.logEndOffset()).isEqualTo(1);
        assertThat(log.sizeBytes()).isPositive();
        assertThat(LogContent.found(log.latestEpoch())).isEqualTo(7);
        assertThat(log.read(1, 100, 1, true)).isEqualTo(new ReadOutcome.AtEnd(1));
        assertThat(log.isResting()).isTrue();
        assertThat(LogContent.batches(log, 0, 1000)).hasSize(1);
        assertThat(log.isResting()).isFalse();

        PartitionLog written = logs.get(4);
        assertThat(
                        written.append(
                                Batches.of(owner.nowMs, "v"), 7, AppendOrigin.CLIENT, owner.nowMs))
                .isInstanceOf(AppendOutcome.Appended.class);
        assertThat(written.logEndOffset()).isEqualTo(2);
        assertThat(LogContent.found(written.epochAt(0))).isEqualTo(1);
        assertThat(written.segmentCount()).isEqualTo(1);
        owner.settle();
        assertThat(logs).noneMatch(PartitionLog::isResting);
        assertThat(LogContent.found(logs.get(5).epochAt(1))).isEqualTo(7);
    }

    @Test
    void aRestingLogThatIsClosedAgainRestsAgain() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        restartCleanly();
        logs.getFirst().wake();

        restartCleanly();

        assertThat(owner.directory.wasClean()).isTrue();
        assertThat(logs).allMatch(PartitionLog::isResting);
        owner.settle();
        assertThat(logs).allMatch(log -> log.offlineReason().isEmpty() && log.segmentCount() == 1);
    }

    @Test
    void theLaneFindsWhatIsMissingInARestingLogAndItIsMissedUntilItIsBack() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        owner.closeAll(logs.toArray(PartitionLog[]::new));
        disk.delete(file(2));
        owner = owner();
        startWithoutLane();

        owner.settle();

        assertThat(logs.get(2).offlineReason().orElseThrow()).contains("records that were on disk");
        assertThat(logs).filteredOn(log -> log.offlineReason().isPresent()).hasSize(1);
        owner.closeAll(logs.toArray(PartitionLog[]::new));
        owner = owner();
        assertThat(owner.directory.wasClean()).isFalse();
        assertThat(owner.load(id(2), CACHED, new LogListener() {}))
                .isInstanceOf(LoadOutcome.Failed.class);
    }

    @Test
    void aRestingLogWhoseDirectoryWasExchangedIsNotRemovedWithItsTopic() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        owner.closeAll(logs.toArray(PartitionLog[]::new));
        Path identity = ROOT.resolve("many-2").resolve(PartitionMetadataFile.NAME);
        DiskIo.replaceText(disk, identity, PartitionMetadataFile.format(new Uuid(9, 9)));
        disk.delete(ROOT.resolve("many-3/00000000000000000000.log"));
        owner = owner();
        startWithoutLane();

        logs.get(2).delete();
        logs.get(3).delete();
        owner.settle();

        assertThat(owner.directory.offlineReason()).isEmpty();
        List<String> left = disk.list(ROOT);
        assertThat(left).noneMatch(name -> name.startsWith("many-3"));
        assertThat(left).anyMatch(name -> name.startsWith("many-2.") && name.endsWith("-stray"));
    }

    @Test
    void aKillWhileLogsRestLosesNothing() throws IOException {
        loadAtStart(CACHED);
        appendToEach();
        restartCleanly();

        killAndStartAgain(CACHED);

        assertThat(logs).allMatch(log -> log.logEndOffset() == 1 && log.recoveryPoint() == 1);
    }
}

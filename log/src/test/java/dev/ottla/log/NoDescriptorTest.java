package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.record.BatchBuilder;
import dev.ottla.record.ControlRecords;
import dev.ottla.record.EndTransactionMarker;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A process without a free descriptor refuses what needs one, and nothing else happens.
final class NoDescriptorTest {
    private static final Path ROOT = Path.of("/data");
    private static final PartitionId ID = new PartitionId(new Uuid(1, 2), "orders", 3);
    private static final int LOGS = 20;
    private static final int ALL = Integer.MAX_VALUE;
    private static final DataDirectory.Options OPTIONS =
            new DataDirectory.Options(1, 0, 0, 0, new Uuid(7, 7));
    private static final LogConfig CACHED =
            LogConfig.builder().flushPolicy(FlushPolicy.PAGE_CACHE).build();
    private static final LogConfig SMALL = LogConfig.builder().segmentBytes(300).build();

    private final FakeDisk disk = new FakeDisk();
    private ManualShard owner = owner();

    private ManualShard owner() {
        try {
            return new ManualShard(disk, ROOT);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void theDirectoryStaysOnline() {
        assertThat(owner.directory.offlineReason()).isEmpty();
    }

    private AppendOutcome append(PartitionLog log, String value) {
        return log.append(Batches.of(owner.nowMs, value), 1, AppendOrigin.CLIENT, owner.nowMs);
    }

    private void appended(PartitionLog log, String value) {
        assertThat(append(log, value)).isInstanceOf(AppendOutcome.Appended.class);
        owner.settle();
    }

    private void refused(PartitionLog log, String value) {
        assertThat(append(log, value)).isInstanceOf(AppendOutcome.StorageFull.class);
        owner.settle();
    }

    @Test
    void anAppendThatBeginsALogIsRefused() throws IOException {
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);

        disk.refuseOpens(ALL);
        refused(log, "a");
        disk.refuseOpens(0);
        appended(log, "b");

        assertThat(LogContent.records(log, 0, 1000)).containsExactly("0:b");
        assertThat(log.flushedEndOffset()).isEqualTo(1);
    }

    @Test
    void anAppendToAFileThatWasClosedIsRefused() throws IOException {
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        appended(log, "a");
        closeIdleFiles();

        disk.refuseOpens(ALL);
        refused(log, "b");
        assertThat(log.read(0, 1000, Long.MAX_VALUE, true)).isInstanceOf(ReadOutcome.Offline.class);
        assertThat(log.offsetForTimestamp(0, Long.MAX_VALUE))
                .isInstanceOf(LookupOutcome.Offline.class);
        disk.refuseOpens(0);
        appended(log, "c");

        assertThat(log.offlineReason()).isEmpty();
        assertThat(LogContent.records(log, 0, 1000)).containsExactly("0:a", "1:c");
    }

    private void closeIdleFiles() {
        owner.shard.sweep(owner.nowMs);
        owner.shard.sweep(owner.nowMs);
        owner.settle();
        assertThat(disk.openFiles()).isZero();
    }

    @Test
    void aMarkerThatNeedsTheListOfAbortedTransactionsIsRefusedWhole() throws IOException {
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        BatchBuilder transactional =
                new BatchBuilder().producer(9, (short) 0, 0).transactional(true);
        assertThat(appendRaw(log, Batches.of(transactional, owner.nowMs, "a")))
                .isInstanceOf(AppendOutcome.Appended.class);
        owner.settle();

        disk.refuseOpens(ALL);
        assertThat(appendRaw(log, abort())).isInstanceOf(AppendOutcome.StorageFull.class);
        disk.refuseOpens(0);
        assertThat(log.logEndOffset()).isEqualTo(1);
        assertThat(log.lastStableOffset(1)).isZero();
        assertThat(appendRaw(log, abort())).isInstanceOf(AppendOutcome.Appended.class);
        owner.settle();

        assertThat(log.flushedEndOffset()).isEqualTo(2);
        assertThat(LogContent.found(log.abortedTransactions(0, 2))).hasSize(1);
    }

    private static ByteBuffer abort() {
        return ControlRecords.endTransactionBatch(
                new EndTransactionMarker(false, 3), 9, (short) 0, 1_000_000);
    }

    private AppendOutcome appendRaw(PartitionLog log, ByteBuffer batch) {
        return log.append(batch, 1, AppendOrigin.COORDINATOR, owner.nowMs);
    }

    @Test
    void aSegmentThatCannotBeginIsTriedAgain() throws IOException {
        List<String> expected = new ArrayList<>();
        PartitionLog log = owner.loaded(ID, SMALL);

        for (int i = 0; i < 40; i++) {
            assertThat(append(log, "v" + i)).isInstanceOf(AppendOutcome.Appended.class);
            owner.settle();
            expected.add(i + ":v" + i);
            disk.refuseOpens(1);
            if (append(log, "v" + (i + 1)) instanceof AppendOutcome.Appended) {
                i++;
                expected.add(i + ":v" + i);
            }
            disk.refuseOpens(0);
            owner.settle();
        }

        assertThat(log.segmentCount()).isGreaterThan(5);
        assertThat(LogContent.records(log, 0, 10_000)).isEqualTo(expected);
        assertThat(log.flushedEndOffset()).isEqualTo(log.logEndOffset());
    }

    @Test
    void whatHasItsOffsetNeedsNoDescriptorToBeWritten() {
        List<PartitionLog> logs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            logs.add(owner.loaded(new PartitionId(ID.topicId(), "many", i), LogConfig.DEFAULTS));
            appended(logs.get(i), "a");
        }

        for (PartitionLog log : logs) {
            assertThat(append(log, "b")).isInstanceOf(AppendOutcome.Appended.class);
        }
        disk.refuseOpens(ALL);
        owner.shard.endTurn(owner.nowMs);
        disk.refuseOpens(0);
        owner.settle();

        assertThat(logs).allMatch(log -> log.flushedEndOffset() == 2);
        assertThat(disk.openFiles()).isLessThanOrEqualTo(4);
    }

    @Test
    void aSyncAndACheckpointWaitUntilThereIsOne() throws IOException {
        PartitionLog log = owner.loaded(ID, SMALL);
        for (int i = 0; i < 8; i++) {
            assertThat(append(log, "v" + i)).isInstanceOf(AppendOutcome.Appended.class);
        }
        owner.shard.endTurn(owner.nowMs);

        disk.refuseOpens(3);
        owner.settle();
        assertThat(log.flushedEndOffset()).isEqualTo(8);
        log.requestCheckpoint();
        disk.refuseOpens(1);
        owner.settle();
        log.requestCheckpoint();
        owner.settle();

        assertThat(log.recoveryPoint()).isEqualTo(8);
        owner.closeAll(log);
        owner = owner();
        assertThat(owner.directory.wasClean()).isTrue();
    }

    /// The requests hold a file each, and none is left for the small files and directories.
    @ParameterizedTest
    @CsvSource({"true, 0", "true, 1", "false, 0", "false, 1"})
    void syncsDoNotWaitForFilesThatTheyHoldThemselves(boolean syncsFileSystem, int othersTook)
            throws IOException {
        disk.syncsFileSystem(syncsFileSystem);
        owner = new ManualShard(disk, Path.of("/narrow"), OPTIONS, LOGS);
        List<PartitionLog> logs = new ArrayList<>();
        for (int i = 0; i < LOGS; i++) {
            logs.add(owner.loaded(new PartitionId(ID.topicId(), "many", i), LogConfig.DEFAULTS));
            assertThat(append(logs.get(i), "a")).isInstanceOf(AppendOutcome.Appended.class);
            logs.get(i).requestCheckpoint();
        }
        owner.shard.endTurn(owner.nowMs);
        owner.shard.io().openFiles().closeIdle();
        owner.shard.io().openFiles().closeIdle();
        assertThat(disk.openFiles()).as("held by the requests").isEqualTo(LOGS);

        disk.mostOpenFiles(LOGS - othersTook);
        assertTimeoutPreemptively(Duration.ofSeconds(20), owner::settle);

        assertThat(logs).allMatch(log -> log.flushedEndOffset() == 1);
        assertThat(disk.openFiles()).isZero();
    }

    private List<PartitionLog> cachedLogsWithoutFileSystemSync(int maxOpenFiles)
            throws IOException {
        disk.syncsFileSystem(false);
        owner = new ManualShard(disk, Path.of("/kept"), OPTIONS, maxOpenFiles);
        List<PartitionLog> logs = new ArrayList<>();
        for (int i = 0; i < LOGS; i++) {
            logs.add(owner.loaded(new PartitionId(ID.topicId(), "many", i), CACHED));
        }
        return logs;
    }

    /// Where a file must stay open until it is synced, and nobody waits for that.
    @Test
    void filesThatWaitForASyncDoNotBecomeMany() throws IOException {
        List<PartitionLog> logs = cachedLogsWithoutFileSystemSync(8);

        for (int i = 0; i < 5 * LOGS; i++) {
            appended(logs.get(i % LOGS), "v" + i);
            assertThat(disk.openFiles()).isLessThan(2 * 8);
        }

        assertThat(logs).allMatch(log -> log.offlineReason().isEmpty());
    }

    @Test
    void filesThatWaitForASyncGoWhenADescriptorIsMissing() throws IOException {
        List<PartitionLog> logs = cachedLogsWithoutFileSystemSync(2 * LOGS);
        for (PartitionLog log : logs.subList(1, LOGS)) {
            appended(log, "a");
        }
        owner.shard.io().openFiles().closeIdle();
        owner.shard.io().openFiles().closeIdle();
        assertThat(disk.openFiles()).as("that wait").isEqualTo(LOGS - 1);

        disk.mostOpenFiles(LOGS - 1);
        refused(logs.getFirst(), "a");
        appended(logs.getFirst(), "b");

        assertThat(logs.subList(1, LOGS)).allMatch(log -> log.flushedEndOffset() == 1);
    }

    private PartitionLog recoveredWithoutADescriptorToBegin(PartitionLog killed)
            throws IOException {
        disk.endProcess();
        owner = new ManualShard(disk, Path.of("/kept"), OPTIONS, 4);
        List<PartitionLog> loaded = new ArrayList<>();
        owner.directory.load(
                killed.id(),
                CACHED,
                owner.shard,
                new LogListener() {},
                owner.nowMs,
                outcome -> loaded.add(((LoadOutcome.Ready) outcome).log()));
        owner.laneTasks.remove().run();
        disk.refuseOpens(ALL);
        owner.settle();
        return loaded.getFirst();
    }

    @Test
    void aRecoveredLogThatCannotBeginYetIsUsedLater() throws IOException {
        PartitionLog log = cachedLogsWithoutFileSystemSync(4).getFirst();
        appended(log, "a");
        PartitionLog again = recoveredWithoutADescriptorToBegin(log);

        assertThat(append(again, "b")).isInstanceOf(AppendOutcome.Offline.class);
        again.flush();
        owner.settle();
        assertThat(again.flushedEndOffset()).isZero();
        disk.refuseOpens(0);
        owner.shard.sweep(owner.nowMs);
        owner.settle();

        appended(again, "c");
        again.flush();
        owner.settle();
        assertThat(again.offlineReason()).isEmpty();
        assertThat(again.flushedEndOffset()).isEqualTo(2);
        assertThat(LogContent.records(again, 0, 1000)).containsExactly("0:a", "1:c");
    }

    @Test
    void aRecoveredLogThatNeverBeganIsClosedOutOfOrder() throws IOException {
        PartitionLog log = cachedLogsWithoutFileSystemSync(4).getFirst();
        appended(log, "a");
        PartitionLog again = recoveredWithoutADescriptorToBegin(log);
        List<String> events = new ArrayList<>();

        again.close(() -> events.add("closed"));
        owner.settle();
        disk.refuseOpens(0);

        assertThat(events).containsExactly("closed");
        owner.directory.close(true);
        owner = new ManualShard(disk, Path.of("/kept"), OPTIONS, 4);
        assertThat(owner.directory.wasClean()).isFalse();
    }

    @Test
    void recoveryPointsAreWrittenLater() {
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        appended(log, "a");
        log.requestCheckpoint();
        owner.settle();
        List<String> told = new ArrayList<>();

        disk.refuseOpens(ALL);
        owner.directory.checkpoint();
        log.advanceLogStartOffset(
                1,
                new StartOutcome() {
                    @Override
                    public void onDurable() {
                        told.add("durable");
                    }

                    @Override
                    public void onFailed(IOException cause) {
                        told.add("failed");
                    }
                });
        owner.settle();
        disk.refuseOpens(0);
        owner.directory.checkSpace();
        owner.settle();

        assertThat(told).containsExactly("failed");
        assertThat(log.offlineReason()).isEmpty();
    }

    private void runShardTasks() {
        while (!owner.shardTasks.isEmpty()) {
            owner.shardTasks.remove().run();
        }
    }

    @Test
    void aLogThatRestsIsOpenedLater() throws IOException {
        PartitionLog closed = owner.loaded(ID, LogConfig.DEFAULTS);
        appended(closed, "a");
        owner.closeAll(closed);
        owner = owner();
        List<PartitionLog> loaded = new ArrayList<>();
        owner.directory.load(
                ID,
                LogConfig.DEFAULTS,
                owner.shard,
                new LogListener() {},
                owner.nowMs,
                outcome -> loaded.add(((LoadOutcome.Ready) outcome).log()));

        disk.refuseOpens(ALL);
        runShardTasks();
        PartitionLog log = loaded.getFirst();
        assertThat(append(log, "b")).isInstanceOf(AppendOutcome.Offline.class);
        assertThat(log.read(0, 1000, Long.MAX_VALUE, true)).isInstanceOf(ReadOutcome.Offline.class);
        assertThat(log.applyRetention(owner.nowMs, 1)).isZero();
        disk.refuseOpens(5);
        owner.settle();

        appended(log, "c");
        assertThat(log.offlineReason()).isEqualTo(Optional.empty());
        assertThat(LogContent.records(log, 0, 1000)).containsExactly("0:a", "1:c");
    }

    /// Whichever it is that finds none.
    @Test
    void aSingleOneThatIsMissingHarmsNothing() throws IOException {
        for (int after = 0; after < 80; after++) {
            Path root = Path.of("/data" + after);
            owner = new ManualShard(disk, root);
            List<PartitionLog> logs = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                logs.add(owner.loaded(new PartitionId(ID.topicId(), "many", i), SMALL));
            }
            disk.refuseOpens(after, 1);

            int refused = 0;
            for (int i = 0; i < 60; i++) {
                PartitionLog log = logs.get(i * 7 % logs.size());
                String value = "v" + log.logEndOffset();
                refused += append(log, value) instanceof AppendOutcome.Appended ? 0 : 1;
                if (i % 3 == 0) {
                    owner.settle();
                }
                if (i % 20 == 0) {
                    log.requestCheckpoint();
                }
            }
            owner.settle();
            disk.refuseOpens(0);

            assertThat(refused).as("refused after %d", after).isLessThanOrEqualTo(1);
            theDirectoryStaysOnline();
            logs.forEach(NoDescriptorTest::isWhole);
            disk.endProcess();
            owner = new ManualShard(disk, root);
            for (PartitionLog log : logs) {
                PartitionLog again = owner.loadedAtStart(log.id(), SMALL, new LogListener() {});
                assertThat(again.logEndOffset()).isEqualTo(log.logEndOffset());
                isWhole(again);
            }
        }
    }

    private static void isWhole(PartitionLog log) {
        assertThat(log.offlineReason()).isEmpty();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < log.logEndOffset(); i++) {
            expected.add(i + ":v" + i);
        }
        try {
            assertThat(LogContent.records(log, 0, 10_000)).isEqualTo(expected);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void recoveryWaitsUntilThereIsOne() throws IOException {
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        appended(log, "a");
        disk.endProcess();
        owner = owner();

        disk.refuseOpens(5);
        PartitionLog again = owner.loadedAtStart(ID, LogConfig.DEFAULTS, new LogListener() {});

        assertThat(LogContent.records(again, 0, 1000)).containsExactly("0:a");
    }
}

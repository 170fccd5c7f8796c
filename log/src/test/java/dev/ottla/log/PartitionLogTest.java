package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.log.producer.ProducerEntry;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PartitionLogTest {
    private static final PartitionId ID = new PartitionId(new Uuid(1, 2), "orders", 3);
    private static final Path ROOT = Path.of("/data");

    private final FakeDisk disk = new FakeDisk();

    private static AppendOutcome append(ManualShard owner, PartitionLog log, ByteBuffer batch) {
        return log.append(batch, 1, AppendOrigin.CLIENT, owner.nowMs);
    }

    @Test
    void appendedRecordsAreReadBackFromAnyOffsetOnARealDisk(@TempDir Path directory)
            throws IOException {
        readsBackFromAnyOffset(new FileDisk(), directory.resolve("data"), 200);
    }

    @Test
    void syncsOfTheWholeFileSystemServeTheSamePurpose(@TempDir Path directory) throws IOException {
        readsBackFromAnyOffset(new FileDisk(), directory.resolve("data"), 1);
    }

    @Test
    void appendedRecordsAreReadBackFromAnyOffset() throws IOException {
        readsBackFromAnyOffset(disk, ROOT, 200);
    }

    private static void readsBackFromAnyOffset(Disk disk, Path root, int syncTogetherFrom)
            throws IOException {
        DataDirectory.Options options =
                new DataDirectory.Options(2, syncTogetherFrom, 0, 0, 0, new Uuid(7, 7));
        ManualShard owner = new ManualShard(disk, root, options);
        LogConfig config = LogConfig.builder().segmentBytes(1000).indexIntervalBytes(100).build();
        PartitionLog log = owner.loaded(ID, config);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            append(owner, log, Batches.of(1000 + i, "a" + i, "b" + i));
            if (i % 3 == 0) {
                owner.settle();
            }
            expected.add(2 * i + ":a" + i);
            expected.add(2 * i + 1 + ":b" + i);
        }
        owner.settle();

        assertThat(log.logEndOffset()).isEqualTo(100);
        assertThat(log.flushedEndOffset()).isEqualTo(100);
        assertThat(log.segmentCount()).isGreaterThan(3);
        for (int from = 0; from < 100; from += 7) {
            assertThat(LogContent.records(log, from, 1)).isEqualTo(expected.subList(from, 100));
            assertThat(LogContent.records(log, from, 300)).isEqualTo(expected.subList(from, 100));
        }

        owner.closeAll(log);
        ManualShard next = new ManualShard(disk, root, options);
        assertThat(next.directory.wasClean()).isTrue();
        PartitionLog reopened = next.loaded(ID, config);
        assertThat(reopened.logEndOffset()).isEqualTo(100);
        assertThat(LogContent.records(reopened, 0, 500)).isEqualTo(expected);
        assertThat(next.directory.progress().bytesScanned()).isZero();
    }

    @Test
    void anEmptyLogHasNoDirectory() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        owner.settle();

        assertThat(disk.exists(ROOT.resolve("orders-3"))).isFalse();
        assertThat(log.read(0, 100, Long.MAX_VALUE, true)).isEqualTo(new ReadOutcome.AtEnd(0));
        assertThat(log.read(1, 100, Long.MAX_VALUE, true))
                .isEqualTo(new ReadOutcome.OutOfRange(0, 0));
    }

    @Test
    void aLogThatBeginsAnewBeforeItsFirstSyncIsThereAfterACrash() throws IOException {
        for (int seed = 0; seed < 10; seed++) {
            FakeDisk fresh = new FakeDisk();
            ManualShard owner = new ManualShard(fresh, ROOT);
            PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
            append(owner, log, Batches.of(1, "old"));

            log.truncateFullyAndStartAt(5);
            append(owner, log, Batches.of(1, "new"));
            owner.settle();

            assertThat(log.flushedEndOffset()).isEqualTo(6);
            fresh.crash(new Random(seed));
            PartitionLog reopened = new ManualShard(fresh, ROOT).loaded(ID, LogConfig.DEFAULTS);
            assertThat(LogContent.records(reopened, 5, 500)).containsExactly("5:new");
        }
    }

    @Test
    void aCheckpointOfRecordsThatWereCutTellsALaterCutOfNoProducers() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        for (int i = 0; i < 5; i++) {
            append(owner, log, Batches.of(new BatchBuilder().producer(9, (short) 0, i), 1, "v"));
        }
        log.requestCheckpoint();
        owner.shard.endTurn(owner.nowMs);
        log.truncateTo(1);
        while (!owner.laneTasks.isEmpty()) {
            owner.laneTasks.remove().run();
        }
        assertThat(disk.list(ROOT.resolve("orders-3"))).contains("%020d.snapshot".formatted(5));
        for (int i = 0; i < 6; i++) {
            append(owner, log, Batches.of(1, "v"));
        }

        log.truncateTo(6);

        assertThat(LogContent.found(log.activeProducers()))
                .singleElement()
                .extracting(ProducerEntry::lastSequence)
                .isEqualTo(0);
    }

    @Test
    void readsStopAtTheEndOffsetThatIsGiven() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        for (int i = 0; i < 40; i++) {
            append(owner, log, Batches.of(i, "v" + i));
        }
        owner.settle();

        for (long end = 1; end <= 40; end++) {
            ReadOutcome outcome = log.read(0, 100_000, end, true);
            assertThat(outcome).isInstanceOf(ReadOutcome.Batches.class);
            LogSlice slice = ((ReadOutcome.Batches) outcome).slice();
            assertThat(slice.sizeBytes() % 40)
                    .as("whole batches")
                    .isEqualTo(slice.sizeBytes() % 40);
            List<Long> offsets = new ArrayList<>();
            dev.ottla.record.RecordBatches.in(slice.readAll())
                    .forEach(batch -> offsets.add(batch.lastOffset()));
            assertThat(offsets.getLast()).isEqualTo(end - 1);
            slice.release();
        }
        assertThat(log.read(5, 100, 5, true)).isEqualTo(new ReadOutcome.AtEnd(5));
    }

    @Test
    void nothingCountsAsFlushedBeforeTheSyncIsDone() throws IOException {
        List<String> events = new ArrayList<>();
        LogListener listener =
                new LogListener() {
                    @Override
                    public void onWritten(PartitionLog log, long end) {
                        events.add("written " + end);
                    }

                    @Override
                    public void onFlushed(PartitionLog log, long end) {
                        events.add("flushed " + end);
                    }
                };
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS, listener);

        append(owner, log, Batches.of(1, "a", "b"));
        assertThat(log.writtenEndOffset()).isZero();
        owner.shard.endTurn(owner.nowMs);
        assertThat(events).containsExactly("written 2");
        assertThat(log.flushedEndOffset()).isZero();
        owner.settle();
        assertThat(events).containsExactly("written 2", "flushed 2");
    }

    @Test
    @Tag("config:flush.messages")
    @Tag("config:flush.ms")
    void underPageCacheASyncWaitsForMessagesOrTime() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        LogConfig config =
                LogConfig.builder()
                        .flushPolicy(FlushPolicy.PAGE_CACHE)
                        .flushMessages(3)
                        .flushMs(1000)
                        .build();
        PartitionLog log = owner.loaded(ID, config);
        append(owner, log, Batches.of(1, "a"));
        owner.settle();
        assertThat(log.writtenEndOffset()).isEqualTo(1);
        assertThat(log.flushedEndOffset()).isZero();

        append(owner, log, Batches.of(1, "b", "c"));
        owner.settle();
        assertThat(log.flushedEndOffset()).isEqualTo(3);

        append(owner, log, Batches.of(1, "d"));
        owner.settle();
        owner.nowMs += 1001;
        owner.shard.sweep(owner.nowMs);
        owner.settle();
        assertThat(log.flushedEndOffset()).isEqualTo(4);
    }

    @Test
    void aTornTailIsCutOffAfterAPowerLoss() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, Batches.of(1, "kept"));
        owner.settle();
        append(owner, log, Batches.of(1, "x".repeat(5000)));
        owner.shard.endTurn(owner.nowMs);

        disk.crash(new Random(3));

        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(next.directory.wasClean()).isFalse();
        PartitionLog recovered = next.loaded(ID, LogConfig.DEFAULTS);
        assertThat(LogContent.records(recovered, 0, 100).getFirst()).isEqualTo("0:kept");
        assertThat(recovered.logEndOffset()).isBetween(1L, 2L);
    }

    @Test
    void aDuplicateIsAnsweredWithItsFirstOffsets() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        assertThat(append(owner, log, sequenced(5, 0, 0, "a", "b")))
                .isEqualTo(new AppendOutcome.Appended(0, 1));
        assertThat(append(owner, log, sequenced(5, 0, 2, "c")))
                .isEqualTo(new AppendOutcome.Appended(2, 2));
        assertThat(append(owner, log, sequenced(5, 0, 0, "a", "b")))
                .isEqualTo(new AppendOutcome.Duplicate(0, 1, 77));
        assertThat(append(owner, log, sequenced(5, 0, 4, "e")))
                .isInstanceOf(AppendOutcome.OutOfOrderSequence.class);
        assertThat(append(owner, log, sequenced(5, 1, 3, "d")))
                .isInstanceOf(AppendOutcome.OutOfOrderSequence.class);
        assertThat(append(owner, log, sequenced(5, 1, 0, "d")))
                .isEqualTo(new AppendOutcome.Appended(3, 3));
        assertThat(append(owner, log, sequenced(5, 0, 3, "d")))
                .isInstanceOf(AppendOutcome.StaleProducerEpoch.class);
    }

    /// A producer may have five batches in flight, and sends all of them again when it missed the
    /// answers.
    @Test
    void aDuplicateIsKnownAfterARestart() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        for (int sequence = 0; sequence < 6; sequence++) {
            append(owner, log, sequenced(5, 0, sequence, "v"));
        }
        owner.settle();
        owner.closeAll(log);

        owner = new ManualShard(disk, ROOT);
        log = owner.loaded(ID, LogConfig.DEFAULTS);

        for (int sequence = 1; sequence < 6; sequence++) {
            assertThat(append(owner, log, sequenced(5, 0, sequence, "v")))
                    .isEqualTo(new AppendOutcome.Duplicate(sequence, sequence, 77));
        }
        assertThat(append(owner, log, sequenced(5, 0, 6, "next")))
                .isEqualTo(new AppendOutcome.Appended(6, 6));
    }

    private static ByteBuffer sequenced(
            long producerId, int epoch, int sequence, String... values) {
        return Batches.of(
                new BatchBuilder().producer(producerId, (short) epoch, sequence), 77, values);
    }

    @Test
    void highWatermarkThatWasNotedStaysAndFallsDurablyWithACut() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        for (int i = 0; i < 6; i++) {
            append(owner, log, Batches.of(1, "v"));
        }
        assertThat(log.notedHighWatermark()).isEmpty();
        log.noteHighWatermark(5);
        owner.directory.checkpoint();
        owner.settle();
        disk.crash(new SplittableRandom(1));
        owner = new ManualShard(disk, ROOT);
        log = owner.loaded(ID, LogConfig.DEFAULTS);
        assertThat(log.notedHighWatermark()).hasValue(5);

        log.truncateTo(3);
        append(owner, log, Batches.of(1, "other"));
        append(owner, log, Batches.of(1, "other"));
        disk.crash(new SplittableRandom(2));

        log = new ManualShard(disk, ROOT).loaded(ID, LogConfig.DEFAULTS);
        assertThat(log.notedHighWatermark()).hasValue(3);
    }

    @Test
    void highWatermarkOfADeletedLogIsNotThatOfTheNextOne() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, Batches.of(1, "v"));
        log.noteHighWatermark(1);
        log.delete();
        owner.settle();

        PartitionLog next = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, next, Batches.of(1, "v"));

        assertThat(next.notedHighWatermark()).isEmpty();
    }

    @Test
    void truncationDropsWholeBatchesEpochsAndProducerState() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        LogConfig config = LogConfig.builder().segmentBytes(300).indexIntervalBytes(50).build();
        PartitionLog log = owner.loaded(ID, config);
        for (int i = 0; i < 20; i++) {
            log.append(sequenced(5, 0, i, "v" + i), i / 5, AppendOrigin.CLIENT, owner.nowMs);
        }
        owner.settle();
        assertThat(LogContent.found(log.endOffsetForEpoch(1))).isEqualTo(new EpochEndOffset(1, 10));

        assertThat(log.truncateTo(12)).isEqualTo(12);

        assertThat(log.logEndOffset()).isEqualTo(12);
        assertThat(log.flushedEndOffset()).isEqualTo(12);
        assertThat(LogContent.found(log.latestEpoch())).isEqualTo(2);
        assertThat(LogContent.found(log.endOffsetForEpoch(3))).isEqualTo(EpochEndOffset.UNDEFINED);
        assertThat(append(owner, log, sequenced(5, 0, 12, "v12")))
                .isEqualTo(new AppendOutcome.Appended(12, 12));
        owner.settle();
        assertThat(LogContent.records(log, 10, 1)).containsExactly("10:v10", "11:v11", "12:v12");
    }

    @Test
    void retentionBySizeRemovesOldSegmentsAndTheirFiles() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        LogConfig config = LogConfig.builder().segmentBytes(300).retentionBytes(700).build();
        PartitionLog log = owner.loaded(ID, config);
        for (int i = 0; i < 40; i++) {
            append(owner, log, Batches.of(i, "v" + i));
        }
        owner.settle();
        int before = log.segmentCount();

        int removed = log.applyRetention(owner.nowMs, log.logEndOffset());
        owner.settle();

        assertThat(removed).isPositive();
        assertThat(log.segmentCount()).isEqualTo(before - removed);
        assertThat(log.sizeBytes()).isLessThan(700 + 300);
        assertThat(log.logStartOffset()).isPositive();
        assertThat(log.read(0, 100, Long.MAX_VALUE, true))
                .isInstanceOf(ReadOutcome.OutOfRange.class);
        long logFiles =
                disk.list(ROOT.resolve("orders-3")).stream()
                        .filter(name -> name.endsWith(".log"))
                        .count();
        assertThat(logFiles).isEqualTo(log.segmentCount());
    }

    @Test
    @Tag("config:file.delete.delay.ms")
    void filesOfASegmentStayForTheirDelayUnlessTheDiskIsFull() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        LogConfig config = LogConfig.builder().segmentBytes(300).fileDeleteDelayMs(1000).build();
        PartitionLog log = owner.loaded(ID, config);
        for (int i = 0; i < 40; i++) {
            append(owner, log, Batches.of(i, "v" + i));
        }
        log.advanceLogStartOffset(20, () -> {});
        owner.settle();
        long waiting = deletedFiles();
        assertThat(waiting).isPositive();

        owner.directory.removeDeletedFiles(owner.nowMs);
        owner.directory.removeDeletedFiles(owner.nowMs + 999);
        assertThat(deletedFiles()).isEqualTo(waiting);
        owner.directory.removeDeletedFiles(owner.nowMs + 1000);
        assertThat(deletedFiles()).isZero();

        log.advanceLogStartOffset(30, () -> {});
        owner.settle();
        assertThat(deletedFiles()).isPositive();
        owner.directory.onDiskFull();
        owner.directory.removeDeletedFiles(owner.nowMs + 1000);
        assertThat(deletedFiles()).isZero();
    }

    private long deletedFiles() throws IOException {
        return disk.list(ROOT.resolve("orders-3")).stream()
                .filter(name -> name.endsWith(".deleted"))
                .count();
    }

    @Test
    void retentionByTimeRollsAndRemovesEvenTheLastSegment() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.builder().retentionMs(100).build());
        append(owner, log, Batches.of(owner.nowMs, "v"));
        owner.settle();
        assertThat(log.applyRetention(owner.nowMs + 100, 1)).isZero();
        assertThat(log.applyRetention(owner.nowMs + 101, 0))
                .as("above the high watermark")
                .isZero();

        assertThat(log.applyRetention(owner.nowMs + 101, 1)).isEqualTo(1);
        owner.settle();

        assertThat(log.logStartOffset()).isEqualTo(1);
        assertThat(log.logEndOffset()).isEqualTo(1);
        assertThat(append(owner, log, Batches.of(owner.nowMs, "w")))
                .isEqualTo(new AppendOutcome.Appended(1, 1));
        owner.settle();
        assertThat(LogContent.records(log, 1, 100)).containsExactly("1:w");
    }

    @Test
    void theLogStartOffsetIsDurableWhenTheCallerHears() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, Batches.of(1, "a"));
        append(owner, log, Batches.of(1, "b"));
        owner.settle();
        List<String> events = new ArrayList<>();
        log.advanceLogStartOffset(1, () -> events.add("done"));
        assertThat(events).isEmpty();
        owner.settle();
        assertThat(events).containsExactly("done");

        disk.crash(new Random(1));

        PartitionLog recovered = new ManualShard(disk, ROOT).loaded(ID, LogConfig.DEFAULTS);
        assertThat(recovered.logStartOffset()).isEqualTo(1);
        assertThat(LogContent.records(recovered, 1, 10)).containsExactly("1:b");
    }

    @Test
    void recordsAreFoundByTime() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        LogConfig config = LogConfig.builder().segmentBytes(400).indexIntervalBytes(80).build();
        PartitionLog log = owner.loaded(ID, config);
        for (int i = 0; i < 30; i++) {
            append(owner, log, Batches.of(1000 + 10 * i, "v" + i));
        }
        append(owner, log, Batches.of(5, "late"));
        owner.settle();

        assertThat(LogContent.found(log.offsetForTimestamp(0, 100)))
                .contains(new TimestampedOffset(0, 1000, 1));
        assertThat(LogContent.found(log.offsetForTimestamp(1105, 100)))
                .contains(new TimestampedOffset(11, 1110, 1));
        assertThat(LogContent.found(log.offsetForTimestamp(1290, 100)))
                .contains(new TimestampedOffset(29, 1290, 1));
        assertThat(LogContent.found(log.offsetForTimestamp(1291, 100))).isEmpty();
        assertThat(LogContent.found(log.maxTimestampOffset(100)))
                .contains(new TimestampedOffset(29, 1290, 1));
    }

    @Test
    void aFailedSyncTakesTheDirectoryOfflineAndAcknowledgesNothing() throws IOException {
        List<String> events = new ArrayList<>();
        LogListener listener =
                new LogListener() {
                    @Override
                    public void onFlushed(PartitionLog log, long end) {
                        events.add("flushed " + end);
                    }

                    @Override
                    public void onOffline(PartitionLog log, String reason) {
                        events.add("offline");
                    }
                };
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS, listener);
        append(owner, log, Batches.of(1, "a"));
        disk.failSyncs(true);
        owner.settle();
        disk.failSyncs(false);
        owner.settle();

        assertThat(events).containsExactly("offline");
        assertThat(owner.directory.offlineReason()).isPresent();
        assertThat(append(owner, log, Batches.of(1, "b")))
                .isInstanceOf(AppendOutcome.Offline.class);
        assertThat(log.read(0, 10, 10, true)).isInstanceOf(ReadOutcome.Offline.class);
    }

    @Test
    void aFullDiskDropsWhatHasNoRoomAndReadsGoOn() throws IOException {
        List<String> events = new ArrayList<>();
        LogListener listener =
                new LogListener() {
                    @Override
                    public void onDropped(PartitionLog log, long from) {
                        events.add("dropped from " + from);
                    }
                };
        ManualShard owner =
                new ManualShard(
                        disk,
                        ROOT,
                        new DataDirectory.Options(1, 5_000, 8_000, 4_000, new Uuid(7, 7)));
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS, listener);
        append(owner, log, sequenced(5, 0, 0, "a"));
        owner.settle();
        disk.capacity(5_000);

        append(owner, log, sequenced(5, 0, 1, "x".repeat(3000)));
        owner.settle();

        assertThat(events).containsExactly("dropped from 1");
        assertThat(log.logEndOffset()).isEqualTo(1);
        assertThat(owner.directory.offlineReason()).isEmpty();
        assertThat(append(owner, log, sequenced(5, 0, 1, "b")))
                .isInstanceOf(AppendOutcome.StorageFull.class);
        assertThat(LogContent.records(log, 0, 10)).containsExactly("0:a");

        disk.capacity(1_000_000);
        owner.directory.checkSpace();
        assertThat(append(owner, log, sequenced(5, 0, 1, "b")))
                .isEqualTo(new AppendOutcome.Appended(1, 1));
        owner.settle();
        assertThat(LogContent.records(log, 0, 10)).containsExactly("0:a", "1:b");
    }

    @Test
    void whatFoundNoRoomAtAllLeavesNoHole() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, Batches.of(1, "a"));
        owner.settle();
        disk.capacity(1);
        append(owner, log, Batches.of(2, "dropped"));
        owner.settle();
        disk.capacity(1_000_000);
        owner.directory.checkSpace();

        append(owner, log, Batches.of(3, "b"));
        owner.settle();
        owner.closeAll(log);

        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(LogContent.records(next.loaded(ID, LogConfig.DEFAULTS), 0, 10))
                .containsExactly("0:a", "1:b");
    }

    /// Its owner would else hear twice of one offset.
    @Test
    void droppedOffsetsAreNotGivenAgainBeforeTheOwnerKnows() throws IOException {
        List<String> events = new ArrayList<>();
        LogListener listener =
                new LogListener() {
                    @Override
                    public void onWritten(PartitionLog log, long end) {
                        events.add("written to " + end);
                    }

                    @Override
                    public void onDropped(PartitionLog log, long from) {
                        events.add("dropped from " + from);
                    }
                };
        ManualShard owner = new ManualShard(disk, ROOT);
        LogConfig config = LogConfig.builder().segmentBytes(300).build();
        PartitionLog log = owner.loaded(ID, config, listener);
        append(owner, log, Batches.of(1, "a"));
        owner.settle();
        disk.capacity(1);
        append(owner, log, Batches.of(1, "b".repeat(90)));
        ByteBuffer needsASegment = Batches.of(1, "c".repeat(90));

        assertThat(append(owner, log, needsASegment)).isInstanceOf(AppendOutcome.StorageFull.class);
        disk.capacity(1_000_000);
        owner.directory.checkSpace();
        assertThat(append(owner, log, Batches.of(1, "d")))
                .isInstanceOf(AppendOutcome.StorageFull.class);
        owner.shard.endTurn(owner.nowMs);
        assertThat(append(owner, log, Batches.of(1, "e")))
                .isEqualTo(new AppendOutcome.Appended(1, 1));
        owner.settle();

        assertThat(events).containsExactly("written to 1", "dropped from 1", "written to 2");
        assertThat(LogContent.records(log, 0, 10)).containsExactly("0:a", "1:e");
    }

    @Test
    void aLogThatHasNothingToDoKeepsNothingForIt() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, Batches.of(1, "a"));
        owner.settle();
        owner.shard.sweep(owner.nowMs);
        owner.nowMs += 10 * 60_000;
        owner.shard.sweep(owner.nowMs);
        owner.settle();

        assertThat(log.recoveryPoint()).isEqualTo(1);
        assertThat(log.tail()).isEmpty();
        append(owner, log, Batches.of(1, "b"));
        owner.settle();
        assertThat(LogContent.records(log, 0, 10)).containsExactly("0:a", "1:b");
    }

    @Test
    void aSliceOutlivesTheDeletionOfItsSegment() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        append(owner, log, Batches.of(1, "a"));
        owner.settle();
        LogSlice slice = ((ReadOutcome.Batches) log.read(0, 100, 1, true)).slice();

        log.delete();
        owner.settle();

        assertThat(disk.list(ROOT)).noneMatch(name -> name.startsWith("orders"));
        assertThat(slice.readAll().remaining()).isEqualTo(slice.sizeBytes());
        slice.release();
    }

    @Test
    void aSecondOpeningOfADirectoryIsRefused() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> new ManualShard(disk, ROOT))
                .isInstanceOf(DirectoryException.class)
                .hasMessageContaining("in use by another process");
        owner.directory.close(false);
        new ManualShard(disk, ROOT);
    }
}

package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Bytes on disk that are not what was written: one log suffers, is repaired where that loses
/// nothing, and the others serve on.
final class LogDamageTest {
    private static final Path ROOT = Path.of("/data");
    private static final PartitionId GOOD = new PartitionId(new Uuid(1, 1), "good", 0);
    private static final PartitionId BAD = new PartitionId(new Uuid(1, 2), "bad", 0);
    private static final Path BAD_PATH = ROOT.resolve("bad-0");
    private static final LogConfig CONFIG =
            LogConfig.builder().segmentBytes(1000).indexIntervalBytes(150).build();
    private static final int RECORDS = 40;

    private final FakeDisk disk = new FakeDisk();
    private final List<String> expected = new ArrayList<>();

    @BeforeEach
    void writeTwoLogs() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog good = owner.loaded(GOOD, CONFIG);
        PartitionLog bad = owner.loaded(BAD, CONFIG);
        for (int i = 0; i < RECORDS; i++) {
            append(good, i, owner.nowMs);
            append(bad, i, owner.nowMs);
            expected.add(i + ":value " + i);
        }
        owner.closeAll(good, bad);
    }

    private static void append(PartitionLog log, int i, long nowMs) {
        BatchBuilder builder = new BatchBuilder().producer(5, (short) 0, i);
        assertThat(
                        log.append(
                                Batches.of(builder, 1000 + i, "value " + i),
                                i / 15,
                                AppendOrigin.CLIENT,
                                nowMs))
                .isEqualTo(new AppendOutcome.Appended(i, i));
    }

    private static String name(long offset, String suffix) {
        return "%020d%s".formatted(offset, suffix);
    }

    private void assertGoodServes(ManualShard owner) throws IOException {
        PartitionLog good = owner.loaded(GOOD, CONFIG);
        assertThat(LogContent.records(good, 0, 500)).isEqualTo(expected);
    }

    private PartitionLog assertRepaired(String words) throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        LoadOutcome outcome = owner.load(BAD, CONFIG, new LogListener() {});
        assertThat(outcome).isInstanceOf(LoadOutcome.Ready.class);
        LoadOutcome.Ready ready = (LoadOutcome.Ready) outcome;
        assertThat(String.join("; ", ready.repairs())).contains(words);
        assertThat(LogContent.records(ready.log(), 0, 500)).isEqualTo(expected);
        assertThat(LogContent.found(ready.log().endOffsetForEpoch(1)))
                .isEqualTo(new EpochEndOffset(1, 30));
        assertThat(LogContent.found(ready.log().offsetForTimestamp(1017, 100)))
                .contains(new TimestampedOffset(17, 1017, 1));
        append(ready.log(), RECORDS, owner.nowMs);
        owner.settle();
        assertThat(ready.log().flushedEndOffset()).isEqualTo(RECORDS + 1);
        assertGoodServes(owner);
        return ready.log();
    }

    @Test
    void aMissingIndexIsRebuilt() throws IOException {
        disk.delete(BAD_PATH.resolve(name(0, ".index")));
        assertRepaired("is read again");
    }

    @Test
    void anIndexOfBrokenLengthIsRebuilt() throws IOException {
        Path index = BAD_PATH.resolve(name(0, ".timeindex"));
        DiskIo.write(disk, index, ByteBuffer.wrap(new byte[31]));
        assertRepaired("is read again");
    }

    @Test
    void aDamagedEpochFileIsRebuiltFromTheBatches() throws IOException {
        DiskIo.replaceText(disk, BAD_PATH.resolve("leader-epoch-checkpoint"), "0\n5\n1 x\n");
        assertRepaired("leader-epoch-checkpoint was damaged");
    }

    @Test
    void aDamagedProducerSnapshotIsReplacedByAReplay() throws IOException {
        disk.damage(BAD_PATH.resolve(name(RECORDS, ".snapshot")), 12);
        PartitionLog log = assertRepaired("");
        assertThat(LogContent.found(log.activeProducers())).hasSize(1);
    }

    @Test
    void damagedCheckpointsOfTheDirectoryMeanReadingAllAgain() throws IOException {
        DiskIo.replaceText(disk, ROOT.resolve("recovery-point-offset-checkpoint"), "0\n1\n");
        assertRepaired("");
    }

    @Test
    void aLogThatLostRecordsFromDiskFailsAlone() throws IOException {
        // The last segment loses its second half, although the clean stop had it on disk.
        Path last = BAD_PATH.resolve(lastLog());
        int size = (int) disk.sizeBytes(last);
        try (var file = disk.open(last, Disk.OpenMode.WRITE)) {
            file.truncate(size / 2);
            file.sync();
        }

        ManualShard owner = new ManualShard(disk, ROOT);
        LoadOutcome outcome = owner.load(BAD, CONFIG, new LogListener() {});

        assertThat(outcome).isInstanceOf(LoadOutcome.Failed.class);
        assertThat(((LoadOutcome.Failed) outcome).reason()).contains("bad-0").contains("are lost");
        assertThat(disk.sizeBytes(last)).as("nothing is touched").isEqualTo(size / 2);
        assertThat(owner.directory.offlineReason()).isEmpty();
        assertThat(owner.directory.progress().logsFailed()).isEqualTo(1);
        assertGoodServes(owner);
    }

    private String lastLog() throws IOException {
        return disk.list(BAD_PATH).stream()
                .filter(name -> name.endsWith(".log"))
                .max(String::compareTo)
                .orElseThrow();
    }

    @Test
    void aDamagedBatchIsNotReadAndTheRestServesOn() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(BAD, CONFIG);
        // The magic of the second batch in the first segment.
        LogSlice first = ((ReadOutcome.Batches) log.read(0, 1, 100, true)).slice();
        disk.damage(BAD_PATH.resolve(name(0, ".log")), first.sizeBytes() + 16);
        first.release();

        assertThat(log.read(1, 1, 100, true)).isInstanceOf(ReadOutcome.Offline.class);
        assertThat(log.read(0, 1, 100, true)).isInstanceOf(ReadOutcome.Batches.class);
        assertThat(LogContent.records(log, 20, 500)).isEqualTo(expected.subList(20, RECORDS));
        append(log, RECORDS, owner.nowMs);
        assertThat(log.offlineReason()).isEmpty();
        assertGoodServes(owner);
    }

    @Test
    void whatALookUpCannotReadIsNotTakenForNothing() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(BAD, CONFIG);
        LogSlice first = ((ReadOutcome.Batches) log.read(0, 1, 100, true)).slice();
        disk.damage(BAD_PATH.resolve(name(0, ".log")), first.sizeBytes() + 16);
        first.release();
        Path aborted = BAD_PATH.resolve(name(0, ".txnindex"));
        DiskIo.write(disk, aborted, ByteBuffer.wrap(new byte[31]));

        assertThat(log.offsetForTimestamp(1001, 100)).isInstanceOf(LookupOutcome.Offline.class);
        assertThat(log.abortedTransactions(0, 100)).isInstanceOf(LookupOutcome.Offline.class);
        assertThat(LogContent.found(log.offsetForTimestamp(1025, 100)))
                .contains(new TimestampedOffset(25, 1025, 1));

        owner.directory.fail(new IOException("planted"));
        owner.settle();
        assertThat(log.offsetForTimestamp(1025, 100)).isInstanceOf(LookupOutcome.Offline.class);
        assertThat(log.maxTimestampOffset(100)).isInstanceOf(LookupOutcome.Offline.class);
    }

    @Test
    void damageBehindTheRecoveryPointIsCutOff() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(BAD, CONFIG);
        append(log, RECORDS, owner.nowMs);
        owner.settle();
        int position = (int) log.segments().last().sizeBytes() - 3;
        disk.crash(new Random(1));
        disk.damage(BAD_PATH.resolve(lastLog()), position);

        LoadOutcome outcome = new ManualShard(disk, ROOT).load(BAD, CONFIG, new LogListener() {});

        LoadOutcome.Ready ready = (LoadOutcome.Ready) outcome;
        assertThat(String.join("", ready.repairs()))
                .contains("checksum of the batch at offset " + RECORDS);
        assertThat(LogContent.records(ready.log(), 0, 500)).isEqualTo(expected);
    }

    private String assertFails(ManualShard owner) throws IOException {
        LoadOutcome outcome = owner.load(BAD, CONFIG, new LogListener() {});
        assertThat(outcome).isInstanceOf(LoadOutcome.Failed.class);
        assertThat(owner.directory.offlineReason()).isEmpty();
        return ((LoadOutcome.Failed) outcome).reason();
    }

    private String middleLog() throws IOException {
        List<String> names =
                disk.list(BAD_PATH).stream()
                        .filter(name -> name.endsWith(".log"))
                        .sorted()
                        .toList();
        assertThat(names).hasSizeGreaterThan(2);
        return names.get(1);
    }

    @Test
    void aMissingSegmentIsNoticedUntilItIsBack() throws IOException {
        Path middle = BAD_PATH.resolve(middleLog());
        Path elsewhere = BAD_PATH.resolve("kept");
        disk.rename(middle, elsewhere);

        for (int start = 0; start < 2; start++) {
            ManualShard owner = new ManualShard(disk, ROOT);
            assertThat(assertFails(owner))
                    .contains(BAD_PATH.toString())
                    .contains("records that were on disk are lost")
                    .contains("Put the files back");
            PartitionLog good = owner.loaded(GOOD, CONFIG);
            assertThat(LogContent.records(good, 0, 500)).isEqualTo(expected);
            owner.closeAll(good);
        }
        new ManualShard(disk, ROOT).directory.close(false); // As if it was killed.
        disk.rename(elsewhere, middle);
        assertRepaired("");
    }

    @Test
    void whatIsLeftIsServedWhenTheOperatorSaysSo() throws IOException {
        disk.delete(BAD_PATH.resolve(middleLog()));
        ManualShard owner = new ManualShard(disk, ROOT);
        assertFails(owner);
        owner.closeAll(owner.loaded(GOOD, CONFIG));
        disk.delete(ROOT.resolve(SegmentTally.NAME));

        ManualShard next = new ManualShard(disk, ROOT);
        PartitionLog log = next.loaded(BAD, CONFIG);
        assertThat(LogContent.records(log, 0, 500))
                .hasSizeLessThan(RECORDS)
                .contains("0:value 0", "39:value 39");
    }

    @Test
    void aCutSegmentInTheMiddleIsNoticed() throws IOException {
        try (var file = disk.open(BAD_PATH.resolve(middleLog()), Disk.OpenMode.WRITE)) {
            file.truncate(100);
            file.sync();
        }

        ManualShard owner = new ManualShard(disk, ROOT);
        assertThat(assertFails(owner)).contains("are lost");
        assertGoodServes(owner);
    }

    @Test
    void segmentsThatWentByThemselvesAreNotMissed() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(BAD, CONFIG);
        log.advanceLogStartOffset(25, () -> {});
        owner.settle();
        owner.closeAll(log);

        ManualShard next = new ManualShard(disk, ROOT);
        log = next.loaded(BAD, CONFIG);
        append(log, RECORDS, next.nowMs);
        next.settle();
        disk.crash(new Random(1));

        assertThat(new ManualShard(disk, ROOT).loaded(BAD, CONFIG).logEndOffset())
                .isEqualTo(RECORDS + 1);
    }

    /// Its start was moved to its end, and a segment was begun there later.
    @Test
    void segmentsBeforeTheLogsStartAreNotMissed() throws IOException {
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(BAD, CONFIG);
        log.advanceLogStartOffset(RECORDS, () -> {});
        owner.settle();
        int before = log.segmentCount();
        for (int i = 0; log.segmentCount() == before; i++) {
            log.updateConfig(LogConfig.builder().segmentBytes(200).build());
            append(log, RECORDS + i, owner.nowMs);
        }
        owner.settle();
        owner.closeAll(log);

        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(next.loaded(BAD, CONFIG).logEndOffset()).isEqualTo(log.logEndOffset());
    }

    /// Compaction leaves gaps, and Kafka may have removed segments while it used the directory.
    @Test
    void gapsThatAnotherBrokerMadeAreNoDamage() throws IOException {
        DiskIo.replaceText(
                disk, ROOT.resolve(".kafka_cleanshutdown"), "{\"version\":0,\"brokerEpoch\":-1}");
        disk.delete(BAD_PATH.resolve(middleLog()));

        ManualShard owner = new ManualShard(disk, ROOT);
        assertThat(owner.directory.wasClean()).isTrue();
        assertThat(owner.loaded(BAD, CONFIG).logEndOffset()).isEqualTo(RECORDS);
    }

    @Test
    void aZeroedLastSegmentFailsAloneAndAZeroedMiddleOneServesTheRest() throws IOException {
        zero(BAD_PATH.resolve(middleLog()));
        ManualShard owner = new ManualShard(disk, ROOT);
        PartitionLog log = owner.loaded(BAD, CONFIG);
        long middle = log.segments().at(1).baseOffset();
        assertThat(log.read(middle, 100, 100, true)).isInstanceOf(ReadOutcome.Offline.class);
        assertThat(LogContent.records(log, 35, 100)).isEqualTo(expected.subList(35, RECORDS));
        assertThat(log.read(0, 100, middle, true)).isInstanceOf(ReadOutcome.Batches.class);
        owner.closeAll(log);

        zero(BAD_PATH.resolve(lastLog()));
        ManualShard next = new ManualShard(disk, ROOT);
        assertThat(assertFails(next)).contains(BAD_PATH.toString()).contains("are lost");
        assertGoodServes(next);
    }

    private void zero(Path file) throws IOException {
        int size = (int) disk.sizeBytes(file);
        try (var opened = disk.open(file, Disk.OpenMode.WRITE)) {
            opened.write(ByteBuffer.allocate(size), 0);
            opened.sync();
        }
    }

    @Test
    void aMissingDirectoryIsNotBegunAnew() throws IOException {
        DiskIo.deleteRecursively(disk, BAD_PATH);

        ManualShard owner = new ManualShard(disk, ROOT);
        assertThat(owner.directory.missingPartitions())
                .containsExactly(new DataDirectory.StoredPartition("bad", 0, Optional.empty()));
        assertThat(assertFails(owner)).contains(BAD_PATH + " is missing").contains("offset 40");
        assertGoodServes(owner);

        owner.directory.deleteUnopened(BAD);
        assertThat(owner.directory.missingPartitions()).isEmpty();
        assertThat(owner.loaded(BAD, CONFIG).logEndOffset()).isZero();
    }
}

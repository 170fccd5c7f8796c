package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A log that nobody has looked at since a clean stop: what it may cost the shard, and what it
/// answers when its files are not as they were left.
final class RestingLogTest {
    private static final PartitionId ID = new PartitionId(new Uuid(1, 2), "t", 0);
    private static final Path ROOT = Path.of("/data");
    private static final Path LOG = ROOT.resolve("t-0");
    private static final String SEGMENT = "00000000000000000000";
    private static final int BATCHES = 40;

    private final FakeDisk disk = new FakeDisk();
    private final List<String> failures = new ArrayList<>();
    private final List<Path> listed = new ArrayList<>();
    private ManualShard owner = newOwner();

    private ManualShard newOwner() {
        try {
            return new ManualShard(disk, ROOT);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ByteBuffer batch(int valueBytes, int number) {
        BatchBuilder builder = new BatchBuilder().producer(9, (short) 0, number);
        return Batches.of(builder, 1_000_000, "v".repeat(valueBytes));
    }

    /// Closes a log of some batches, and starts again without a look at it.
    private PartitionLog resting(LogConfig config, int valueBytes, Damage damage)
            throws IOException {
        PartitionLog log = owner.loaded(ID, config);
        for (int i = 0; i < BATCHES; i++) {
            assertThat(log.append(batch(valueBytes, i), 1, AppendOrigin.CLIENT, owner.nowMs))
                    .isInstanceOf(AppendOutcome.Appended.class);
        }
        owner.settle();
        owner.closeAll(log);
        damage.run();
        owner = newOwner();
        return startWithoutLane(config);
    }

    private interface Damage {
        void run() throws IOException;
    }

    private PartitionLog startWithoutLane(LogConfig config) {
        List<PartitionLog> loaded = new ArrayList<>();
        LogListener listener =
                new LogListener() {
                    @Override
                    public void onOffline(PartitionLog log, String reason) {
                        failures.add(reason);
                    }
                };
        owner.directory.load(
                ID,
                config,
                owner.shard,
                listener,
                owner.nowMs,
                outcome -> loaded.add(((LoadOutcome.Ready) outcome).log()));
        owner.shardTasks.remove().run();
        assertThat(loaded.getFirst().isResting()).isTrue();
        disk.onList(listed::add);
        return loaded.getFirst();
    }

    private void assertNothingIsKnown(PartitionLog log) {
        assertThat(log.endOffsetForEpoch(1)).isInstanceOf(LookupOutcome.Offline.class);
        assertThat(log.epochAt(0)).isInstanceOf(LookupOutcome.Offline.class);
        assertThat(log.latestEpoch()).isInstanceOf(LookupOutcome.Offline.class);
        assertThat(log.activeProducers()).isInstanceOf(LookupOutcome.Offline.class);
        assertThat(log.offsetForTimestamp(0, BATCHES)).isInstanceOf(LookupOutcome.Offline.class);
        assertThat(log.read(0, 100, BATCHES, true)).isInstanceOf(ReadOutcome.Offline.class);
        assertThat(log.append(batch(1, BATCHES), 1, AppendOrigin.CLIENT, owner.nowMs))
                .isInstanceOf(AppendOutcome.Offline.class);
    }

    private void assertAllIsKnown(PartitionLog log) throws IOException {
        assertThat(log.offlineReason()).isEmpty();
        assertThat(LogContent.found(log.endOffsetForEpoch(1)))
                .isEqualTo(new EpochEndOffset(1, BATCHES));
        assertThat(LogContent.found(log.activeProducers())).hasSize(1);
        assertThat(LogContent.records(log, 0, 100)).hasSize(BATCHES);
        assertThat(log.append(batch(1, BATCHES), 1, AppendOrigin.CLIENT, owner.nowMs))
                .isInstanceOf(AppendOutcome.Appended.class);
    }

    @Test
    void aLogWhoseFilesAreGoneKnowsNothingRatherThanNoEpochs() throws IOException {
        PartitionLog log =
                resting(LogConfig.DEFAULTS, 1, () -> disk.delete(LOG.resolve(SEGMENT + ".log")));

        assertNothingIsKnown(log);
        assertThat(failures).isEmpty();
        owner.settle();

        assertThat(failures).singleElement().asString().contains("records that were on disk");
        assertNothingIsKnown(log);
    }

    /// With what is torn, missing or left over the shard does nothing; the lane puts it right.
    @Test
    void aLogThatIsNotAsItWasLeftIsRepairedByTheLaneAlone() throws IOException {
        Path snapshot = LOG.resolve("%020d.snapshot".formatted(BATCHES));
        List<Damage> damages =
                List.of(
                        () -> write(LOG.resolve(SEGMENT + ".index"), 13),
                        () -> write(LOG.resolve(SEGMENT + ".timeindex"), 13),
                        () -> disk.delete(LOG.resolve(SEGMENT + ".index")),
                        () -> write(snapshot, 5),
                        () -> write(LOG.resolve("leader-epoch-checkpoint"), 3),
                        () -> write(LOG.resolve("%020d.log.deleted".formatted(7)), 3));
        for (Damage damage : damages) {
            PartitionLog log = resting(LogConfig.DEFAULTS, 5000, damage);
            long operations = disk.operations();

            assertNothingIsKnown(log);

            assertThat(owner.directory.progress().bytesScanned()).isZero();
            assertThat(disk.operations()).isEqualTo(operations);
            assertThat(disk.openFiles()).isZero();
            owner.settle();
            assertAllIsKnown(log);
            owner.settle();
            log.delete();
            owner.settle();
            owner.closeAll();
            owner = newOwner();
        }
    }

    private void write(Path file, int bytes) throws IOException {
        disk.delete(file);
        DiskIo.write(disk, file, ByteBuffer.allocate(bytes));
    }

    @Test
    void aLogOfWhichMuchMustBeReadIsOpenedByTheLane() throws IOException {
        LogConfig config = LogConfig.builder().indexIntervalBytes(1 << 30).build();
        PartitionLog log = resting(config, LogLook.MAX_BYTES / BATCHES, () -> {});

        assertNothingIsKnown(log);
        owner.settle();

        assertAllIsKnown(log);
    }

    @Test
    void aLogThatIsAsItWasLeftIsOpenedByTheShard() throws IOException {
        assertAllIsKnown(resting(LogConfig.DEFAULTS, 5000, () -> {}));
    }

    @Test
    void closingALogThatRestsDoesNotOpenIt() throws IOException {
        PartitionLog log = resting(LogConfig.DEFAULTS, 1, () -> {});

        log.close(() -> {});
        assertNothingIsKnown(log);
        owner.settle();

        assertNothingIsKnown(log);
        assertThat(listed).isEmpty();
        owner.directory.close(true);
        owner = newOwner();
        assertThat(owner.directory.wasClean()).isTrue();
        assertAllIsKnown(startWithoutLane(LogConfig.DEFAULTS));
    }

    @Test
    void deletingALogThatRestsDoesNotOpenIt() throws IOException {
        PartitionLog log = resting(LogConfig.DEFAULTS, 1, () -> {});

        log.delete();

        assertThat(listed).doesNotContain(LOG);
        assertThat(disk.exists(LOG)).isFalse();
        owner.settle();
        assertThat(disk.list(ROOT)).noneMatch(name -> name.startsWith("t-0"));
        assertNothingIsKnown(log);
    }

    /// What the shard does while the lane is in the log's directory.
    private void duringTheVisit(Runnable action) {
        disk.onList(directory -> {
            disk.onList(listed::add);
            action.run();
            while (!owner.shardTasks.isEmpty()) {
                owner.shardTasks.remove().run();
            }
        });
        owner.laneTasks.remove().run();
    }

    @Test
    void aLogThatIsClosedDuringTheVisitIsClosedAfterIt() throws IOException {
        for (Damage damage :
                List.<Damage>of(() -> {}, () -> write(LOG.resolve(SEGMENT + ".index"), 13))) {
            PartitionLog log = resting(LogConfig.DEFAULTS, 5000, damage);
            List<String> events = new ArrayList<>();

            duringTheVisit(() -> log.close(() -> events.add("closed")));
            assertThat(events).isEmpty();
            owner.settle();

            assertThat(events).containsExactly("closed");
            owner.directory.close(true);
            owner = newOwner();
            assertThat(owner.directory.wasClean()).isTrue();
            PartitionLog next = startWithoutLane(LogConfig.DEFAULTS);
            assertAllIsKnown(next);
            owner.settle();
            next.delete();
            owner.settle();
            owner.closeAll();
            owner = newOwner();
        }
    }

    @Test
    void aLogThatIsDeletedDuringTheVisitGoesAfterIt() throws IOException {
        PartitionLog log = resting(LogConfig.DEFAULTS, 5000, () -> {});
        List<Boolean> there = new ArrayList<>();

        duringTheVisit(() -> {
            log.delete();
            there.add(disk.exists(LOG));
        });

        assertThat(there).containsExactly(true);
        assertThat(disk.exists(LOG)).isFalse();
        owner.settle();
        assertThat(disk.list(ROOT)).noneMatch(name -> name.startsWith("t-0"));
        assertThat(failures).isEmpty();
    }

    @Test
    void anErrorDuringTheVisitTakesTheLogOffline() throws IOException {
        PartitionLog log = resting(LogConfig.DEFAULTS, 5, () -> {});
        disk.onList(directory -> {
            throw new OutOfMemoryError("Cannot reserve direct buffer memory");
        });

        assertThatThrownBy(owner::settle).isInstanceOf(OutOfMemoryError.class);
        disk.onList(listed::add);
        owner.settle();

        assertThat(log.offlineReason().orElseThrow()).contains("direct buffer memory");
        assertThat(failures).hasSize(1);
    }

    @Test
    void aLogThatFollowsUnderTheNameIsRefusedUntilTheVisitIsOver() throws IOException {
        PartitionLog log = resting(LogConfig.DEFAULTS, 5000, () -> {});
        PartitionId id = new PartitionId(new Uuid(8, 8), ID.topic(), ID.partition());
        List<PartitionLog> next = new ArrayList<>();
        List<AppendOutcome> outcomes = new ArrayList<>();

        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () ->
                        duringTheVisit(() -> {
                            log.delete();
                            next.add(owner.loaded(id, LogConfig.DEFAULTS));
                            outcomes.add(appended(next.getFirst()));
                        }));
        owner.settle();
        outcomes.add(appended(next.getFirst()));
        owner.settle();

        assertThat(outcomes.getFirst()).isInstanceOf(AppendOutcome.StorageFull.class);
        assertThat(outcomes.getLast()).isInstanceOf(AppendOutcome.Appended.class);
        assertThat(next.getFirst().flushedEndOffset()).isEqualTo(1);
        assertThat(disk.list(ROOT)).contains("t-0");
        assertThat(owner.directory.fullReason()).isEmpty();
        assertThat(failures).isEmpty();
    }

    private AppendOutcome appended(PartitionLog log) {
        return log.append(batch(5, 0), 1, AppendOrigin.CLIENT, owner.nowMs);
    }

    @Test
    void aKillDuringARepairLeavesItToTheNextStart() throws IOException {
        PartitionLog log =
                resting(LogConfig.DEFAULTS, 5000, () -> write(LOG.resolve(SEGMENT + ".index"), 13));
        assertNothingIsKnown(log);

        disk.crash(new Random(3));
        owner = newOwner();

        assertAllIsKnown(owner.loaded(ID, LogConfig.DEFAULTS));
    }
}

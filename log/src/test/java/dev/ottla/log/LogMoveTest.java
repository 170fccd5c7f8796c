package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.PowerLoss;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A log moves from one data directory to another, as a broker moves it, and the power may go at
/// any time.
final class LogMoveTest {
    private static final PartitionId ID = new PartitionId(new Uuid(1, 2), "or.ders", 3);
    private static final LogConfig CONFIG =
            LogConfig.builder().segmentBytes(600).indexIntervalBytes(100).build();
    private static final int CRASHES = 600;

    private final FakeDisk disk = new FakeDisk();

    /// What the cluster says: which directory holds the partition.
    private boolean assignedToSecond;

    private ManualShard first;
    private ManualShard second;

    LogMoveTest() throws IOException {
        start();
    }

    private void start() throws IOException {
        first = shard("/a", 1);
        second = shard("/b", 2);
        for (ManualShard each : List.of(first, second)) {
            boolean here = (each == second) == assignedToSecond;
            for (DataDirectory.StoredPartition copy : each.directory.storedCopies()) {
                assertThat(copy.topic()).isEqualTo(ID.topic());
                if (here) each.directory.adoptStoredCopy(ID);
            }
            each.directory.discardStoredCopies();
            for (DataDirectory.StoredPartition log : each.directory.storedPartitions()) {
                if (!here) each.directory.setAside(log.topic(), log.partition());
            }
            each.settle();
        }
    }

    private ManualShard shard(String path, int id) throws IOException {
        return new ManualShard(
                disk, Path.of(path), new DataDirectory.Options(1, 0, 0, 0, new Uuid(70, id)));
    }

    @Test
    void movedLogHoldsTheSameRecordsAndGoesOn() throws IOException {
        PartitionLog source = filled(40);
        source.advanceLogStartOffset(13, () -> {});
        first.settle();
        List<String> before = LogContent.records(source, 13, 1000);

        int epoch = LogContent.found(source.latestEpoch());
        PartitionLog moved = move(source);

        assertThat(moved.logStartOffset()).isEqualTo(13);
        assertThat(moved.logEndOffset()).isEqualTo(40);
        assertThat(LogContent.found(moved.latestEpoch())).isEqualTo(epoch);
        assertThat(LogContent.records(moved, 13, 1000)).isEqualTo(before);
        assertThat(disk.list(Path.of("/a"))).noneMatch(name -> name.startsWith("or.ders"));
        assertThat(disk.list(Path.of("/b"))).contains("or.ders-3");
        append(second, moved, "after");
        assertThat(LogContent.records(moved, 40, 1000)).containsExactly("40:after");
    }

    @Test
    void emptyLogThatBeginsLaterKeepsItsOffsets() throws IOException {
        PartitionLog source = filled(5);
        source.truncateFullyAndStartAt(50);
        first.settle();

        PartitionLog moved = move(source);

        assertThat(moved.logStartOffset()).isEqualTo(50);
        assertThat(moved.logEndOffset()).isEqualTo(50);
    }

    @Test
    void moveThatIsGivenUpLeavesNothingBehind() throws IOException {
        PartitionLog source = filled(5);
        PartitionLog copy = copyOf(source);

        copy.delete();
        second.settle();

        assertThat(disk.list(Path.of("/b"))).noneMatch(name -> name.startsWith("or.ders"));
        assertThat(LogContent.records(move(source), 0, 1000)).hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10})
    void adoptionWaitsUntilADescriptorIsFree(int refused) throws IOException {
        PartitionLog copy = copyOf(filled(5));
        copy.close(() -> {});
        second.settle();
        List<LoadOutcome> adopted = new ArrayList<>();

        disk.refuseOpens(refused);
        second.directory.adoptCopy(copy, new LogListener() {}, second.nowMs, adopted::add);
        second.settle();
        disk.refuseOpens(0);

        assertThat(adopted.getFirst()).isInstanceOf(LoadOutcome.Ready.class);
        PartitionLog moved = ((LoadOutcome.Ready) adopted.getFirst()).log();
        append(second, moved, "after");
        assertThat(LogContent.records(moved, 4, 1000)).containsExactly("4:value 4", "5:after");
    }

    @Test
    void nameThatIsTooLongCannotMove() {
        PartitionId longest = new PartitionId(new Uuid(1, 2), "x".repeat(249), 3);

        assertThat(DataDirectory.canCopy(ID)).isTrue();
        assertThat(DataDirectory.canCopy(longest)).isFalse();
    }

    @Test
    void noRecordIsLostWhereverThePowerGoes() throws IOException {
        long seed = Long.getLong("ottla.seed", System.nanoTime());
        System.out.println("LogMoveTest seed " + seed);
        Random random = new Random(seed);
        PartitionLog log = filled(6);
        int assignments = 0;
        int moves = 0;
        long changesOfAMove = 60;
        List<String> expected = LogContent.records(log, 0, 1000);
        for (int i = 0; i < CRASHES; i++) {
            boolean wasSecond = assignedToSecond;
            long before = disk.operations();
            disk.crashAfter(1 + random.nextInt((int) (changesOfAMove * 3 / 2)));
            try {
                log = move(log);
                moves++;
                changesOfAMove = disk.operations() - before;
                for (int n = random.nextInt(20) / 18; n > 0; n--) {
                    long offset = log.logEndOffset();
                    append(current(), log, "crash " + i);
                    expected.add(offset + ":crash " + i);
                }
                disk.crashAfter(1);
                current().directory.claim("cluster", 1);
            } catch (PowerLoss _) {
                // Whatever was under way is over.
            }
            assignments += wasSecond == assignedToSecond ? 0 : 1;
            disk.crash(random);
            start();
            log = current().loaded(ID, CONFIG);
            List<String> found = LogContent.records(log, 0, 1000);
            assertThat(found)
                    .as("seed %d, crash %d", seed, i)
                    .startsWith(expected.toArray(String[]::new));
            expected = found;
        }
        assertThat(moves).isBetween(CRASHES / 20, CRASHES - CRASHES / 20);
        assertThat(assignments).as("some crashed between assignment and end").isGreaterThan(moves);
    }

    private ManualShard current() {
        return assignedToSecond ? second : first;
    }

    private PartitionLog filled(int count) throws IOException {
        PartitionLog log = first.loaded(ID, CONFIG);
        for (int i = 0; i < count; i++) {
            append(first, log, "value " + i);
        }
        return log;
    }

    private static void append(ManualShard owner, PartitionLog log, String value) {
        AppendOutcome outcome =
                log.append(Batches.of(1000, value), 7, AppendOrigin.CLIENT, owner.nowMs);
        if (outcome instanceof AppendOutcome.Offline) throw new AssertionError();
        owner.settle();
    }

    private PartitionLog copyOf(PartitionLog source) throws IOException {
        ManualShard target = assignedToSecond ? first : second;
        LoadOutcome begun =
                target.directory.beginCopy(ID, CONFIG, target.shard, new LogListener() {});
        PartitionLog copy = ((LoadOutcome.Ready) begun).log();
        boolean started = false;
        for (long at = source.logStartOffset();
                at < source.logEndOffset();
                at = copy.logEndOffset()) {
            ReadOutcome read = source.read(at, 1000, Long.MAX_VALUE, true);
            if (!(read instanceof ReadOutcome.Batches(LogSlice slice))) throw new AssertionError();
            ByteBuffer bytes = LogContent.wholeBatches(slice.readAll());
            slice.release();
            if (!started) copy.truncateFullyAndStartAt(LogContent.firstOffset(bytes));
            started = true;
            copy.appendCopied(bytes, AppendOrigin.CLIENT, target.nowMs);
            target.settle();
        }
        if (!started && source.logEndOffset() > 0) {
            copy.truncateFullyAndStartAt(source.logEndOffset());
        }
        return copy;
    }

    private PartitionLog move(PartitionLog source) throws IOException {
        ManualShard from = current();
        ManualShard target = assignedToSecond ? first : second;
        PartitionLog copy = copyOf(source);
        if (copy.logEndOffset() < source.logEndOffset()) throw new AssertionError();
        boolean[] done = new boolean[2];
        copy.advanceLogStartOffset(source.logStartOffset(), () -> done[0] = true);
        target.settle();
        copy.close(() -> done[1] = true);
        target.settle();
        if (!done[0] || !done[1] || target.directory.offlineReason().isPresent()) {
            throw new AssertionError();
        }
        assignedToSecond = !assignedToSecond;
        List<LoadOutcome> adopted = new ArrayList<>();
        target.directory.adoptCopy(copy, new LogListener() {}, target.nowMs, adopted::add);
        target.settle();
        if (!(adopted.getFirst() instanceof LoadOutcome.Ready(PartitionLog log, var _))) {
            throw new AssertionError();
        }
        source.delete();
        from.settle();
        return log;
    }
}

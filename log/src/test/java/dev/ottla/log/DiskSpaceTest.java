package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Who may write how long while a disk fills up.
final class DiskSpaceTest {
    private static final Path ROOT = Path.of("/data");
    private static final Path RESERVE = ROOT.resolve(DiskSpace.RESERVE);
    private static final Path FILLER = ROOT.resolve("filler");
    private static final PartitionId ID = new PartitionId(new Uuid(1, 2), "orders", 0);
    private static final int TOTAL = 1_000_000;

    private final FakeDisk disk = new FakeDisk();
    private ManualShard owner;
    private PartitionLog log;

    @BeforeEach
    void open() throws IOException {
        disk.capacity(TOTAL);
        owner =
                new ManualShard(
                        disk,
                        ROOT,
                        new DataDirectory.Options(1, 30_000, 60_000, 10_000, new Uuid(7, 7)));
        log = owner.loaded(ID, LogConfig.DEFAULTS);
    }

    private AppendOutcome append(AppendOrigin origin) {
        return append(origin, "v");
    }

    private AppendOutcome append(AppendOrigin origin, String value) {
        AppendOutcome outcome = log.append(Batches.of(1, value), 1, origin, owner.nowMs);
        owner.settle();
        return outcome;
    }

    /// Another user of the disk leaves so much.
    private void fillUpTo(long freeBytes) throws IOException {
        disk.delete(FILLER);
        int bytes = (int) (disk.usableBytes(ROOT) - freeBytes);
        DiskIo.write(disk, FILLER, ByteBuffer.allocate(bytes));
        owner.directory.checkSpace();
    }

    private void assertTaken(AppendOrigin origin) {
        assertThat(append(origin)).as("%s", origin).isInstanceOf(AppendOutcome.Appended.class);
    }

    private void assertRefused(AppendOrigin origin) {
        assertThat(append(origin)).as("%s", origin).isInstanceOf(AppendOutcome.StorageFull.class);
    }

    @Test
    @Tag("config:log.dir.min.free.bytes")
    @Tag("config:log.dir.resume.free.bytes")
    void producersAreRefusedFirstAndBetweenTheMarksNothingChanges() throws IOException {
        fillUpTo(50_000);
        assertTaken(AppendOrigin.CLIENT);
        fillUpTo(29_000);
        assertRefused(AppendOrigin.CLIENT);
        assertTaken(AppendOrigin.COORDINATOR);
        assertTaken(AppendOrigin.METADATA);
        fillUpTo(50_000);
        assertRefused(AppendOrigin.CLIENT);
        fillUpTo(70_000);
        assertTaken(AppendOrigin.CLIENT);
    }

    @Test
    @Tag("config:log.dir.reserve.bytes")
    void theReserveKeepsTheClustersOwnWritesGoing() throws IOException {
        assertThat(disk.sizeBytes(RESERVE)).isEqualTo(10_000);

        fillUpTo(1_000);
        assertThat(disk.exists(RESERVE)).isFalse();
        assertTaken(AppendOrigin.COORDINATOR);
        assertThat(append(AppendOrigin.COORDINATOR, "x".repeat(5_000)))
                .isInstanceOf(AppendOutcome.Appended.class);
        assertThat(log.flushedEndOffset()).isEqualTo(2);
        assertRefused(AppendOrigin.CLIENT);

        fillUpTo(69_000); // So much that there would be no room for the reserve.
        assertRefused(AppendOrigin.CLIENT);
        fillUpTo(75_000);
        assertTaken(AppendOrigin.CLIENT);
        assertThat(disk.sizeBytes(RESERVE)).isEqualTo(10_000);
    }

    @Test
    void withoutAnyRoomCoordinatorsAreRefusedUntilThereIsSome() throws IOException {
        fillUpTo(0);
        fillUpTo(0);
        append(AppendOrigin.COORDINATOR);
        assertRefused(AppendOrigin.COORDINATOR);
        assertThat(owner.directory.offlineReason()).isEmpty();

        fillUpTo(5_000);
        assertTaken(AppendOrigin.COORDINATOR);
        assertRefused(AppendOrigin.CLIENT);
    }

    @Test
    void onASmallFileSystemTheMarksAreAShareOfIt() throws IOException {
        owner.directory.updateSpaceMarks(
                new SpaceMarks(
                        new SpaceMarks.Mark(1L << 30, 20),
                        new SpaceMarks.Mark(2L << 30, 10),
                        new SpaceMarks.Mark(1L << 30, 50)));
        fillUpTo(TOTAL / 10 + TOTAL / 50 + 1_000);
        assertTaken(AppendOrigin.CLIENT);
        assertThat(disk.sizeBytes(RESERVE)).isEqualTo(TOTAL / 50);
        fillUpTo(TOTAL / 20 - 1_000);
        assertRefused(AppendOrigin.CLIENT);
    }

    @Test
    @Tag("config:log.dir.min.free.bytes")
    @Tag("config:log.dir.resume.free.bytes")
    @Tag("config:log.dir.reserve.bytes")
    void theMarksAndTheReserveFollowTheirSettings() throws IOException {
        fillUpTo(29_000);
        assertRefused(AppendOrigin.CLIENT);
        owner.directory.updateSpaceMarks(SpaceMarks.of(1_000, 2_000, 5_000));
        owner.directory.checkSpace();
        assertTaken(AppendOrigin.CLIENT);
        assertThat(disk.sizeBytes(RESERVE)).isEqualTo(5_000);

        owner.directory.updateSpaceMarks(SpaceMarks.of(1_000, 2_000, 0));
        owner.directory.checkSpace();
        assertThat(disk.exists(RESERVE)).isFalse();
    }

    @Test
    void listenerHearsOnceWhenTheDiskIsFullAndOnceWhenItHasRoomAgain() throws IOException {
        List<Boolean> full = new ArrayList<>();
        owner.directory.onChange(() -> full.add(owner.directory.fullReason().isPresent()));

        fillUpTo(29_000);
        fillUpTo(28_000);
        assertThat(full).containsExactly(true);

        fillUpTo(50_000);
        assertThat(full).containsExactly(true);
        fillUpTo(500_000);
        assertThat(full).containsExactly(true, false);
    }

    @Test
    void listenerThatComesLateHearsThatTheDiskIsFull() throws IOException {
        List<Boolean> full = new ArrayList<>();
        fillUpTo(29_000);

        owner.directory.onChange(() -> full.add(owner.directory.fullReason().isPresent()));

        assertThat(full).containsExactly(true);
    }

    @Test
    void listenerHearsThatTheDirectoryHasFailed() {
        List<Boolean> failed = new ArrayList<>();
        owner.directory.onChange(() -> failed.add(owner.directory.offlineReason().isPresent()));

        disk.failSyncs(true);
        append(AppendOrigin.CLIENT);
        append(AppendOrigin.CLIENT);

        assertThat(failed).containsExactly(true);
    }

    /// What is written between two looks at the disk must not run it full.
    @Test
    void muchWritingBringsForwardTheNextLookAtTheDisk() throws IOException {
        fillUpTo(100_000);
        for (int i = 0; i < 8; i++) {
            append(AppendOrigin.CLIENT, "x".repeat(10_000));
        }
        assertRefused(AppendOrigin.CLIENT);
        assertThat(disk.usableBytes(ROOT)).isPositive();
    }

    /// A user's quota is not seen in what the file system calls usable.
    @Test
    void aQuotaRefusesAppendsAndTakesNothingOffline() throws IOException {
        disk.capacity(TOTAL - disk.usableBytes(ROOT) + 5_000);
        Disk shown =
                (Disk)
                        Proxy.newProxyInstance(
                                Disk.class.getClassLoader(),
                                new Class<?>[] {Disk.class},
                                (_, method, arguments) -> {
                                    if (method.getName().endsWith("Bytes")
                                            && !method.getName().equals("sizeBytes")) {
                                        return (long) TOTAL;
                                    }
                                    try {
                                        return method.invoke(disk, arguments);
                                    } catch (InvocationTargetException e) {
                                        throw e.getCause();
                                    }
                                });
        Path other = Path.of("/other");
        owner =
                new ManualShard(
                        shown,
                        other,
                        new DataDirectory.Options(1, 30_000, 60_000, 10_000, new Uuid(7, 7)));
        log = owner.loaded(ID, LogConfig.DEFAULTS);
        assertTaken(AppendOrigin.CLIENT);
        append(AppendOrigin.CLIENT, "x".repeat(6_000));
        assertThat(log.logEndOffset()).isEqualTo(1);
        assertRefused(AppendOrigin.CLIENT);

        owner.directory.checkSpace();
        owner.settle();

        assertThat(disk.exists(other.resolve(DiskSpace.RESERVE))).isFalse();
        assertThat(owner.directory.offlineReason()).isEmpty();
        assertTaken(AppendOrigin.CLIENT);
        assertThat(log.flushedEndOffset()).isEqualTo(2);
    }
}

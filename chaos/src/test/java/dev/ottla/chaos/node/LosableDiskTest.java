package dev.ottla.chaos.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.Disk.OpenMode;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LosableDiskTest {
    private static final int ROUNDS = 200;
    private static final int STEPS = 60;

    private final Random random = new Random(1);

    @TempDir private Path directory;
    private Path data;
    private LosableDisk disk;

    @BeforeEach
    void open() throws IOException {
        data = directory.resolve("data");
        Files.createDirectories(data);
        disk = new LosableDisk(new FileDisk(), directory.resolve("aside"));
    }

    @Test
    void whatWasWrittenBehindTheLastSyncIsLost() throws IOException {
        Path file = synced("file", "kept");

        append(file, " and lost");
        disk.losePower(Survival.NOTHING, random);

        assertThat(file).hasContent("kept");
    }

    @Test
    void whatWasOverwrittenAndCutComesBack() throws IOException {
        Path file = synced("file", "as it was");

        try (DiskFile opened = disk.open(file, OpenMode.WRITE)) {
            opened.write(bytes("xx"), 1);
            opened.truncate(4);
            opened.write(bytes("longer than it was"), 4);
        }
        disk.losePower(Survival.NOTHING, random);

        assertThat(file).hasContent("as it was");
    }

    @Test
    void namesComeBackThatWereNotSynced() throws IOException {
        Path deleted = synced("deleted", "deleted");
        Path replaced = synced("replaced", "before");
        Path renamed = synced("renamed", "after");

        disk.delete(deleted);
        disk.rename(renamed, replaced);
        write(data.resolve("new"), "new");
        disk.losePower(Survival.NOTHING, random);

        assertThat(tree())
                .isEqualTo(Map.of("deleted", "deleted", "replaced", "before", "renamed", "after"));
    }

    @Test
    void namesStayThatWereSynced() throws IOException {
        Path deleted = synced("deleted", "deleted");
        Path replaced = synced("replaced", "before");
        Path renamed = synced("renamed", "after");

        disk.delete(deleted);
        disk.rename(renamed, replaced);
        disk.syncDirectory(data);
        disk.losePower(Survival.NOTHING, random);

        assertThat(tree()).isEqualTo(Map.of("replaced", "after"));
        assertThat(directory.resolve("aside")).isEmptyDirectory();
    }

    @Test
    void whatIsLostByChanceIsTornInTheMiddleOfAWrite() throws IOException {
        int beginnings = 0;
        int torn = 0;
        for (int round = 0; round < ROUNDS; round++) {
            open();
            Path file = synced("file" + round, "kept");
            append(file, "a".repeat(2_000));
            append(file, "b".repeat(2_000));

            disk.losePower(Survival.SOME, new Random(round));

            String content = Files.readString(file);
            assertThat(content).startsWith("kept");
            beginnings += content.indexOf('\0') < 0 && content.length() < 4_004 ? 1 : 0;
            torn += content.indexOf('\0') >= 0 ? 1 : 0;
        }
        assertThat(beginnings).isGreaterThan(ROUNDS / 5);
        assertThat(torn).isGreaterThan(ROUNDS / 5);
    }

    @Test
    void whateverIsDoneTheLastSyncedStateComesBack() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            open();
            Random chance = new Random(round);
            doAnything(chance);
            syncAll(data);
            Map<String, String> synced = tree();
            doAnything(chance);
            disk.losePower(Survival.NOTHING, chance);

            assertThat(tree()).as("seed %d", round).isEqualTo(synced);
            DiskIo.deleteRecursively(new FileDisk(), data);
        }
    }

    private void doAnything(Random chance) throws IOException {
        for (int step = 0; step < STEPS; step++) {
            Path path = anyPath(chance);
            switch (chance.nextInt(6)) {
                case 0 -> {
                    if (!Files.isDirectory(path) && Files.isDirectory(DiskIo.parent(path))) {
                        append(path, "x".repeat(chance.nextInt(20)));
                    }
                }
                case 1 -> overwrite(path, chance);
                case 2 -> {
                    Path to = anyPath(chance);
                    boolean possible =
                            Files.isRegularFile(path)
                                    && Files.isDirectory(DiskIo.parent(to))
                                    && !Files.isDirectory(to)
                                    && !to.equals(path);
                    if (possible) {
                        disk.rename(path, to);
                    }
                }
                case 3 -> {
                    if (Files.isRegularFile(path) || (Files.exists(path) && isEmpty(path))) {
                        disk.delete(path);
                    }
                }
                case 4 -> {
                    if (!Files.exists(path) && Files.isDirectory(DiskIo.parent(path))) {
                        disk.createDirectory(path);
                    }
                }
                default -> {
                    if (Files.isRegularFile(path)) {
                        try (DiskFile file = disk.open(path, OpenMode.WRITE)) {
                            file.truncate(chance.nextInt(20));
                        }
                    }
                }
            }
        }
    }

    /// One of few, in the root or one below.
    private Path anyPath(Random chance) {
        Path path = data.resolve("n" + chance.nextInt(4));
        return chance.nextBoolean() ? path : path.resolve("n" + chance.nextInt(3));
    }

    private static boolean isEmpty(Path path) throws IOException {
        try (Stream<Path> below = Files.list(path)) {
            return below.findAny().isEmpty();
        }
    }

    private void overwrite(Path path, Random chance) throws IOException {
        if (Files.isRegularFile(path) && Files.size(path) > 0) {
            try (DiskFile file = disk.open(path, OpenMode.WRITE)) {
                file.write(bytes("y".repeat(10)), chance.nextInt((int) Files.size(path)));
            }
        }
    }

    private void syncAll(Path path) throws IOException {
        if (Files.isRegularFile(path)) {
            DiskIo.syncIfPresent(disk, path);
            return;
        }
        for (String name : disk.list(path)) {
            syncAll(path.resolve(name));
        }
        disk.syncDirectory(path);
    }

    /// Path to content; directories have none.
    private Map<String, String> tree() throws IOException {
        List<Path> paths = new ArrayList<>();
        try (Stream<Path> all = Files.walk(data)) {
            paths.addAll(all.filter(path -> !path.equals(data)).toList());
        }
        Map<String, String> tree = new TreeMap<>();
        for (Path path : paths) {
            tree.put(
                    data.relativize(path).toString(),
                    Files.isDirectory(path) ? "" : Files.readString(path));
        }
        return tree;
    }

    private Path synced(String name, String content) throws IOException {
        Path file = data.resolve(name);
        write(file, content);
        DiskIo.syncIfPresent(disk, file);
        disk.syncDirectory(data);
        return file;
    }

    private void write(Path file, String content) throws IOException {
        DiskIo.write(disk, file, bytes(content));
    }

    private void append(Path file, String content) throws IOException {
        try (DiskFile opened = disk.open(file, OpenMode.CREATE)) {
            opened.write(bytes(content), opened.size());
        }
    }

    private static ByteBuffer bytes(String content) {
        return ByteBuffer.wrap(content.getBytes(UTF_8));
    }
}

package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// A small file system in memory, which plays a disk that runs full. Tests that want one are left
/// out where none can be mounted. Owned by one test.
final class SmallDisk implements AutoCloseable {
    private static final int SIZE_MB = 128;

    private final Path path;

    private SmallDisk(Path path) {
        this.path = path;
    }

    static SmallDisk mount() {
        assumeTrue(BrokerCommand.isOttla(), "Apache Kafka stops when its disk is full");
        assumeTrue(
                "root".equals(System.getProperty("user.name")), "only root may mount a small disk");
        try {
            Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
            Path path = Files.createTempDirectory(target, "disk-");
            String size = "size=" + SIZE_MB + "m";
            ChildProcess.Result result =
                    run("mount", "-t", "tmpfs", "-o", size, "tmpfs", path.toString());
            assumeTrue(
                    result.exitCode() == 0, "a small disk cannot be mounted here: " + result.err());
            return new SmallDisk(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    /// Leaves a few megabytes: less than a broker wants. Returns what takes the room.
    Path fill() throws IOException {
        Path filler = filler();
        byte[] chunk = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (Files.getFileStore(path).getUsableSpace() > 3 << 20) {
                out.write(chunk);
            }
        }
        return filler;
    }

    /// Leaves nothing. Returns what takes the room.
    Path fillWhole() throws IOException {
        Path filler = filler();
        byte[] chunk = new byte[1 << 16];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (Files.getFileStore(path).getUsableSpace() > 0) {
                out.write(chunk);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
        return filler;
    }

    private Path filler() {
        return path.resolve("filler");
    }

    @Override
    public void close() {
        run("umount", "--lazy", path.toString());
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ChildProcess.Result run(String... command) {
        return ChildProcess.run(Path.of("."), Map.of(), Duration.ofSeconds(20), command);
    }
}

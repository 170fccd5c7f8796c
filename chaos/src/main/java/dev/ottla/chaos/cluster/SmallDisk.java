package dev.ottla.chaos.cluster;

import dev.ottla.testkit.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// A file system of a few megabytes in memory, so that it can run full. Needs root. Owned by one
/// thread.
final class SmallDisk implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final int MEGABYTE = 1 << 20;

    private final Path mount;

    private SmallDisk(Path mount) {
        this.mount = mount;
    }

    static SmallDisk mount(Path at, int megabytes) throws IOException {
        Files.createDirectories(at);
        run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", at.toString());
        return new SmallDisk(at);
    }

    /// Takes all the space that is left, until [#free].
    void fill() throws IOException {
        byte[] block = new byte[MEGABYTE];
        try (OutputStream out = Files.newOutputStream(filler())) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            if (!Files.exists(filler())) {
                throw e;
            }
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(filler());
    }

    private Path filler() {
        return mount.resolve("filler");
    }

    @Override
    public void close() {
        run("umount", "--lazy", mount.toString());
    }

    private static void run(String... command) {
        ChildProcess.Result result = ChildProcess.run(Path.of("/"), Map.of(), DEADLINE, command);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + result.err());
        }
    }
}

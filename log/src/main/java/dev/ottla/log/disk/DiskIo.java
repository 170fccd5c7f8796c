package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Small whole files on a [Disk].
public final class DiskIo {
    private static final String TEMPORARY_SUFFIX = ".tmp";

    /// No file that is read whole may be larger than this.
    private static final int MAX_WHOLE_BYTES = 256 << 20;

    private DiskIo() {}

    /// Content of a file; empty when there is none.
    public static Optional<ByteBuffer> read(Disk disk, Path file) throws IOException {
        try (DiskFile opened = disk.open(file, Disk.OpenMode.READ)) {
            long size = opened.size();
            if (size > MAX_WHOLE_BYTES) {
                throw new IOException(
                        file + " has " + size + " bytes, expected at most " + MAX_WHOLE_BYTES);
            }
            ByteBuffer content = ByteBuffer.allocate((int) size);
            opened.read(content, 0);
            return Optional.of(content.flip());
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    public static Optional<String> readText(Disk disk, Path file) throws IOException {
        return read(disk, file).map(content -> StandardCharsets.UTF_8.decode(content).toString());
    }

    /// Puts new content in the place of a file's old one, so that after a crash either is there
    /// whole. Durable on return when `directory` is synced too, which is left to the caller if
    /// `syncDirectory` is false.
    public static void replace(Disk disk, Path file, ByteBuffer content, boolean syncDirectory)
            throws IOException {
        writeBeside(disk, file, content, true);
        takePlace(disk, file);
        if (syncDirectory) {
            disk.syncDirectory(parent(file));
        }
    }

    /// First half of a replacement: writes the new content under a temporary name.
    public static void writeBeside(Disk disk, Path file, ByteBuffer content, boolean sync)
            throws IOException {
        Path temporary = temporary(file);
        disk.delete(temporary);
        try (DiskFile opened = disk.open(temporary, Disk.OpenMode.CREATE)) {
            opened.write(content, 0);
            if (sync) {
                opened.sync();
            }
        }
    }

    /// Second half: gives the content, which must be durable, its name.
    public static void takePlace(Disk disk, Path file) throws IOException {
        disk.rename(temporary(file), file);
    }

    private static Path temporary(Path file) {
        return file.resolveSibling(file.getFileName() + TEMPORARY_SUFFIX);
    }

    public static void replaceText(Disk disk, Path file, String content) throws IOException {
        replace(disk, file, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)), true);
    }

    /// Writes a file anew without making it durable.
    public static void write(Disk disk, Path file, ByteBuffer content) throws IOException {
        disk.delete(file);
        try (DiskFile opened = disk.open(file, Disk.OpenMode.CREATE)) {
            opened.write(content, 0);
        }
    }

    /// Syncs a file that may have been removed meanwhile.
    public static void syncIfPresent(Disk disk, Path file) throws IOException {
        if (!disk.exists(file)) {
            return;
        }
        try (DiskFile opened = disk.open(file, Disk.OpenMode.WRITE)) {
            opened.sync();
        } catch (NoSuchFileException _) {
            // Removed between the two calls: nothing is left to be made durable.
        }
    }

    /// Removes a directory and what is in it.
    public static void deleteRecursively(Disk disk, Path directory) throws IOException {
        if (disk.isDirectory(directory)) {
            for (String name : disk.list(directory)) {
                deleteRecursively(disk, directory.resolve(name));
            }
        }
        disk.delete(directory);
    }

    /// Makes a directory and those above it that are missing, durably but for what it will hold.
    public static void createDirectories(Disk disk, Path path) throws IOException {
        if (disk.isDirectory(path)) {
            return;
        }
        Path parent = path.getParent();
        if (parent != null) {
            createDirectories(disk, parent);
            disk.createDirectory(path);
            disk.syncDirectory(parent);
        } else {
            disk.createDirectory(path);
        }
    }

    public static Path parent(Path file) {
        Path parent = file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " has no parent directory");
        }
        return parent;
    }
}

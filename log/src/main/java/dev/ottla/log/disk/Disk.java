package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Everything the log asks of a file system. What was written survives a power loss only after
/// [DiskFile#sync] of the file, and names (created, renamed, deleted) only after [#syncDirectory]
/// of the directory that holds them. Thread-safe.
public interface Disk {
    /// How [#open] treats a file.
    enum OpenMode {
        /// Must exist; reading only.
        READ,
        /// Must exist; reading and writing.
        WRITE,
        /// Reading and writing; made empty when missing.
        CREATE
    }

    DiskFile open(Path file, OpenMode mode) throws IOException;

    /// Makes one directory whose parent exists; nothing happens when it is there already.
    void createDirectory(Path directory) throws IOException;

    /// Names in a directory, in no order.
    List<String> list(Path directory) throws IOException;

    boolean exists(Path path);

    boolean isDirectory(Path path);

    long sizeBytes(Path file) throws IOException;

    /// Time of the last change, for segments whose records carry no timestamp.
    long lastModifiedMs(Path file) throws IOException;

    /// Gives a file or directory a new name, atomically taking the place of a file that has it.
    void rename(Path from, Path to) throws IOException;

    /// Removes a file or an empty directory; false when there was none.
    boolean delete(Path path) throws IOException;

    /// Makes the names in a directory durable.
    void syncDirectory(Path directory) throws IOException;

    /// A means to make everything on the file system that holds `directory` durable at once; empty
    /// when the platform or this file system has none that covers all files and tells of all
    /// failures since it was opened.
    Optional<FileSystemSync> openFileSystemSync(Path directory) throws IOException;

    /// Takes the exclusive lock that `file` stands for; empty when another process or this one has
    /// it.
    Optional<AutoCloseable> tryLock(Path file) throws IOException;

    /// Size of the file system that holds `directory`.
    long totalBytes(Path directory) throws IOException;

    /// Bytes that this process may still write to the file system that holds `directory`.
    long usableBytes(Path directory) throws IOException;
}

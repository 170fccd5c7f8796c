package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Passes every call on to another disk: whoever watches some of them overrides these. Thread-safe
/// as the disk behind it.
public abstract class ForwardingDisk implements Disk {
    private final Disk disk;

    protected ForwardingDisk(Disk disk) {
        this.disk = disk;
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        return disk.open(file, mode);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        disk.createDirectory(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public boolean exists(Path path) {
        return disk.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return disk.isDirectory(path);
    }

    @Override
    public long sizeBytes(Path file) throws IOException {
        return disk.sizeBytes(file);
    }

    @Override
    public long lastModifiedMs(Path file) throws IOException {
        return disk.lastModifiedMs(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public boolean delete(Path path) throws IOException {
        return disk.delete(path);
    }

    @Override
    public Optional<AutoCloseable> tryLock(Path file) throws IOException {
        return disk.tryLock(file);
    }

    @Override
    public long usableBytes(Path directory) throws IOException {
        return disk.usableBytes(directory);
    }

    @Override
    public long totalBytes(Path directory) throws IOException {
        return disk.totalBytes(directory);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        disk.syncDirectory(directory);
    }

    @Override
    public Optional<FileSystemSync> openFileSystemSync(Path directory) throws IOException {
        return disk.openFileSystemSync(directory);
    }
}

package dev.ottla.broker.server;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.disk.FileSystemSync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// The real disk, which counts the syncs of each file and shows which files are opened.
/// Thread-safe.
final class WatchedDisk implements Disk {
    private final Disk disk = new FileDisk();
    private final Map<Path, AtomicLong> syncs = new ConcurrentHashMap<>();
    private final Consumer<Path> opened;

    /// @param opened is told of each file, on the thread that is about to open it
    WatchedDisk(Consumer<Path> opened) {
        this.opened = opened;
    }

    /// Syncs of files in `directory` up to now.
    long syncsIn(Path directory) {
        return syncs.entrySet().stream()
                .filter(file -> directory.equals(file.getKey().getParent()))
                .mapToLong(file -> file.getValue().get())
                .sum();
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        opened.accept(file);
        AtomicLong count = syncs.computeIfAbsent(file, _ -> new AtomicLong());
        return new WatchedFile(disk.open(file, mode), count);
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
    public void syncDirectory(Path directory) throws IOException {
        disk.syncDirectory(directory);
    }

    @Override
    public Optional<FileSystemSync> openFileSystemSync(Path directory) throws IOException {
        return disk.openFileSystemSync(directory);
    }

    @Override
    public Optional<AutoCloseable> tryLock(Path file) throws IOException {
        return disk.tryLock(file);
    }

    @Override
    public long totalBytes(Path directory) throws IOException {
        return disk.totalBytes(directory);
    }

    @Override
    public long usableBytes(Path directory) throws IOException {
        return disk.usableBytes(directory);
    }

    private record WatchedFile(DiskFile file, AtomicLong syncs) implements DiskFile {
        @Override
        public void sync() throws IOException {
            file.sync();
            syncs.incrementAndGet();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer[] sources, int count, long position) throws IOException {
            file.write(sources, count, position);
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public Optional<FileChannel> channel() {
            return file.channel();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}

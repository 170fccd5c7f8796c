package dev.ottla.broker.server;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileSystemSync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// A disk that tells how long each sync of a file, directory or file system took, on the thread
/// that asked for it. Thread-safe as the disk behind it.
final class MeasuredDisk implements Disk {
    private final Disk disk;
    private final LongSupplier nanoClock;
    private final LongConsumer syncNs;

    MeasuredDisk(Disk disk, LongSupplier nanoClock, LongConsumer syncNs) {
        this.disk = disk;
        this.nanoClock = nanoClock;
        this.syncNs = syncNs;
    }

    private interface Sync {
        void run() throws IOException;
    }

    private void measured(Sync sync) throws IOException {
        long beganNs = nanoClock.getAsLong();
        sync.run();
        syncNs.accept(nanoClock.getAsLong() - beganNs);
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        return new MeasuredFile(disk.open(file, mode));
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        measured(() -> disk.syncDirectory(directory));
    }

    @Override
    public Optional<FileSystemSync> openFileSystemSync(Path directory) throws IOException {
        return disk.openFileSystemSync(directory).map(MeasuredFileSystem::new);
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

    private final class MeasuredFileSystem implements FileSystemSync {
        private final FileSystemSync fileSystem;

        MeasuredFileSystem(FileSystemSync fileSystem) {
            this.fileSystem = fileSystem;
        }

        @Override
        public void sync() throws IOException {
            measured(fileSystem::sync);
        }

        @Override
        public void close() {
            fileSystem.close();
        }
    }

    private final class MeasuredFile implements DiskFile {
        private final DiskFile file;

        MeasuredFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public void sync() throws IOException {
            measured(file::sync);
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

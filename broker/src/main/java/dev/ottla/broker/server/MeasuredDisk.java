package dev.ottla.broker.server;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileSystemSync;
import dev.ottla.log.disk.ForwardingDisk;
import dev.ottla.log.disk.ForwardingFile;
import dev.ottla.log.disk.ForwardingFileSystemSync;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// A disk that tells how long each sync of a file, directory or file system took, on the thread
/// that asked for it. Thread-safe as the disk behind it.
final class MeasuredDisk extends ForwardingDisk {
    private final LongSupplier nanoClock;
    private final LongConsumer syncNs;

    MeasuredDisk(Disk disk, LongSupplier nanoClock, LongConsumer syncNs) {
        super(disk);
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
        return new MeasuredFile(super.open(file, mode));
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        measured(() -> super.syncDirectory(directory));
    }

    @Override
    public Optional<FileSystemSync> openFileSystemSync(Path directory) throws IOException {
        return super.openFileSystemSync(directory).map(MeasuredFileSystem::new);
    }

    private final class MeasuredFileSystem extends ForwardingFileSystemSync {
        MeasuredFileSystem(FileSystemSync fileSystem) {
            super(fileSystem);
        }

        @Override
        public void sync() throws IOException {
            measured(super::sync);
        }
    }

    private final class MeasuredFile extends ForwardingFile {
        MeasuredFile(DiskFile file) {
            super(file);
        }

        @Override
        public void sync() throws IOException {
            measured(super::sync);
        }
    }
}

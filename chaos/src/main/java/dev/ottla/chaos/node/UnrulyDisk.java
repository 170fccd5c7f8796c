package dev.ottla.chaos.node;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileSystemSync;
import dev.ottla.log.disk.ForwardingDisk;
import dev.ottla.log.disk.ForwardingFile;
import dev.ottla.log.disk.ForwardingFileSystemSync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// A disk whose writes and syncs fail or take long when they are told to. Reads always work.
/// Thread-safe as the disk behind it.
final class UnrulyDisk extends ForwardingDisk {
    /// As the system words EIO.
    private static final String ERROR = "Input/output error";

    private static final long LOOK_NS = 5_000_000;

    // All five are written by the thread that takes orders and read by whoever uses the disk: the
    // next call sees them.
    private volatile boolean failWrites;
    private volatile boolean failSyncs;
    private volatile long writeMs;
    private volatile String slowPart = "";
    private volatile long syncMs;

    UnrulyDisk(Disk disk) {
        super(disk);
    }

    void failWrites() {
        failWrites = true;
    }

    void failSyncs() {
        failSyncs = true;
    }

    /// Each write to a file whose path has `part` in it takes at least so long.
    void slowWrites(long ms, String part) {
        slowPart = part;
        writeMs = ms;
    }

    /// Each sync takes at least so long.
    void slowSyncs(long ms) {
        syncMs = ms;
    }

    /// It works again, as if nothing had been.
    void behave() {
        failWrites = false;
        failSyncs = false;
        writeMs = 0;
        syncMs = 0;
    }

    private void beforeWrite(Path path) throws IOException {
        if (failWrites) {
            throw new IOException(ERROR);
        }
        if (path.toString().contains(slowPart)) {
            rest(() -> writeMs);
        }
    }

    private void beforeSync() throws IOException {
        if (failSyncs) {
            throw new IOException(ERROR);
        }
        rest(() -> syncMs);
    }

    /// Until the time is over, or the disk is told to behave.
    private static void rest(LongSupplier ms) {
        long beganNs = System.nanoTime();
        while (System.nanoTime() - beganNs < ms.getAsLong() * 1_000_000) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        if (mode == OpenMode.CREATE && failWrites && !exists(file)) {
            throw new IOException(ERROR);
        }
        return new UnrulyFile(super.open(file, mode), file);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        beforeWrite(directory);
        super.createDirectory(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        beforeWrite(to);
        super.rename(from, to);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        beforeSync();
        super.syncDirectory(directory);
    }

    @Override
    public Optional<FileSystemSync> openFileSystemSync(Path directory) throws IOException {
        return super.openFileSystemSync(directory).map(UnrulySync::new);
    }

    private final class UnrulySync extends ForwardingFileSystemSync {
        UnrulySync(FileSystemSync real) {
            super(real);
        }

        @Override
        public void sync() throws IOException {
            beforeSync();
            super.sync();
        }
    }

    private final class UnrulyFile extends ForwardingFile {
        private final Path path;

        UnrulyFile(DiskFile file, Path path) {
            super(file);
            this.path = path;
        }

        @Override
        public void write(ByteBuffer[] sources, int count, long position) throws IOException {
            beforeWrite(path);
            super.write(sources, count, position);
        }

        @Override
        public void truncate(long size) throws IOException {
            beforeWrite(path);
            super.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            beforeSync();
            super.sync();
        }
    }
}

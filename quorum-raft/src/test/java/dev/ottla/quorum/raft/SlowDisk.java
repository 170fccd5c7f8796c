package dev.ottla.quorum.raft;

import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.disk.FileSystemSync;
import dev.ottla.log.disk.ForwardingDisk;
import dev.ottla.log.disk.ForwardingFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// A disk whose syncs may take long. Thread-safe.
final class SlowDisk extends ForwardingDisk {
    /// Written by the test, read by whoever syncs; the next sync will see it.
    private volatile long syncMs;

    SlowDisk() {
        super(new FileDisk());
    }

    /// From now on each sync takes so long at least.
    void slowDown(long ms) {
        syncMs = ms;
    }

    void awaitSync() {
        try {
            Thread.sleep(syncMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public DiskFile open(Path file, OpenMode mode) throws IOException {
        return new ForwardingFile(super.open(file, mode)) {
            @Override
            public void sync() throws IOException {
                awaitSync();
                super.sync();
            }
        };
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        awaitSync();
        super.syncDirectory(directory);
    }

    /// Files are synced one by one.
    @Override
    public Optional<FileSystemSync> openFileSystemSync(Path directory) {
        return Optional.empty();
    }
}

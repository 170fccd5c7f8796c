package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches the room on one directory's disk: below a mark appends are refused, above a second,
/// higher one they go on. A reserve file is given up when a write finds no room at all, so that
/// deletions and checkpoints can still be written. Thread-safe: see the fields.
final class DiskSpace {
    private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);

    private static final String RESERVE = ".ottla-reserve";
    private static final int RESERVE_CHUNK_BYTES = 1 << 20;

    private final Disk disk;
    private final Path directory;
    private final long reserveBytes;

    // Guarded by this object's lock.
    private long fullBelowBytes;
    private long resumeAboveBytes;

    /// Written by the lane that checks and by a shard whose write failed, read by all shards: the
    /// last one wins, and the next check puts it right.
    private volatile @Nullable String fullReason;

    DiskSpace(Disk disk, Path directory, DataDirectory.Options options) throws IOException {
        this.disk = disk;
        this.directory = directory;
        reserveBytes = options.reserveBytes();
        fullBelowBytes = options.fullBelowBytes();
        resumeAboveBytes = options.resumeAboveBytes();
        check();
    }

    /// They count from the next check on.
    synchronized void updateMarks(long newFullBelowBytes, long newResumeAboveBytes) {
        fullBelowBytes = newFullBelowBytes;
        resumeAboveBytes = newResumeAboveBytes;
    }

    Optional<String> fullReason() {
        return Optional.ofNullable(fullReason);
    }

    synchronized void check() throws IOException {
        long usable = disk.usableBytes(directory);
        if (fullReason == null && usable < fullBelowBytes) {
            become(usable);
        } else if (fullReason != null && usable > resumeAboveBytes + missingReserveBytes()) {
            LOG.info(
                    "Data directory {} has {} bytes free: appends are accepted again.",
                    directory,
                    usable);
            fullReason = null;
        }
        if (fullReason == null && usable > resumeAboveBytes + reserveBytes) {
            makeReserve();
        }
    }

    /// A write found no room.
    synchronized void onFull() {
        try {
            disk.delete(directory.resolve(RESERVE));
        } catch (IOException e) {
            LOG.warn(
                    "The reserve file in {} could not be given up: {}.", directory, e.getMessage());
        }
        if (fullReason == null) {
            become(0);
        }
    }

    private synchronized void become(long usable) {
        fullReason =
                "The disk of data directory %s is full: %d bytes free, %d needed. Delete data or add room; appends go on then."
                        .formatted(directory, usable, resumeAboveBytes);
        LOG.error("{}", fullReason);
    }

    private long missingReserveBytes() {
        return disk.exists(directory.resolve(RESERVE)) ? 0 : reserveBytes;
    }

    private void makeReserve() throws IOException {
        Path file = directory.resolve(RESERVE);
        if (reserveBytes == 0 || disk.exists(file)) {
            return;
        }
        try (DiskFile reserve = disk.open(file, Disk.OpenMode.CREATE)) {
            for (long at = 0; at < reserveBytes; at += RESERVE_CHUNK_BYTES) {
                int bytes = (int) Math.min(RESERVE_CHUNK_BYTES, reserveBytes - at);
                reserve.write(ByteBuffer.allocate(bytes), at);
            }
        }
    }
}

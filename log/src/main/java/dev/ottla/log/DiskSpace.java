package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.DiskFullException;
import dev.ottla.log.disk.NameInUseException;
import dev.ottla.log.disk.NoDescriptorException;
import dev.ottla.log.disk.ShortageException;
import dev.ottla.log.producer.AppendOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches the room on one directory's disk. Producers are refused first; what the cluster writes
/// itself, to its internal topics and its metadata, goes on in the room that is left, and then in
/// that of a reserve file, which is given up when hardly any is left:
///
/// | free | producers | coordinators | metadata |
/// |---|---|---|---|
/// | above the resume mark | taken | taken | taken |
/// | below the full mark, until the resume mark | refused | taken | taken |
/// | nothing, and the reserve is used up | refused | refused | tried |
///
/// On a small file system the marks and the reserve are a share of it, where nobody set them. The
/// room is looked at every few seconds, and when so much was written that the full mark may have
/// been passed; appends compare two fields. Thread-safe: see the fields.
final class DiskSpace {
    private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);

    static final String RESERVE = ".ottla-reserve";
    private static final int RESERVE_CHUNK_BYTES = 256 << 10;

    /// What one write of the reserve takes; the JVM keeps a buffer of that size for the thread.
    private static final int RESERVE_STEP_BYTES = 64 << 10;

    private static final int BLOCK_BYTES = 4 << 10;
    private static final long MIN_CREDIT_BYTES = 4 << 20;
    private static final int MIN_CREDIT_SHARE = 50;

    /// With less than this part of the reserve free, the reserve is given up.
    private static final int GIVE_UP_PART = 4;

    private final Disk disk;
    private final Path directory;
    private final Runnable askForCheck;

    // Guarded by this object's lock.
    private SpaceMarks marks;

    private long resumeBytes;

    /// Written by the lane that checks and by a shard whose write failed, read by all shards: the
    /// last one wins, and the next check puts it right.
    private volatile @Nullable String fullReason;

    /// The same, for what the cluster writes itself.
    private volatile @Nullable String exhaustedReason;

    /// What may still be written before the full mark is reached, by the last check. Taken from by
    /// the shards, set by the check; an estimate.
    private final AtomicLong creditBytes = new AtomicLong(Long.MAX_VALUE);

    private final AtomicBoolean checkAsked = new AtomicBoolean();

    /// Written once, by who wires the directory; read by whoever finds the disk full or not any
    /// more.
    private volatile Runnable onChange = () -> {};

    /// @param askForCheck brings about a [#check] soon, on another thread
    DiskSpace(Disk disk, Path directory, DataDirectory.Options options, Runnable askForCheck)
            throws IOException {
        this.disk = disk;
        this.directory = directory;
        this.askForCheck = askForCheck;
        marks = options.marks();
        check();
    }

    /// They count from the next check on.
    synchronized void update(SpaceMarks newMarks) {
        marks = newMarks;
    }

    /// `listener` is run on any thread, and must only post, when [#fullReason] comes or goes; at
    /// once if it is there.
    void onChange(Runnable listener) {
        onChange = listener;
        if (fullReason != null) listener.run();
    }

    /// Why producers are refused, if they are. Any thread.
    Optional<String> fullReason() {
        return Optional.ofNullable(fullReason);
    }

    /// Why an append is refused before it is tried, if it is. Any thread.
    Optional<String> refusal(AppendOrigin origin) {
        return switch (origin) {
            case CLIENT -> Optional.ofNullable(fullReason);
            case COORDINATOR -> Optional.ofNullable(exhaustedReason);
            case METADATA -> Optional.empty();
        };
    }

    /// Bytes went into a file. Any thread.
    void onWritten(long bytes) {
        if (creditBytes.addAndGet(-bytes) < 0 && checkAsked.compareAndSet(false, true)) {
            askForCheck.run();
        }
    }

    synchronized void check() throws IOException {
        long total = disk.totalBytes(directory);
        long usable = disk.usableBytes(directory);
        long full = marks.fullBelow().onDiskOf(total);
        long resume = Math.max(full, marks.resumeAbove().onDiskOf(total));
        resumeBytes = resume;
        long reserve = marks.reserve().onDiskOf(total);
        long present = presentReserveBytes();
        if (usable < reserve / GIVE_UP_PART && present > 0) {
            giveUpReserve();
            usable += present;
            present = 0;
        }
        if (fullReason == null && usable < full) {
            becomeFull(usable);
        } else if (fullReason != null && usable > resume + Math.max(0, reserve - present)) {
            LOG.info(
                    "Data directory {} has {} bytes free: appends are accepted again.",
                    directory,
                    usable);
            fullReason = null;
            onChange.run();
        }
        if (exhaustedReason != null && usable > reserve / GIVE_UP_PART) {
            exhaustedReason = null;
        }
        if (fullReason == null && present != reserve && usable > resume + reserve) {
            makeReserve(reserve);
        }
        creditBytes.set(
                fullReason != null
                        ? Long.MAX_VALUE
                        : Math.max(
                                usable - full,
                                Math.min(MIN_CREDIT_BYTES, total / MIN_CREDIT_SHARE)));
        checkAsked.set(false);
    }

    /// A write found no room.
    synchronized void onFull() {
        boolean hadReserve = giveUpReserve();
        if (fullReason == null) {
            becomeFull(0);
        }
        if (!hadReserve && exhaustedReason == null) {
            exhaustedReason =
                    "The disk of data directory %s is full to the last byte. Delete data or add room; everything goes on then."
                            .formatted(directory);
            LOG.error("{}", exhaustedReason);
        }
    }

    /// Something was refused for want of room, a descriptor or a name; says why.
    String onShortage(ShortageException cause) {
        String reason = String.valueOf(cause.getMessage());
        return switch (cause) {
            case DiskFullException _ -> {
                onFull();
                yield fullReason().orElse(reason);
            }
            case NameInUseException _ -> reason;
            case NoDescriptorException _ -> {
                LOG.warn("{}.", reason);
                yield reason;
            }
        };
    }

    private synchronized void becomeFull(long usable) {
        fullReason =
                "The disk of data directory %s is full: %d bytes free, %d needed. Delete data or add room; appends go on then."
                        .formatted(directory, usable, resumeBytes);
        LOG.error("{}", fullReason);
        onChange.run();
    }

    private long presentReserveBytes() throws IOException {
        Path file = directory.resolve(RESERVE);
        return disk.exists(file) ? disk.sizeBytes(file) : 0;
    }

    private boolean giveUpReserve() {
        try {
            return disk.delete(directory.resolve(RESERVE));
        } catch (IOException e) {
            LOG.warn(
                    "The reserve file in {} could not be given up: {}.", directory, e.getMessage());
            return false;
        }
    }

    private void makeReserve(long bytes) throws IOException {
        giveUpReserve();
        if (bytes == 0) {
            return;
        }
        try (DiskFile reserve = disk.open(directory.resolve(RESERVE), Disk.OpenMode.CREATE)) {
            ByteBuffer filling = ByteBuffer.allocate(RESERVE_CHUNK_BYTES);
            fill(filling);
            for (long at = 0; at < bytes; at += RESERVE_STEP_BYTES) {
                int from = (int) (at % RESERVE_CHUNK_BYTES);
                for (int block = from; block < from + RESERVE_STEP_BYTES; block += BLOCK_BYTES) {
                    filling.putLong(block, at + block);
                }
                int length = (int) Math.min(RESERVE_STEP_BYTES, bytes - at);
                reserve.write(filling.slice(from, length), at);
            }
        } catch (ShortageException _) {
            giveUpReserve(); // Somebody else was faster; another check will try again.
        }
    }

    /// Bytes that a file system which compresses cannot make smaller. They come again in each
    /// chunk, but for a number in each block.
    private static void fill(ByteBuffer buffer) {
        long state = 0x9E3779B97F4A7C15L;
        while (buffer.hasRemaining()) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            buffer.putLong(state);
        }
    }
}

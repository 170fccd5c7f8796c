package dev.ottla.quorum.store;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The snapshots beside the metadata log. Two at least are kept, and the log from the oldest one
/// on, so that a snapshot that cannot be read costs nothing but time. Owned by the metadata thread,
/// except for [#write].
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
    private static final int KEPT = 2;

    private final Disk disk;
    private final Path directory;
    private final NavigableSet<SnapshotId> known = new TreeSet<>();

    Snapshots(Disk disk, Path directory) {
        this.disk = disk;
        this.directory = directory;
    }

    void find() throws IOException {
        if (!disk.isDirectory(directory)) return;
        for (String name : disk.list(directory)) SnapshotId.parse(name).ifPresent(known::add);
    }

    /// Hands the newest snapshot that can be read to the listener; empty when there is none.
    Optional<SnapshotId> load(MetadataLog.Listener listener) {
        for (SnapshotId id : known.descendingSet()) {
            try (SnapshotReader reader = new SnapshotReader(disk, file(id))) {
                listener.onSnapshot(id.endOffset() - 1, id.epoch(), reader);
                return Optional.of(id);
            } catch (IOException | RuntimeException e) {
                LOG.error(
                        "Snapshot {} cannot be read, the one before is taken: {}",
                        file(id),
                        e.toString());
            }
        }
        return Optional.empty();
    }

    Optional<SnapshotId> newest() {
        return known.isEmpty() ? Optional.empty() : Optional.of(known.last());
    }

    Optional<SnapshotId> at(long endOffset) {
        return Optional.ofNullable(known.floor(new SnapshotId(endOffset, Integer.MAX_VALUE)))
                .filter(id -> id.endOffset() == endOffset);
    }

    IncomingSnapshot receive(SnapshotId id) {
        return new IncomingSnapshot(disk, directory, id);
    }

    Optional<MetadataStore.SnapshotPart> read(SnapshotId id, long position, int maxBytes)
            throws IOException {
        if (!known.contains(id)) return Optional.empty();
        try (DiskFile file = disk.open(file(id), Disk.OpenMode.READ)) {
            long size = file.size();
            long available = Math.clamp(size - position, 0, maxBytes);
            ByteBuffer bytes = ByteBuffer.allocate((int) available);
            file.read(bytes, position);
            return Optional.of(new MetadataStore.SnapshotPart(size, bytes.flip()));
        }
    }

    /// Makes a snapshot. On the directory's lane.
    void write(SnapshotId id, long lastLogTimestampMs, Iterable<MetadataRecord> image)
            throws IOException {
        SnapshotWriter.write(disk, directory, id, lastLogTimestampMs, image);
    }

    /// Takes note of a snapshot that was written.
    void onWritten(SnapshotId id) {
        known.add(id);
    }

    /// Forgets the oldest ones that the limits leave no room for, and returns their files, which
    /// may be removed once the log starts at [#neededFrom].
    List<Path> expire(long logBytes, MetadataStoreOptions options, long nowMs) throws IOException {
        long total = logBytes;
        for (SnapshotId id : known) total += disk.sizeBytes(file(id));
        List<Path> expired = new ArrayList<>();
        while (known.size() > KEPT) {
            Path oldest = file(known.first());
            long bytes = disk.sizeBytes(oldest);
            boolean old = exceeds(nowMs - disk.lastModifiedMs(oldest), options.retentionMs());
            if (!exceeds(total, options.retentionBytes()) && !old) break;
            known.removeFirst();
            expired.add(oldest);
            total -= bytes;
        }
        return expired;
    }

    private static boolean exceeds(long value, long limit) {
        return limit >= 0 && value > limit;
    }

    /// The log is needed from here on, so that the oldest snapshot kept can be taken.
    long neededFrom() {
        return known.size() < KEPT ? 0 : known.first().endOffset();
    }

    /// Removes files, if possible.
    void remove(List<Path> files) {
        for (Path file : files) {
            try {
                disk.delete(file);
            } catch (IOException e) {
                LOG.warn("The old snapshot {} could not be removed: {}", file, e.getMessage());
            }
        }
    }

    private Path file(SnapshotId id) {
        return directory.resolve(id.fileName());
    }
}

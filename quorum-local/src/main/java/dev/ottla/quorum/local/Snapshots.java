package dev.ottla.quorum.local;

import dev.ottla.log.disk.Disk;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.wire.WireException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The snapshots beside the metadata log. Two are kept, and the log from the older one on, so that
/// a snapshot that cannot be read costs nothing but time. Owned by the metadata thread, except for
/// [#write].
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
            try (SnapshotReader reader =
                    new SnapshotReader(disk, directory.resolve(id.fileName()))) {
                listener.onSnapshot(id.endOffset() - 1, id.epoch(), reader);
                return Optional.of(id);
            } catch (IOException | UncheckedIOException | WireException e) {
                LOG.error(
                        "Snapshot {} cannot be read, the one before is taken: {}",
                        directory.resolve(id.fileName()),
                        e.getMessage());
            }
        }
        return Optional.empty();
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

    /// The log is needed from here on, so that the older of the snapshots kept can be taken.
    long neededFrom() {
        return known.size() < KEPT ? 0 : keptOldest().endOffset();
    }

    private SnapshotId keptOldest() {
        SnapshotId oldest = known.last();
        for (int i = 1; i < KEPT; i++) {
            SnapshotId before = known.lower(oldest);
            oldest = before == null ? oldest : before;
        }
        return oldest;
    }

    /// Removes the snapshots that are kept no longer.
    void removeOld() {
        while (known.size() > KEPT) {
            SnapshotId oldest = known.removeFirst();
            try {
                disk.delete(directory.resolve(oldest.fileName()));
            } catch (IOException e) {
                LOG.warn(
                        "The old snapshot {} could not be removed: {}",
                        directory.resolve(oldest.fileName()),
                        e.getMessage());
            }
        }
    }
}

package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.segment.DamagedLogException;
import dev.ottla.log.segment.SegmentName;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Whether a partition's directory holds the records of the topic that it is opened for, as its
/// `partition.metadata` says. Pure but for reading the disk.
///
/// A crash right after the directory was made may leave that file missing, empty or cut short, with
/// zeros for what was not written. This passes as long as nothing in the directory can have been
/// durable: records are synced together with the file.
final class PartitionIdentity {
    private final Disk disk;
    private final Path directory;
    private final PartitionId id;
    private final Path file;

    PartitionIdentity(Disk disk, Path directory, PartitionId id) {
        this.disk = disk;
        this.directory = directory;
        this.id = id;
        file = directory.resolve(PartitionMetadataFile.NAME);
    }

    /// True when the file says so, false when it must be written (again). Throws when the directory
    /// belongs to another topic, or when that cannot be known.
    ///
    /// @param unsynced nothing here was ever reported to be durable, and the last stop was a crash
    boolean verify(boolean unsynced) throws IOException {
        Optional<String> text = DiskIo.readText(disk, file);
        Optional<Uuid> named = text.flatMap(PartitionMetadataFile::parse);
        if (named.isPresent()) {
            if (named.get().equals(id.topicId())) {
                return true;
            }
            throw damaged("names topic id " + named.get());
        }
        String content = text.orElse("").replace("\0", "");
        boolean unfinished = PartitionMetadataFile.format(id.topicId()).startsWith(content);
        if (unfinished && (unsynced || isWithoutRecords())) {
            return false;
        }
        throw damaged(
                text.isEmpty()
                        ? "is missing"
                        : content.isEmpty() ? "is empty" : "is damaged and names no topic id");
    }

    private boolean isWithoutRecords() throws IOException {
        for (String name : disk.list(directory)) {
            if (name.endsWith(SegmentName.LOG) && disk.sizeBytes(directory.resolve(name)) > 0) {
                return false;
            }
        }
        return true;
    }

    private DamagedLogException damaged(String what) {
        return new DamagedLogException(
                "%s %s, but the records beside it should be those of topic %s with id %s. If they are, write \"version: 0\" and \"topic_id: %s\" into that file, one line each; if they are not, move %s away to begin without records. Then start the broker again"
                        .formatted(file, what, id.topic(), id.topicId(), id.topicId(), directory));
    }
}

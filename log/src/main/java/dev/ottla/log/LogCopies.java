package dev.ottla.log;

import dev.ottla.log.DataDirectory.StoredPartition;
import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The copies in one data directory of logs that are moving in from other directories of the broker, found at opening:
///
///     orders-3.<topic id>-future/
///
/// A copy is complete if and only if the cluster assigns its partition to this directory: the assignment is made when the
/// copy is durable to its end, and before it gets the log's name. Used by the thread that opens the directory.
final class LogCopies {
    private static final int MAX_NAME_BYTES = 255;
    private static final Pattern NAME = Pattern.compile("(.+)\\.[0-9a-f]{32}-future");

    private final Disk disk;
    private final Path root;

    /// Name of the directory and topic id of each copy.
    private final Map<TopicPartition, Copy> stored = new ConcurrentHashMap<>();

    private record Copy(String name, Optional<Uuid> topicId) {}

    LogCopies(Disk disk, Path root) {
        this.disk = disk;
        this.root = root;
    }

    /// Name of the directory of a copy; empty when it would be too long for a file system.
    static Optional<String> nameOf(PartitionId id) {
        String name = id.directoryName() + "." + DataDirectory.hex(id.topicId()) + "-future";
        return name.length() > MAX_NAME_BYTES ? Optional.empty() : Optional.of(name);
    }

    /// Notes a directory if it is a copy by its name.
    boolean tryAdd(String name) throws IOException {
        Matcher matcher = NAME.matcher(name);
        Optional<TopicPartition> partition =
                matcher.matches() ? PartitionId.parse(matcher.group(1)) : Optional.empty();
        if (partition.isEmpty()) {
            return false;
        }
        Optional<Uuid> topicId =
                DiskIo.readText(disk, root.resolve(name).resolve(PartitionMetadataFile.NAME))
                        .flatMap(PartitionMetadataFile::parse);
        stored.put(partition.get(), new Copy(name, topicId));
        return true;
    }

    List<StoredPartition> list() {
        List<StoredPartition> found = new ArrayList<>();
        stored.forEach((partition, copy) ->
                found.add(
                        new StoredPartition(
                                partition.topic(), partition.partition(), copy.topicId())));
        return found;
    }

    /// Where the copy of a partition is; it leaves the list.
    Optional<Path> take(TopicPartition partition) {
        return Optional.ofNullable(stored.remove(partition)).map(copy -> root.resolve(copy.name()));
    }
}

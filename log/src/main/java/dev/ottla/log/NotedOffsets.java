package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One offset for each log of a data directory, in a checkpoint file. Guarded by the lock of the
/// manifest that it belongs to.
final class NotedOffsets {
    private static final Logger LOG = LoggerFactory.getLogger(NotedOffsets.class);

    private final String fileName;
    private final Map<TopicPartition, Long> offsets;
    private boolean changed;

    private NotedOffsets(String fileName, Map<TopicPartition, Long> offsets) {
        this.fileName = fileName;
        this.offsets = offsets;
    }

    /// @param consequence of a damaged file, for the operator
    static NotedOffsets load(Disk disk, Path root, String fileName, String consequence)
            throws IOException {
        Path file = root.resolve(fileName);
        Optional<String> text = DiskIo.readText(disk, file);
        Optional<Map<TopicPartition, Long>> offsets = text.flatMap(OffsetCheckpointFile::parse);
        if (text.isPresent() && offsets.isEmpty()) {
            LOG.error("{} is damaged: {}.", file, consequence);
        }
        return new NotedOffsets(fileName, offsets.orElseGet(TreeMap::new));
    }

    String fileName() {
        return fileName;
    }

    OptionalLong find(TopicPartition partition) {
        Long offset = offsets.get(partition);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    void put(TopicPartition partition, long offset) {
        Long before = offsets.put(partition, offset);
        changed |= before == null || before != offset;
    }

    /// Returns whether it was there.
    boolean remove(TopicPartition partition) {
        boolean present = offsets.remove(partition) != null;
        changed |= present;
        return present;
    }

    /// Those with an offset above 0.
    List<TopicPartition> positive() {
        return offsets.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// What the file has to hold, if that is not what it holds; from now on it is taken to do so.
    Optional<String> takeChanges() {
        if (!changed) {
            return Optional.empty();
        }
        changed = false;
        return Optional.of(OffsetCheckpointFile.format(offsets));
    }

    /// What was taken could not be written.
    void notWritten() {
        changed = true;
    }
}

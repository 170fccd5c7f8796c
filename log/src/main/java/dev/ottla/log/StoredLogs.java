package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.segment.DamagedLogException;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a data directory knows of the logs that have a directory in it, open or not: of which topic
/// each one is, and which of them the next start must look at. Thread-safe: shards and lanes change
/// it, each for a log of theirs.
final class StoredLogs {
    private static final Logger LOG = LoggerFactory.getLogger(StoredLogs.class);

    private final Disk disk;
    private final Path root;
    private final Manifest manifest;
    private final SegmentTally tally;

    /// Topic ids; an empty one where that is missing or damaged.
    private final Map<TopicPartition, Optional<Uuid>> owners = new ConcurrentHashMap<>();

    /// After an unclean stop all that were found, until they are opened, and those that could not
    /// be opened.
    private final Set<TopicPartition> unrecovered = ConcurrentHashMap.newKeySet();

    StoredLogs(Disk disk, Path root, Manifest manifest, SegmentTally tally) {
        this.disk = disk;
        this.root = root;
        this.manifest = manifest;
        this.tally = tally;
    }

    void add(TopicPartition partition, Uuid topicId) {
        owners.put(partition, Optional.of(topicId));
    }

    /// A directory with the name of this log was found; whose it is stands in it.
    void addFound(TopicPartition partition) throws IOException {
        owners.put(partition, readOwner(partition));
    }

    private Optional<Uuid> readOwner(TopicPartition partition) throws IOException {
        Path directory = root.resolve(partition.toString());
        return DiskIo.readText(disk, directory.resolve(PartitionMetadataFile.NAME))
                .flatMap(PartitionMetadataFile::parse);
    }

    void forget(TopicPartition partition) throws IOException {
        owners.remove(partition);
        unrecovered.remove(partition);
        manifest.remove(partition);
        tally.remove(partition);
    }

    /// Whether there is a log of that name, or was one with records.
    boolean isKnown(TopicPartition partition) {
        return owners.containsKey(partition) || manifest.recoveryPoint(partition).isPresent();
    }

    boolean contains(TopicPartition partition) {
        return owners.containsKey(partition);
    }

    /// Empty when the log is not here, too.
    Optional<Uuid> topicId(TopicPartition partition) {
        return owners.getOrDefault(partition, Optional.empty());
    }

    boolean isOf(PartitionId id) {
        return topicId(id.topicPartition()).equals(Optional.of(id.topicId()));
    }

    /// Whether the log's directory was found to be of this topic, by its own word.
    boolean isIdentified(PartitionId id) {
        return tally.resting(id.topicPartition()).isEmpty() && isOf(id);
    }

    /// What could not be opened may be of another topic than was thought.
    void askWhose(PartitionId id) {
        TopicPartition partition = id.topicPartition();
        if (!contains(partition)) {
            return;
        }
        Optional<Uuid> owner = Optional.empty();
        try {
            owner = readOwner(partition);
        } catch (IOException e) {
            LOG.debug("The owner of {} is not known.", id, e);
        }
        owners.put(partition, owner);
    }

    List<DataDirectory.StoredPartition> list() {
        List<DataDirectory.StoredPartition> found = new ArrayList<>();
        owners.forEach((partition, topicId) ->
                found.add(
                        new DataDirectory.StoredPartition(
                                partition.topic(), partition.partition(), topicId)));
        return found;
    }

    /// Logs with durable records that have no directory here any more.
    List<DataDirectory.StoredPartition> missing() {
        List<DataDirectory.StoredPartition> missing = new ArrayList<>();
        for (TopicPartition partition : manifest.partitionsWithRecords()) {
            if (!contains(partition)) {
                missing.add(
                        new DataDirectory.StoredPartition(
                                partition.topic(), partition.partition(), Optional.empty()));
            }
        }
        return missing;
    }

    /// For a log that has no directory: it is never begun anew in silence.
    void refuseIfMissing(PartitionId id) throws DamagedLogException {
        long recoveryPoint = manifest.recoveryPoint(id.topicPartition()).orElse(0);
        if (recoveryPoint > 0) {
            throw new DamagedLogException(
                    "%s is missing, although its records up to offset %d were on disk. Put it back from a copy and start the broker again, or delete the topic"
                            .formatted(root.resolve(id.directoryName()), recoveryPoint));
        }
    }

    // --- what the next start must look at

    void mustBeRecovered(TopicPartition partition) {
        unrecovered.add(partition);
    }

    void onRecovered(TopicPartition partition) {
        unrecovered.remove(partition);
    }

    boolean allRecovered() {
        return unrecovered.isEmpty();
    }
}

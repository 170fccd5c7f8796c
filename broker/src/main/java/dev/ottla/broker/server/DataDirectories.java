package dev.ottla.broker.server;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.config.ConfigKey;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.LogKeys;
import dev.ottla.config.QuorumKeys;
import dev.ottla.config.ServerKeys;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.DirectoryException;
import dev.ottla.log.MetaProperties;
import dev.ottla.log.PartitionId;
import dev.ottla.log.SpaceMarks;
import dev.ottla.log.disk.Disk;
import dev.ottla.metadata.Directories;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The data directories of a broker and the threads that do their slow work. Made, asked and closed
/// by the wiring's thread.
final class DataDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectories.class);
    private static final String METADATA_TOPIC = "__cluster_metadata";
    private static final long LANE_STOP_SECONDS = 10;

    // One part in so many of a file system.
    private static final int FULL_SHARE = 20;
    private static final int RESUME_SHARE = 10;
    private static final int RESERVE_SHARE = 50;
    private static final long IDLE_RECOVERY_SECONDS = 5;

    /// Files of Kafka's own quorum.
    private static final List<Path> KAFKA_MARKS =
            List.of(
                    Path.of("bootstrap.checkpoint"),
                    Path.of(METADATA_TOPIC + "-0", "quorum-state"));

    /// What a directory keeps that a process has once opened.
    private static final String LOCK = ".lock";

    private final Map<Uuid, DataDirectory> byId = new LinkedHashMap<>();

    /// In the order of the lanes: those of `byId`, and that of the metadata if it has its own.
    private final List<DataDirectory> all = new ArrayList<>();

    /// Of the same order: whether a process had opened it before this one.
    private final List<Boolean> openedBefore = new ArrayList<>();

    /// Written by the upkeep thread, read by heartbeats; that of a moment ago will do.
    private volatile Set<Uuid> stuck = Set.of();

    private int metadataIndex;
    private final List<ExecutorService> lanes = new ArrayList<>();
    private final List<ThreadPoolExecutor> recoveries = new ArrayList<>();

    /// Opens all directories of the configuration, which are made when they are not there. Refuses
    /// the start, with the reason, when one cannot be used.
    static DataDirectories open(ConfigValues values, Disk disk, Supplier<Uuid> freshIds) {
        DataDirectories directories = new DataDirectories();
        try {
            for (String path : values.value(LogKeys.LOG_DIRS)) {
                DataDirectory added = directories.open(normal(path), values, disk, freshIds.get());
                directories.byId.put(added.id(), added);
            }
            Optional<String> metadata = values.optional(QuorumKeys.METADATA_LOG_DIR);
            if (metadata.isPresent()) {
                directories.openMetadata(normal(metadata.get()), values, disk, freshIds);
            }
            return directories;
        } catch (DirectoryException e) {
            directories.close(false);
            throw new StartRefusedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Path normal(String path) {
        return Path.of(path).toAbsolutePath().normalize();
    }

    /// The metadata may live with partitions or alone.
    private void openMetadata(Path path, ConfigValues values, Disk disk, Supplier<Uuid> freshIds)
            throws DirectoryException {
        metadataIndex = all.stream().map(DataDirectory::path).toList().indexOf(path);
        if (metadataIndex < 0) {
            metadataIndex = all.size();
            var _ = open(path, values, disk, freshIds.get());
        }
    }

    private DataDirectory open(Path path, ConfigValues values, Disk disk, Uuid freshId)
            throws DirectoryException {
        refuseForeign(path, disk);
        boolean openedOnce = disk.exists(path.resolve(LOCK));
        int threads = values.value(ServerKeys.NUM_IO_THREADS_PER_DATA_DIR);
        ExecutorService lane =
                Executors.newFixedThreadPool(threads, Threads.named("io-" + path.getFileName()));
        lanes.add(lane);
        ThreadPoolExecutor recovery =
                recovery(path, values.value(LogKeys.NUM_RECOVERY_THREADS_PER_DATA_DIR));
        recoveries.add(recovery);
        DataDirectory directory =
                DataDirectory.open(
                        disk,
                        path,
                        new DataDirectory.Options(
                                threads,
                                DataDirectory.Options.DEFAULT_SYNC_TOGETHER_FROM,
                                marks(values),
                                freshId),
                        lane,
                        recovery);
        Optional<DataDirectory> twin =
                all.stream().filter(other -> other.id().equals(directory.id())).findFirst();
        all.add(directory);
        openedBefore.add(openedOnce);
        if (twin.isPresent()) {
            throw new DirectoryException(
                    "The data directory "
                            + path
                            + " is a copy of "
                            + twin.get()
                            + ": remove one of them.");
        }
        return directory;
    }

    /// Before anything is written: a directory that is named twice, or that is Kafka's.
    private void refuseForeign(Path path, Disk disk) throws DirectoryException {
        if (all.stream().anyMatch(other -> other.path().equals(path))) {
            throw new DirectoryException(
                    "The data directory " + path + " stands twice in log.dirs: name it once.");
        }
        for (Path mark : KAFKA_MARKS) {
            if (disk.exists(path.resolve(mark))) {
                throw new DirectoryException(
                        "The data directory "
                                + path
                                + " belongs to Apache Kafka (it has "
                                + mark
                                + "): Ottla keeps metadata of its own, so give it another"
                                + " directory and copy the topics through clients.");
            }
        }
    }

    /// Its threads go away when there is nothing more to recover.
    private static ThreadPoolExecutor recovery(Path path, int threads) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        IDLE_RECOVERY_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Threads.named("recovery-" + path.getFileName()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /// Follows what can be changed while the broker runs, from what is in force now on.
    void follow(BrokerConfig config) {
        config.onChange(resolver -> apply(resolver.broker()));
    }

    private void apply(ConfigValues values) {
        int threads = values.value(LogKeys.NUM_RECOVERY_THREADS_PER_DATA_DIR);
        for (ThreadPoolExecutor recovery : recoveries) {
            recovery.setMaximumPoolSize(Math.max(threads, recovery.getCorePoolSize()));
            recovery.setCorePoolSize(threads);
            recovery.setMaximumPoolSize(threads);
        }
        for (DataDirectory directory : all) {
            directory.updateSpaceMarks(marks(values));
        }
        checkSpace();
    }

    /// What nobody set is at most a share of the file system, so that small ones can be used.
    private static SpaceMarks marks(ConfigValues values) {
        return new SpaceMarks(
                mark(values, LogKeys.LOG_DIR_MIN_FREE_BYTES, FULL_SHARE),
                mark(values, LogKeys.LOG_DIR_RESUME_FREE_BYTES, RESUME_SHARE),
                mark(values, LogKeys.LOG_DIR_RESERVE_BYTES, RESERVE_SHARE));
    }

    private static SpaceMarks.Mark mark(ConfigValues values, ConfigKey<Long> key, int share) {
        return new SpaceMarks.Mark(values.value(key), values.isSet(key) ? 1 : share);
    }

    Map<Uuid, DataDirectory> byId() {
        return byId;
    }

    /// Where the metadata log is: as `metadata.log.dir` says, or the first of all.
    DataDirectory ofMetadata() {
        return all.get(metadataIndex);
    }

    /// Ids of those that have not failed.
    List<Uuid> online() {
        return byId.values().stream()
                .filter(directory -> directory.offlineReason().isEmpty())
                .map(DataDirectory::id)
                .toList();
    }

    /// Ids of those of them that take no records now: they have no room, or nothing comes to its
    /// end there.
    List<Uuid> full() {
        Set<Uuid> stuck = this.stuck;
        return byId.values().stream()
                .filter(directory -> directory.offlineReason().isEmpty())
                .filter(directory ->
                        directory.fullReason().isPresent() || stuck.contains(directory.id()))
                .map(DataDirectory::id)
                .toList();
    }

    /// In these nothing comes to its end any more.
    void stuck(Set<Uuid> directories) {
        stuck = Set.copyOf(directories);
    }

    /// `listener` is run on any thread when one of them becomes full, has room again or fails.
    void onChange(Runnable listener) {
        byId.values().forEach(directory -> directory.onChange(listener));
    }

    /// The threads of the directory of the metadata.
    ExecutorService laneOfMetadata() {
        return lanes.get(metadataIndex);
    }

    List<Path> paths() {
        return byId.values().stream().map(DataDirectory::path).toList();
    }

    /// Whether everything here was written by brokers that stopped in order.
    boolean wereClean() {
        return byId.values().stream().allMatch(DataDirectory::wasClean);
    }

    /// The node id that the directories were written by. Refuses the start when they are of several
    /// nodes.
    Optional<Integer> storedNodeId() {
        return stored(MetaProperties::nodeId, "node id");
    }

    /// The cluster that the directories belong to. Refuses the start when there are several.
    Optional<String> storedClusterId() {
        return stored(MetaProperties::clusterId, "cluster id");
    }

    private <T> Optional<T> stored(
            java.util.function.Function<MetaProperties, T> field, String what) {
        Optional<T> found = Optional.empty();
        for (DataDirectory directory : all) {
            Optional<T> here = directory.properties().map(field);
            if (here.isPresent() && found.isPresent() && !here.equals(found)) {
                throw new StartRefusedException(
                        "data directory %s has %s %s, another has %s. Give each broker directories of its own."
                                .formatted(directory, what, here.get(), found.get()));
            }
            found = found.isPresent() ? found : here;
        }
        return found;
    }

    /// Refuses the start when there are partitions, but not what says whose they are or what is in
    /// them. They must not be taken for those of a new broker, which would set them all aside.
    ///
    /// @param copied whether the metadata comes from other nodes, so that it may be missing
    void refuseOrphans(Disk disk, boolean copied) {
        for (DataDirectory directory : all) {
            if (hasPartitions(directory) && directory.properties().isEmpty()) {
                throw new StartRefusedException(
                        "data directory %s has partitions, but no meta.properties that says whose they are. Restore that file, or use an empty directory."
                                .formatted(directory));
            }
        }
        List<DataDirectory> withMetadata = all.stream().filter(MetadataStore::exists).toList();
        if (withMetadata.equals(List.of(ofMetadata()))) {
            if (!copied) {
                refuseEmptyMetadata(disk);
            }
            return;
        }
        for (DataDirectory directory : withMetadata) {
            if (directory != ofMetadata()) {
                throw new StartRefusedException(
                        "the cluster's metadata is in data directory %s, but %s is the one that should hold it. Name %s in metadata.log.dir, or keep %s-0 in one of them only."
                                .formatted(directory, ofMetadata(), directory, METADATA_TOPIC));
            }
        }
        for (int i = 0; i < all.size() && !copied; i++) {
            refuseWithoutMetadata(all.get(i), openedBefore.get(i));
        }
    }

    /// A cluster's first record is on the disk before its first partition is made.
    private void refuseEmptyMetadata(Disk disk) {
        try {
            if (MetadataStore.hasRecords(disk, ofMetadata())) {
                return;
            }
        } catch (IOException e) {
            throw new StartRefusedException(
                    "the metadata in data directory %s cannot be read: %s"
                            .formatted(ofMetadata(), e.getMessage()),
                    e);
        }
        for (DataDirectory directory : all) {
            if (hasPartitions(directory)) {
                throw new StartRefusedException(
                        "data directory %s has partitions, but %s-0 in %s has lost its records, which say which topics they are of. Restore it, or use empty directories."
                                .formatted(directory, METADATA_TOPIC, ofMetadata()));
            }
        }
    }

    /// A directory that was only marked, as Kafka's own tool does, has no history yet.
    private void refuseWithoutMetadata(DataDirectory directory, boolean openedOnce) {
        if (hasPartitions(directory)) {
            throw new StartRefusedException(
                    "data directory %s has partitions, but there is no %s-0 in %s that says which topics they are of. Restore it, name the directory that has it in metadata.log.dir, or use empty directories."
                            .formatted(directory, METADATA_TOPIC, ofMetadata()));
        }
        Optional<String> cluster = directory.properties().map(MetaProperties::clusterId);
        if (openedOnce && cluster.isPresent()) {
            throw new StartRefusedException(
                    "data directory %s was used by cluster %s, whose metadata is not in %s. Name the directory that has %s-0 in metadata.log.dir, or use empty directories."
                            .formatted(directory, cluster.get(), ofMetadata(), METADATA_TOPIC));
        }
    }

    private static boolean hasPartitions(DataDirectory directory) {
        return directory.storedPartitions().stream()
                .anyMatch(stored -> !stored.topic().equals(METADATA_TOPIC));
    }

    /// Writes into every directory whose it is.
    void claim(String clusterId, int nodeId) {
        for (DataDirectory directory : all) {
            try {
                directory.claim(clusterId, nodeId);
            } catch (IOException e) {
                throw new StartRefusedException(
                        "data directory " + directory + " cannot be written: " + e.getMessage(), e);
            }
        }
    }

    /// The partitions with records here that `image` assigns to this broker and directory, those
    /// included whose directory is missing or does not say truly whose it is: opening them fails
    /// with the reason. All others are stray: they are set aside and never served.
    List<PartitionKey> takeStored(ClusterImage image, int brokerId) {
        List<PartitionKey> known = new ArrayList<>();
        for (DataDirectory directory : byId.values()) {
            takeCopies(directory, image, brokerId);
            for (DataDirectory.StoredPartition stored : directory.storedPartitions()) {
                if (stored.topic().equals(METADATA_TOPIC)) {
                    continue;
                }
                Optional<PartitionKey> assigned =
                        assigned(stored, image, brokerId, directory.id())
                                .or(() -> misnamed(stored, image, brokerId, directory.id()));
                if (assigned.isPresent()) {
                    known.add(assigned.get());
                } else {
                    setAside(directory, stored);
                }
            }
            for (DataDirectory.StoredPartition missing : directory.missingPartitions()) {
                misnamed(missing, image, brokerId, directory.id()).ifPresent(known::add);
            }
        }
        return known;
    }

    /// A move from another directory that the cluster knows of is finished; the others are
    /// forgotten.
    private static void takeCopies(DataDirectory directory, ClusterImage image, int brokerId) {
        try {
            for (DataDirectory.StoredPartition copy : directory.storedCopies()) {
                Optional<PartitionKey> assigned = assigned(copy, image, brokerId, directory.id());
                if (assigned.isPresent()) {
                    directory.adoptStoredCopy(
                            new PartitionId(
                                    assigned.get().topicId(), copy.topic(), copy.partition()));
                }
            }
            directory.discardStoredCopies();
        } catch (IOException e) {
            throw new StartRefusedException(
                    "partitions that were moving to data directory %s cannot be dealt with: %s"
                            .formatted(directory, e.getMessage()),
                    e);
        }
    }

    /// The partition that a directory is named after, if it is assigned here, although the
    /// directory has no topic id, or that of another topic. An id that no topic has is a former
    /// incarnation's.
    private static Optional<PartitionKey> misnamed(
            DataDirectory.StoredPartition stored,
            ClusterImage image,
            int brokerId,
            Uuid directory) {
        if (stored.topicId().isPresent() && stored.topicId().flatMap(image::topic).isEmpty()) {
            return Optional.empty();
        }
        return image.topic(stored.topic())
                .filter(topic -> !stored.topicId().equals(Optional.of(topic.id())))
                .flatMap(topic ->
                        assigned(
                                new DataDirectory.StoredPartition(
                                        stored.topic(),
                                        stored.partition(),
                                        Optional.of(topic.id())),
                                image,
                                brokerId,
                                directory));
    }

    /// The partition, if `image` assigns it to this broker and directory.
    private static Optional<PartitionKey> assigned(
            DataDirectory.StoredPartition stored,
            ClusterImage image,
            int brokerId,
            Uuid directory) {
        return stored.topicId()
                .flatMap(image::topic)
                .filter(topic -> topic.name().equals(stored.topic()))
                .filter(topic ->
                        topic.partition(stored.partition())
                                .filter(state -> isAssigned(state, brokerId, directory))
                                .isPresent())
                .map(topic -> new PartitionKey(topic.id(), stored.partition()));
    }

    private static boolean isAssigned(PartitionState state, int brokerId, Uuid directory) {
        if (!state.replicas().has(brokerId)) {
            return false;
        }
        Uuid assigned = state.directoryOf(brokerId);
        return assigned.equals(directory)
                || assigned.equals(Directories.UNASSIGNED)
                || assigned.equals(Directories.MIGRATING);
    }

    private static void setAside(DataDirectory directory, DataDirectory.StoredPartition stored) {
        try {
            directory.setAside(stored.topic(), stored.partition());
        } catch (IOException e) {
            throw new StartRefusedException(
                    "partition directory %s-%d in %s is not known to the cluster and cannot be set aside: %s"
                            .formatted(
                                    stored.topic(), stored.partition(), directory, e.getMessage()),
                    e);
        }
    }

    /// Looks at the free room of each directory, on its lane.
    void checkSpace() {
        int i = 0;
        for (DataDirectory directory : all) {
            lanes.get(i++).execute(directory::checkSpace);
        }
    }

    /// Removes what was deleted some time ago, on the lanes.
    void removeDeletedFiles(long nowMs) {
        int i = 0;
        for (DataDirectory directory : all) {
            lanes.get(i++).execute(() -> directory.removeDeletedFiles(nowMs));
        }
    }

    /// Makes recovery points durable.
    void checkpoint() {
        all.forEach(DataDirectory::checkpoint);
    }

    /// Closes everything. With `inOrder` every log has been closed, and the next start trusts what
    /// it finds.
    void close(boolean inOrder) {
        // What was not opened yet is looked at by the next start.
        recoveries.forEach(recovery -> recovery.getQueue().clear());
        end(recoveries);
        for (DataDirectory directory : all) {
            try {
                directory.close(inOrder);
            } catch (IOException e) {
                LOG.error("Data directory {} could not be closed in order.", directory, e);
            }
        }
        end(lanes);
    }

    private static void end(List<? extends ExecutorService> pools) {
        pools.forEach(ExecutorService::shutdown);
        for (ExecutorService pool : pools) {
            try {
                if (!pool.awaitTermination(LANE_STOP_SECONDS, TimeUnit.SECONDS)) {
                    LOG.error(
                            "The work on a data directory did not end within {} s.",
                            LANE_STOP_SECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

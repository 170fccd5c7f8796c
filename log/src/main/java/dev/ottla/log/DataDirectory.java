package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFullException;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.NameInUseException;
import dev.ottla.log.disk.NoDescriptorException;
import dev.ottla.log.disk.PatientDisk;
import dev.ottla.log.disk.ShortageException;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.log.segment.DamagedLogException;
import dev.ottla.log.segment.Segment;
import dev.ottla.log.segment.SegmentName;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One directory that holds logs: who it belongs to, what is in it, how far recovery must go back, and the services that
/// its logs share. Thread-safe, except that a log is opened and used by its own shard.
///
///     .lock                              held while the directory is open
///     meta.properties                    cluster, node and directory id
///     .kafka_cleanshutdown               there only while no process uses the directory and the last one closed it
///     recovery-point-offset-checkpoint   everything before it is durable, with all that is derived from it
///     log-start-offset-checkpoint        where logs start whose beginning was deleted
///     ottla-segments-at-stop             how much each log had when it was closed in order
///     orders-3/                          one log
///     orders-3.<id>-delete/              going away
///     orders-3.<id>-future/              a copy of a log that is moving here from another directory
///     orders-3.<id>-stray/               of no topic that is known; kept for the operator
///     .ottla-reserve                     room that is given up when the disk is full
///
/// The names are Kafka's, so its tools read the directory and either broker can take over from the other.
public final class DataDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

    private static final String LOCK = ".lock";
    private static final String CLEAN_MARK = ".kafka_cleanshutdown";
    private static final String DELETE_SUFFIX = "-delete";

    /// Kafka takes it for its own; by the space it is known whose it is.
    private static final String CLEAN_TEXT = "{\"version\":0, \"brokerEpoch\":-1}";

    private static final String STRAY_SUFFIX = "-stray";
    private static final String DELETED_FILE_SUFFIX = ".deleted";
    private static final int MAX_NAME_BYTES = 255;

    /// A shard may have to look at a log that rests while others wait, so it must be quick.
    private static final int MAX_RESTING_SEGMENTS = 16;

    private final Disk disk;
    private final Disk patientDisk; // For lanes only.
    private final Path path;
    private final Options options;
    private final Executor lane;
    private final WriteBehind writeBehind;
    private final Executor recovery;
    private final AutoCloseable lock;
    private final Optional<MetaProperties> storedProperties;
    private final boolean clean;
    private final Manifest manifest;
    private final SegmentTally tally;
    private final SyncService syncService;
    private final DiskSpace space;
    private final LogLoads loads;
    private final RecoveryProgress progress;

    private final StoredLogs stored;
    private final LogCopies copies;
    private final LateDeletions lateDeletions;

    /// Logs that are open, so that all hear of a failure. Shards add and remove theirs.
    private final Set<PartitionLog> logs = ConcurrentHashMap.newKeySet();

    /// Logs whose directory still has its name although they are deleted. Shards add, lanes and
    /// shards remove.
    private final Map<TopicPartition, PathLease> leaving = new ConcurrentHashMap<>();

    /// Set once by the first failure, on any thread; read by all.
    private volatile @Nullable String offlineReason;

    /// Written once, by who wires the directory; read by whoever finds that it has failed.
    private volatile Runnable onChange = () -> {};

    /// Set by shards, read by whoever closes the directory after them.
    private volatile boolean closedOutOfOrder;

    /// What the wiring decides about a directory.
    ///
    /// @param syncWorkers syncs that may run at the same time
    /// @param syncTogetherFrom so many dirty logs are made durable by one sync of the file system
    /// @param newDirectoryId the id of a directory that has none yet
    public record Options(
            int syncWorkers, int syncTogetherFrom, SpaceMarks marks, Uuid newDirectoryId) {
        /// Where one sync of the file system begins to cost less than many of single files, by
        /// docs/decisions/0003.
        public static final int DEFAULT_SYNC_TOGETHER_FROM = 4;

        public Options(
                int syncWorkers,
                int syncTogetherFrom,
                long fullBelowBytes,
                long resumeAboveBytes,
                long reserveBytes,
                Uuid newDirectoryId) {
            this(
                    syncWorkers,
                    syncTogetherFrom,
                    SpaceMarks.of(fullBelowBytes, resumeAboveBytes, reserveBytes),
                    newDirectoryId);
        }

        public Options(
                int syncWorkers,
                long fullBelowBytes,
                long resumeAboveBytes,
                long reserveBytes,
                Uuid newDirectoryId) {
            this(
                    syncWorkers,
                    DEFAULT_SYNC_TOGETHER_FROM,
                    fullBelowBytes,
                    resumeAboveBytes,
                    reserveBytes,
                    newDirectoryId);
        }
    }

    /// A log that was found in the directory; without a topic id when its metadata file is missing
    /// or damaged.
    public record StoredPartition(String topic, int partition, Optional<Uuid> topicId) {}

    private DataDirectory(
            Disk disk,
            Path path,
            Options options,
            Executor lane,
            Executor recovery,
            AutoCloseable lock)
            throws IOException {
        this.disk = disk;
        patientDisk = new PatientDisk(disk);
        this.path = path;
        this.options = options;
        this.lane = lane;
        writeBehind = new WriteBehind(lane);
        this.recovery = recovery;
        this.lock = lock;
        storedProperties = readProperties();
        Optional<String> mark = takeCleanMark();
        clean = mark.isPresent();
        tally = new SegmentTally(disk, path, mark.equals(Optional.of(CLEAN_TEXT)));
        space = new DiskSpace(disk, path, options, () -> lane.execute(this::checkSpace));
        manifest = new Manifest(disk, path, lane, space::onFull, this::fail);
        syncService =
                new SyncService(
                        disk,
                        path,
                        lane,
                        options.syncWorkers(),
                        options.syncTogetherFrom(),
                        this::fail);
        stored = new StoredLogs(disk, path, manifest, tally);
        loads = new LogLoads(disk, patientDisk, path, clean, manifest, tally);
        progress = loads.progress();
        copies = new LogCopies(disk, path);
        lateDeletions = new LateDeletions(patientDisk);
        findPartitions();
    }

    /// Opens a directory, which is made when it does not exist. Throws [DirectoryException] with a
    /// sentence for the operator when another process uses it or it is not readable.
    ///
    /// @param lane runs syncs and deletions; bounded, of platform threads that nobody interrupts
    /// @param recovery opens the logs that are there at the start; of such threads too
    public static DataDirectory open(
            Disk disk, Path path, Options options, Executor lane, Executor recovery)
            throws DirectoryException {
        AutoCloseable lock = null;
        try {
            DiskIo.createDirectories(disk, path);
            lock =
                    disk.tryLock(path.resolve(LOCK))
                            .orElseThrow(() ->
                                    new DirectoryException(
                                            "The data directory "
                                                    + path
                                                    + " is in use by another process: stop it, or choose another directory."));
            DataDirectory directory = new DataDirectory(disk, path, options, lane, recovery, lock);
            lock = null;
            return directory;
        } catch (DirectoryException e) {
            throw e;
        } catch (IOException e) {
            throw DirectoryException.of(path, e);
        } finally {
            if (lock != null) {
                release(lock);
            }
        }
    }

    private static void release(AutoCloseable lock) {
        try {
            lock.close();
        } catch (Exception e) {
            LOG.warn("A directory lock could not be released: {}.", e.getMessage());
        }
    }

    // --- identity

    private Optional<MetaProperties> readProperties() throws IOException {
        Path file = path.resolve(MetaProperties.NAME);
        Optional<String> text = DiskIo.readText(disk, file);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Optional<MetaProperties> properties =
                MetaProperties.parse(text.get(), options.newDirectoryId());
        if (properties.isEmpty()) {
            throw new IOException(
                    file
                            + " is damaged: it must name version, cluster.id, node.id and directory.id");
        }
        return properties;
    }

    public Path path() {
        return path;
    }

    /// The directory's id; for a directory without one the id that [#claim] will write.
    public Uuid id() {
        return storedProperties.map(MetaProperties::directoryId).orElse(options.newDirectoryId());
    }

    /// Whose data it is; empty for a directory that is new.
    public Optional<MetaProperties> properties() {
        return storedProperties;
    }

    /// Writes whose data it is from now on. Durable on return.
    public void claim(String clusterId, int nodeId) throws IOException {
        MetaProperties properties = new MetaProperties(clusterId, nodeId, id());
        if (!storedProperties.equals(Optional.of(properties))) {
            DiskIo.replaceText(disk, path.resolve(MetaProperties.NAME), properties.format());
        }
    }

    /// Whether the last process closed the directory in order.
    public boolean wasClean() {
        return clean;
    }

    /// The mark must be gone before the first byte is written.
    private Optional<String> takeCleanMark() throws IOException {
        Path file = path.resolve(CLEAN_MARK);
        Optional<String> mark = DiskIo.readText(disk, file);
        if (mark.isPresent()) {
            disk.delete(file);
            disk.syncDirectory(path);
        }
        return mark;
    }

    // --- logs

    private void findPartitions() throws IOException {
        for (String name : disk.list(path)) {
            if (takeResting(name) || !disk.isDirectory(path.resolve(name))) {
                continue;
            }
            if (name.endsWith(DELETE_SUFFIX) || name.endsWith(STRAY_SUFFIX)) {
                forgetRenamed(name);
                continue;
            }
            if (copies.tryAdd(name)) {
                continue;
            }
            Optional<TopicPartition> partition = PartitionId.parse(name);
            if (partition.isPresent()) {
                stored.addFound(partition.get());
                if (!clean) {
                    stored.mustBeRecovered(partition.get());
                }
            }
        }
    }

    /// What is known of a log from its last stop is enough for now; its files are looked at when it
    /// is opened for good.
    private boolean takeResting(String name) {
        Optional<TopicPartition> partition = clean ? PartitionId.parse(name) : Optional.empty();
        Optional<RestingLog.Facts> facts = partition.flatMap(tally::resting);
        facts.ifPresent(known -> stored.add(partition.orElseThrow(), known.topicId()));
        return facts.isPresent();
    }

    /// The log of a directory that was renamed may be known under its old name still, if the
    /// process ended before that was written.
    private void forgetRenamed(String name) {
        Optional<TopicPartition> former =
                PartitionId.parse(name.substring(0, Math.max(0, name.lastIndexOf('.'))));
        if (former.isPresent() && !disk.isDirectory(path.resolve(former.get().toString()))) {
            manifest.remove(former.get());
        }
        if (name.endsWith(DELETE_SUFFIX)) {
            manifest.writeSoon(() -> removeRecursively(name));
        }
    }

    private void removeRecursively(String name) {
        try {
            DiskIo.deleteRecursively(patientDisk, path.resolve(name));
        } catch (IOException e) {
            LOG.warn(
                    "The remains {} of a deleted log could not be removed: {}.",
                    path.resolve(name),
                    e.getMessage());
        }
    }

    /// The logs that have a directory here.
    public List<StoredPartition> storedPartitions() {
        return stored.list();
    }

    /// Logs with durable records that have no directory here any more.
    public List<StoredPartition> missingPartitions() {
        return stored.missing();
    }

    /// Opens a log for a shard: recovers what is there, or begins an empty one, on a recovery
    /// thread; the outcome is handed over on the shard's thread. Any thread. A directory of another
    /// incarnation of the topic must be set aside before.
    public void load(
            PartitionId id,
            LogConfig config,
            LogShard shard,
            LogListener listener,
            long nowMs,
            Consumer<LoadOutcome> outcome) {
        progress.onLogFound();
        Optional<RestingLog.Facts> facts = restingFacts(id);
        if (facts.isPresent()) {
            LoadOutcome ready = openResting(id, config, shard, listener, facts.get(), nowMs);
            shard.execute(() -> outcome.accept(ready));
            return;
        }
        recovery.execute(() -> {
            LoadOutcome result = interrupted(id);
            try {
                result = open(id, config, shard, listener, nowMs, LogLoader.Syncs.LEFT_TO_THE_LOG);
            } finally {
                handOver(result, shard, outcome);
            }
        });
    }

    /// What is handed over when nothing else is: after an error of the process.
    private static LoadOutcome interrupted(PartitionId id) {
        return new LoadOutcome.Failed(
                id, "its opening ended with an error, which stands in the log: restart the broker");
    }

    private static void handOver(
            LoadOutcome result, LogShard shard, Consumer<LoadOutcome> outcome) {
        shard.execute(() -> {
            if (result instanceof LoadOutcome.Ready ready) {
                LogShard.guard(ready.log(), ready.log()::begin);
            }
            outcome.accept(result);
        });
    }

    private Optional<RestingLog.Facts> restingFacts(PartitionId id) {
        TopicPartition partition = id.topicPartition();
        if (!clean
                || offlineReason != null
                || leaving.containsKey(partition)
                || !stored.contains(partition)) {
            return Optional.empty();
        }
        return tally.resting(partition)
                .filter(facts -> facts.topicId().equals(id.topicId()))
                .filter(facts -> manifest.recoveryPoint(partition).orElse(-1) == facts.endOffset());
    }

    /// A log that can be used at once; its files are looked at on a recovery thread, or by the
    /// shard when it is asked for something in them before.
    private LoadOutcome openResting(
            PartitionId id,
            LogConfig config,
            LogShard shard,
            LogListener listener,
            RestingLog.Facts facts,
            long nowMs) {
        RestingLog resting =
                new RestingLog(
                        facts,
                        () -> loads.look(id, config, facts, nowMs),
                        () -> loads.repair(id, config, nowMs));
        LogLoader.Loaded unread = LogLoader.Loaded.empty(facts.startOffset(), facts.endOffset());
        PartitionLog log = newLog(id, config, shard, listener, unread, true);
        log.rest(resting);
        register(log);
        progress.onLogReady();
        recovery.execute(() -> {
            if (log.pathLease().tryTake()) {
                try {
                    resting.visit();
                } finally {
                    log.pathLease().giveBack();
                    shard.execute(log, log::onVisited);
                }
            }
        });
        return new LoadOutcome.Ready(log, List.of());
    }

    private PartitionLog newLog(
            PartitionId id,
            LogConfig config,
            LogShard shard,
            LogListener listener,
            LogLoader.Loaded loaded,
            boolean hasDirectory) {
        Path directory = path.resolve(id.directoryName());
        return new PartitionLog(this, shard, id, directory, config, listener, loaded, hasDirectory);
    }

    /// The files of a log that was answered for already are not what they should be. Whose they are
    /// is asked now, for nobody has yet.
    void onNotWoken(PartitionId id, IOException cause) {
        stored.mustBeRecovered(id.topicPartition());
        stored.askWhose(id);
        LOG.error("Log {} in {} cannot be opened: {}.", id, path, cause.getMessage());
    }

    /// The same on the calling thread, which is the shard's or one that hands the log over to it.
    /// All that was recovered is durable on return.
    public LoadOutcome loadNow(
            PartitionId id, LogConfig config, LogShard shard, LogListener listener, long nowMs) {
        progress.onLogFound();
        return open(id, config, shard, listener, nowMs, LogLoader.Syncs.NOW);
    }

    /// @param syncs if they are left to the log it must be told to [PartitionLog#begin]
    private LoadOutcome open(
            PartitionId id,
            LogConfig config,
            LogShard shard,
            LogListener listener,
            long nowMs,
            LogLoader.Syncs syncs) {
        String offline = offlineReason;
        if (offline != null) {
            progress.onLogFailed();
            return new LoadOutcome.Failed(id, offline);
        }
        try {
            boolean isLeaving = leaving.containsKey(id.topicPartition());
            boolean hasDirectory = !isLeaving && disk.isDirectory(path.resolve(id.directoryName()));
            if (!hasDirectory && !isLeaving) {
                stored.refuseIfMissing(id);
            }
            LogLoader.Loaded loaded =
                    hasDirectory
                            ? loads.recover(id, config, nowMs, stored.isIdentified(id), syncs)
                            : LogLoader.Loaded.empty(0, 0);
            PartitionLog log = newLog(id, config, shard, listener, loaded, hasDirectory);
            if (hasDirectory) {
                manifest.setRecoveryPoint(id.topicPartition(), log.recoveryPoint());
            }
            register(log);
            stored.onRecovered(id.topicPartition());
            progress.onLogReady();
            return new LoadOutcome.Ready(log, loaded.repairs());
        } catch (IOException | RuntimeException e) {
            progress.onLogFailed();
            stored.mustBeRecovered(id.topicPartition());
            stored.askWhose(id);
            String reason =
                    e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
            boolean damaged = e instanceof DamagedLogException;
            if (damaged || e instanceof DiskFullException) {
                LOG.error("Log {} in {} cannot be opened: {}.", id, path, reason);
            } else {
                LOG.error("Log {} in {} cannot be opened: {}.", id, path, reason, e);
            }
            return new LoadOutcome.Failed(id, reason, damaged);
        } catch (Error e) {
            progress.onLogFailed();
            stored.mustBeRecovered(id.topicPartition());
            throw e;
        }
    }

    /// A failure that came while the log was opened has told all others already.
    private void register(PartitionLog log) {
        logs.add(log);
        String offline = offlineReason;
        if (offline != null) {
            log.shard().execute(() -> log.becomeOffline(offline));
        }
    }

    // --- logs that move here from another directory

    /// Whether the directory of a copy of this log can have a name.
    public static boolean canCopy(PartitionId id) {
        return LogCopies.nameOf(id).isPresent();
    }

    /// Begins the copy of a log that another directory of this broker holds, to be filled with
    /// [PartitionLog#appendCopied] and then closed and adopted, or deleted. Meanwhile nothing else
    /// of this partition may be here. On the shard's thread.
    public LoadOutcome beginCopy(
            PartitionId id, LogConfig config, LogShard shard, LogListener listener) {
        Optional<String> name = LogCopies.nameOf(id);
        String problem = name.isEmpty() ? "its name is too long to be moved" : offlineReason;
        if (problem == null && leaving.containsKey(id.topicPartition())) {
            problem = "what was here before is still being removed: try again";
        }
        if (problem != null) {
            return new LoadOutcome.Failed(id, problem);
        }
        PartitionLog copy =
                new PartitionLog(
                        this,
                        shard,
                        id,
                        path.resolve(name.orElseThrow()),
                        config,
                        listener,
                        LogLoader.Loaded.empty(0, 0),
                        false);
        register(copy);
        return new LoadOutcome.Ready(copy, List.of());
    }

    /// Makes a copy that was closed the log of its partition and opens it, on the lane; the outcome
    /// is handed over on the shard's thread. The cluster must know by then that the partition is
    /// here. Any thread.
    public void adoptCopy(
            PartitionLog closed, LogListener listener, long nowMs, Consumer<LoadOutcome> outcome) {
        progress.onLogFound();
        lane.execute(() -> {
            LoadOutcome result = interrupted(closed.id());
            try {
                manifest.write(patientDisk);
                adopt(closed.id().topicPartition(), closed.id().topicId(), closed.path());
                result =
                        open(
                                closed.id(),
                                closed.config(),
                                closed.shard(),
                                listener,
                                nowMs,
                                LogLoader.Syncs.LEFT_TO_THE_LOG);
            } catch (ShortageException e) {
                progress.onLogFailed(); // The next start adopts the copy.
                result = new LoadOutcome.Failed(closed.id(), String.valueOf(e.getMessage()));
            } catch (IOException e) {
                progress.onLogFailed();
                fail(e);
                result = new LoadOutcome.Failed(closed.id(), String.valueOf(e.getMessage()));
            } finally {
                handOver(result, closed.shard(), outcome);
            }
        });
    }

    private void adopt(TopicPartition partition, Uuid topicId, Path copy) throws IOException {
        if (disk.isDirectory(copy)) {
            disk.rename(copy, path.resolve(partition.toString()));
            patientDisk.syncDirectory(path);
            stored.add(partition, topicId);
        }
    }

    /// The copies that were found at opening.
    public List<StoredPartition> storedCopies() {
        return copies.list();
    }

    /// The copy of this partition is complete, for the cluster says that the partition is here: it
    /// becomes the log. Before any log is opened.
    public void adoptStoredCopy(PartitionId id) throws IOException {
        Optional<Path> copy = copies.take(id.topicPartition());
        if (copy.isPresent()) {
            adopt(id.topicPartition(), id.topicId(), copy.get());
        }
    }

    /// Removes the copies that were found at opening and not adopted. Before any log is opened.
    public void discardStoredCopies() throws IOException {
        for (StoredPartition copy : copies.list()) {
            TopicPartition partition = new TopicPartition(copy.topic(), copy.partition());
            Optional<Path> from = copies.take(partition);
            if (from.isPresent()) {
                String target =
                        freeName(
                                partition.toString(),
                                copy.topicId().map(DataDirectory::hex).orElse("unknown"),
                                DELETE_SUFFIX);
                disk.rename(from.get(), path.resolve(target));
                if (!stored.contains(partition)) {
                    manifest.remove(partition);
                }
                manifest.writeSoon(() -> removeRecursively(target));
            }
        }
    }

    public RecoveryProgress progress() {
        return progress;
    }

    /// The topic of a log that could not be opened is deleted: what is here of it goes away, unless
    /// it belongs to another topic, or may. Blocks; it is rare.
    public void deleteUnopened(PartitionId id) {
        Path directory = path.resolve(id.directoryName());
        try {
            if (offlineReason != null) {
                return;
            }
            if (!disk.isDirectory(directory)) {
                stored.forget(id.topicPartition());
            } else if (stored.isOf(id)) {
                String target = freeName(id.directoryName(), hex(id.topicId()), DELETE_SUFFIX);
                disk.rename(directory, path.resolve(target));
                stored.forget(id.topicPartition());
                manifest.writeSoon(() -> removeRenamed(target));
            } else {
                setAside(id.topic(), id.partition());
            }
        } catch (NoDescriptorException e) {
            onShortage(e); // The next start finds what is left of it.
        } catch (IOException e) {
            fail(e);
        }
    }

    /// Puts a log away that no known topic owns: renamed, kept, never served. The log must not be
    /// open.
    public void setAside(String topic, int partition) throws IOException {
        TopicPartition name = new TopicPartition(topic, partition);
        String from = name.toString();
        String unique = stored.topicId(name).map(DataDirectory::hex).orElse("unknown");
        String to = freeName(from, unique, STRAY_SUFFIX);
        disk.rename(path.resolve(from), path.resolve(to));
        stored.forget(name);
        disk.syncDirectory(path);
        manifest.write();
        LOG.warn(
                "This broker has no replica any more whose log {} is: it is kept as {}, not served, and may be deleted when nothing in it is missed.",
                path.resolve(from),
                to);
    }

    /// Puts away what is here of a replica that is to be copied again: renamed, kept, never served.
    /// The log must not be open. Blocks; it is rare.
    public void keepAside(PartitionId id) throws IOException {
        TopicPartition name = id.topicPartition();
        Path from = path.resolve(name.toString());
        if (offlineReason != null || (!disk.isDirectory(from) && !stored.isKnown(name))) {
            return;
        }
        if (disk.isDirectory(from)) {
            String to = freeName(name.toString(), hex(id.topicId()), STRAY_SUFFIX);
            disk.rename(from, path.resolve(to));
            LOG.warn(
                    "The log {} is copied again from its leader; what was there is kept as {} and not served.",
                    from,
                    to);
        }
        stored.forget(name);
        disk.syncDirectory(path);
        manifest.write();
    }

    private String freeName(String name, String unique, String suffix) {
        for (int attempt = 0; ; attempt++) {
            String end = "." + unique + (attempt == 0 ? "" : Integer.toString(attempt)) + suffix;
            String candidate =
                    name.substring(0, Math.min(name.length(), MAX_NAME_BYTES - end.length())) + end;
            if (!disk.exists(path.resolve(candidate))) {
                return candidate;
            }
        }
    }

    static String hex(Uuid id) {
        return "%016x%016x".formatted(id.mostSignificantBits(), id.leastSignificantBits());
    }

    /// Makes a partition's directory at its first append; not durable before the log's next sync.
    /// Refuses as long as the log that had the name before is not removed: a sync or the repair of
    /// it may be at work there.
    void createPartitionDirectory(PartitionId id, Path directory) throws IOException {
        if (leaving.containsKey(id.topicPartition())) {
            throw new NameInUseException(directory);
        }
        manifest.remove(id.topicPartition());
        if (manifest.isRemovalUnwritten(id.topicPartition())) {
            // What is known of an earlier log of this name must not be taken for this one's after a
            // crash.
            manifest.write();
        }
        disk.createDirectory(directory);
        ByteBuffer text =
                ByteBuffer.wrap(
                        PartitionMetadataFile.format(id.topicId())
                                .getBytes(StandardCharsets.UTF_8));
        DiskIo.write(disk, directory.resolve(PartitionMetadataFile.NAME), text);
        if (directory.endsWith(id.directoryName())) {
            stored.add(id.topicPartition(), id.topicId());
        }
    }

    /// Renames a log's directory, as soon as no sync is at work in it, and removes it on the lane.
    void removePartitionDirectory(PartitionLog log) {
        TopicPartition partition = log.id().topicPartition();
        leaving.put(partition, log.pathLease());
        log.pathLease().remove(() -> rename(log, partition));
    }

    /// The same for a log whose files nobody has looked at with success: they may be of another
    /// topic.
    void removeUnread(PartitionLog log) {
        TopicPartition partition = log.id().topicPartition();
        leaving.put(partition, log.pathLease());
        log.pathLease()
                .remove(() -> {
                    stored.askWhose(log.id());
                    deleteUnopened(log.id());
                    leaving.remove(partition, log.pathLease());
                });
    }

    private void rename(PartitionLog log, TopicPartition partition) {
        try {
            String target = freeName(partition.toString(), hex(log.id().topicId()), DELETE_SUFFIX);
            disk.rename(log.path(), path.resolve(target));
            stored.forget(partition);
            leaving.remove(partition, log.pathLease());
            manifest.writeSoon(() -> removeRenamed(target));
        } catch (IOException e) {
            fail(e);
        }
    }

    private void removeRenamed(String name) {
        try {
            patientDisk.syncDirectory(path);
            removeRecursively(name);
        } catch (IOException e) {
            fail(e);
        }
    }

    /// Takes the files of a segment out of its log. The large one is removed on the lane, after the
    /// delay unless the disk is full.
    void deleteSegment(SegmentName name, long delayMs) throws IOException {
        Path log = name.file(SegmentName.LOG);
        Path renamed = name.file(SegmentName.LOG + DELETED_FILE_SUFFIX);
        disk.rename(log, renamed);
        Segment.deleteFiles(disk, name);
        if (delayMs == 0 || fullReason().isPresent()) {
            lane.execute(() -> lateDeletions.remove(renamed));
        } else {
            lateDeletions.add(renamed, delayMs);
        }
    }

    /// Removes the files of segments whose delay has passed; to be called every few seconds, from
    /// the lane.
    public void removeDeletedFiles(long nowMs) {
        lateDeletions.removeDue(nowMs, fullReason().isPresent());
    }

    void forget(PartitionLog log) {
        logs.remove(log);
    }

    // --- services

    Manifest manifest() {
        return manifest;
    }

    /// Waits until no records of this directory are being synced, but only some milliseconds: for
    /// whoever makes the disk read much that nobody waits for yet. Any thread that may wait.
    public void awaitSyncPause() {
        syncService.awaitPause(SyncService.LONGEST_PAUSE_MS);
    }

    /// A number that changes whenever a sync comes to its end; empty when none is under way. Any
    /// thread.
    public OptionalLong syncPulse() {
        return syncService.pulse();
    }

    SyncService syncService() {
        return syncService;
    }

    WriteBehind writeBehind() {
        return writeBehind;
    }

    /// Makes recovery points durable; to be called every minute or so. Runs on the lane.
    public void checkpoint() {
        manifest.writeSoon(() -> {});
    }

    // --- room

    /// How large the file system is that holds the directory, and how much of it may still be
    /// written.
    public record Room(long totalBytes, long usableBytes) {}

    /// Asks the file system; not for threads that must not wait.
    public Room room() throws IOException {
        return new Room(disk.totalBytes(path), disk.usableBytes(path));
    }

    /// `listener` is run on any thread, and must only post, when [#fullReason] comes or goes or
    /// [#offlineReason] comes; at once if the first is there.
    public void onChange(Runnable listener) {
        onChange = listener;
        space.onChange(listener);
    }

    /// Why producers are refused at present, if they are. Any thread.
    public Optional<String> fullReason() {
        return space.fullReason();
    }

    /// Why an append would be refused for want of room before it is tried, if it would. Any thread.
    public Optional<String> appendRefusal(AppendOrigin origin) {
        return space.refusal(origin);
    }

    /// Looks how much room there is; to be called every few seconds, from the lane.
    public void checkSpace() {
        try {
            space.check();
            manifest.retryIfNoRoom();
        } catch (ShortageException e) {
            onShortage(e);
        } catch (IOException e) {
            fail(e);
        }
    }

    /// New marks, and a new size of the reserve; they count from the next check on. Any thread.
    public void updateSpaceMarks(SpaceMarks marks) {
        space.update(marks);
    }

    void onWritten(long bytes) {
        space.onWritten(bytes);
    }

    void onDiskFull() {
        space.onFull();
    }

    /// Something was refused for want of room, a descriptor or a name; says why.
    String onShortage(ShortageException cause) {
        return space.onShortage(cause);
    }

    // --- failure and end

    /// Why the directory cannot be used, if it cannot. Any thread.
    public Optional<String> offlineReason() {
        return Optional.ofNullable(offlineReason);
    }

    /// Takes the directory and all its logs offline: nothing that waits is acknowledged. Any
    /// thread.
    void fail(IOException cause) {
        synchronized (logs) {
            if (offlineReason != null) {
                return;
            }
            offlineReason = "data directory " + path + " failed: " + cause.getMessage();
        }
        LOG.error("Data directory {} goes offline.", path, cause);
        for (PartitionLog log : logs) {
            String reason = offlineReason().orElse("");
            log.shard().execute(log, () -> log.becomeOffline(reason));
        }
        onChange.run();
    }

    /// A log was closed with all of it durable.
    void onClosedInOrder(PartitionLog log) {
        Optional<RestingLog.Facts> known = log.restingFacts();
        if (known.isPresent()) {
            tally.onClosed(log.id().topicPartition(), known.get()); // They hold on.
            return;
        }
        if (log.hasDirectory() && log.path().endsWith(log.id().directoryName())) {
            // The next opening removes what lies before the log's start.
            SegmentList kept = log.segments();
            int first = 0;
            long bytes = kept.sizeBytes();
            while (first + 1 < kept.count()
                    && kept.at(first + 1).baseOffset() <= log.logStartOffset()) {
                bytes -= kept.at(first++).sizeBytes();
            }
            TopicPartition partition = log.id().topicPartition();
            boolean mayRest =
                    first == 0
                            && kept.count() <= MAX_RESTING_SEGMENTS
                            && log.producers().firstUnstableOffset() == Long.MAX_VALUE;
            if (mayRest) {
                tally.onClosed(
                        partition,
                        new RestingLog.Facts(
                                log.id().topicId(),
                                kept.count(),
                                bytes,
                                log.logStartOffset(),
                                log.logEndOffset()));
            } else {
                tally.onClosed(partition, kept.count() - first, bytes);
            }
        }
    }

    /// A log was closed with something left to recover.
    void onClosedOutOfOrder() {
        closedOutOfOrder = true;
    }

    /// Closes the directory after all its logs. With `inOrder` the next opening trusts what it
    /// finds, unless there are logs that this process had to recover and did not; it must be true
    /// only when every log that was opened was closed in order.
    public void close(boolean inOrder) throws IOException {
        try {
            if (offlineReason == null) {
                manifest.write();
                if (inOrder && stored.allRecovered() && !closedOutOfOrder) {
                    tally.write();
                    DiskIo.replaceText(disk, path.resolve(CLEAN_MARK), CLEAN_TEXT);
                }
            }
        } finally {
            syncService.close();
            release(lock);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}

package dev.ottla.quorum.store;

import dev.ottla.log.AppendOutcome;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.FlushPolicy;
import dev.ottla.log.LoadOutcome;
import dev.ottla.log.LogConfig;
import dev.ottla.log.LogListener;
import dev.ottla.log.LogShard;
import dev.ottla.log.LogSlice;
import dev.ottla.log.LookupOutcome;
import dev.ottla.log.PartitionId;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.ReadOutcome;
import dev.ottla.log.disk.Disk;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataLogException;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.wire.Check;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node's copy of the metadata log, on which every engine builds: the committed batches and the
/// snapshots that shorten them.
///
///     __cluster_metadata-0/00000000000000000000.log                       records, in Kafka's format
///     __cluster_metadata-0/00000000000000001234-0000000007.checkpoint     all records below 1234
///
/// Owned by the metadata thread.
public final class MetadataStore {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataStore.class);

    private static final PartitionId ID = new PartitionId(Uuid.ONE, "__cluster_metadata", 0);
    private static final int OPEN_FILES = 4;
    private static final int INDEX_PAGES = 64;
    private static final int READ_BYTES = 4 << 20;

    private final DataDirectory directory;
    private final Executor metadataThread;
    private final Executor lane;
    private final InstantSource clock;
    private final MetadataStoreOptions options;
    private final LogShard shard;
    private final Snapshots snapshots;

    private final List<Runnable> watchers = new ArrayList<>();

    private @Nullable PartitionLog log;
    private @Nullable Listener listener;
    private int snapshotEpoch;
    private long lastTimestampMs;
    private long bytesSinceSnapshot;
    private long lastSnapshotMs;
    private boolean writingSnapshot;
    private boolean sealed;

    /// How many engines have followed on the first.
    private int engines;

    private boolean closed;

    /// Hears what becomes of the copy, on the metadata thread, never from within a call of the
    /// store, and nothing after its close.
    public interface Listener {
        /// What is below the offset survives a power loss.
        default void onFlushed(long flushedEndOffset) {}

        /// The directory failed: nothing can be appended any more.
        void onOffline(String reason);

        /// It is time to call [#snapshot].
        void onSnapshotDue();
    }

    /// @param directory that holds the copy, on `disk`
    /// @param metadataThread runs tasks on the thread that owns this store, in order
    /// @param lane writes snapshots; of threads that nobody interrupts
    public MetadataStore(
            Disk disk,
            DataDirectory directory,
            Executor metadataThread,
            Executor lane,
            InstantSource clock,
            MetadataStoreOptions options) {
        this.directory = directory;
        this.metadataThread = metadataThread;
        this.lane = lane;
        this.clock = clock;
        this.options = options;
        this.shard = new LogShard(disk, this::runTurn, OPEN_FILES, INDEX_PAGES);
        this.snapshots = new Snapshots(disk, directory.path().resolve(ID.directoryName()));
    }

    /// Runs a task of the log as a turn of its own: what it leaves to do is done at its end.
    private void runTurn(Runnable task) {
        metadataThread.execute(() -> {
            task.run();
            endTurn();
        });
    }

    private void endTurn() {
        if (shard.hasWork()) shard.endTurn(clock.millis());
    }

    /// Whether the directory has the metadata of a cluster, whoever wrote it.
    public static boolean exists(DataDirectory directory) {
        return directory.storedPartitions().stream()
                .anyMatch(found ->
                        found.topic().equals(ID.topic()) && found.partition() == ID.partition());
    }

    /// Whether there is anything in what [#exists]: records or a snapshot. A broker that was killed
    /// while it began has none, and no partitions either.
    public static boolean hasRecords(Disk disk, DataDirectory directory) throws IOException {
        Path log = directory.path().resolve(ID.directoryName());
        for (String name : disk.list(log)) {
            boolean holdsRecords = name.endsWith(".log") || SnapshotId.parse(name).isPresent();
            if (holdsRecords && disk.sizeBytes(log.resolve(name)) > 0) return true;
        }
        return false;
    }

    // --- reading

    /// Opens the copy and tells `committed` what is in it: the newest snapshot, then batches. Fails
    /// with [MetadataLogException] when it cannot be read, or when records are missing. Called
    /// once.
    public void open(MetadataLog.Listener committed, Listener events) {
        open(committed, events, false);
    }

    /// The same for a copy of what others have too: batches that do not follow on the newest
    /// snapshot are dropped, to be copied again. So it is after a crash while a snapshot was
    /// installed, or when the snapshot outlived the end of the log.
    public void openCopy(MetadataLog.Listener committed, Listener events) {
        open(committed, events, true);
    }

    private void open(MetadataLog.Listener committed, Listener events, boolean mayLack) {
        Check.check(log == null, "the metadata log is opened twice");
        listener = events;
        PartitionLog opened = load();
        log = opened;
        try {
            snapshots.find();
            Optional<SnapshotId> snapshot = snapshots.load(committed);
            snapshotEpoch = snapshot.map(SnapshotId::epoch).orElse(0);
            long from = snapshot.map(SnapshotId::endOffset).orElse(0L);
            if (mayLack && (from < opened.logStartOffset() || from > opened.logEndOffset())) {
                restartAt(from);
            }
            replay(opened, from, committed);
        } catch (IOException e) {
            throw new MetadataLogException(unreadable(e.getMessage()), e);
        }
        lastSnapshotMs = clock.millis();
    }

    private String unreadable(@Nullable String reason) {
        return "The metadata log in %s cannot be read: %s".formatted(directory.path(), reason);
    }

    private PartitionLog load() {
        LogConfig config =
                LogConfig.builder()
                        .segmentBytes(options.segmentBytes())
                        .segmentMs(options.segmentMs())
                        .retentionMs(-1)
                        .flushPolicy(FlushPolicy.FSYNC)
                        .build();
        return switch (directory.loadNow(ID, config, shard, new Progress(), clock.millis())) {
            case LoadOutcome.Ready(PartitionLog ready, List<String> repairs) -> {
                if (!repairs.isEmpty()) LOG.warn("{}", warning(repairs));
                yield ready;
            }
            case LoadOutcome.Failed(PartitionId _, String reason, boolean _) ->
                    throw new MetadataLogException(unreadable(reason));
        };
    }

    /// What it means that the log is not as it was left, and what can be done. A kill in the middle
    /// of a write leaves such a log too, without a loss.
    String warning(List<String> repairs) {
        return """
        The metadata log in %s was not whole: %s. What the cluster had confirmed is there if only \
        the end of an interrupted write was cut off. Otherwise changes after that offset are lost: \
        settings are the older ones, and of topics that are not known any more the logs are kept as \
        NAME.ID-stray in the data directories and not served. To have these back, stop the broker, put \
        %s back from a copy that knows them and give their directories the old names; or create the \
        topics anew and produce the records again.\
        """
                .formatted(
                        directory.path(),
                        String.join("; ", repairs),
                        directory.path().resolve(ID.directoryName()));
    }

    private void restartAt(long offset) {
        opened().truncateFullyAndStartAt(offset);
        endTurn();
    }

    /// Everything that is in the log after its opening is on disk, so it is committed.
    private void replay(PartitionLog opened, long from, MetadataLog.Listener to)
            throws IOException {
        long next = from;
        if (next < opened.logStartOffset() || next > opened.logEndOffset()) {
            throw new IOException(
                    "it holds offsets %d to %d, but no readable snapshot ends there (the newest ends at %d)"
                            .formatted(opened.logStartOffset(), opened.logEndOffset(), from));
        }
        while (next < opened.logEndOffset()) {
            next =
                    switch (opened.read(next, READ_BYTES, opened.logEndOffset(), true)) {
                        case ReadOutcome.Batches(LogSlice slice) -> replay(slice, next, to);
                        case ReadOutcome.Offline(String reason) -> throw new IOException(reason);
                        case ReadOutcome.AtEnd _, ReadOutcome.OutOfRange _ ->
                                throw new IOException("nothing is found at offset " + next);
                    };
        }
    }

    private long replay(LogSlice slice, long from, MetadataLog.Listener to) throws IOException {
        ByteBuffer bytes;
        try {
            bytes = slice.readAll();
        } finally {
            slice.release();
        }
        long next = from;
        for (RecordBatch batch : RecordBatches.in(bytes)) {
            if (!batch.isCrcValid()) {
                throw new IOException("the batch at offset " + batch.baseOffset() + " is damaged");
            }
            bytesSinceSnapshot += batch.sizeBytes();
            lastTimestampMs = batch.maxTimestamp();
            next = batch.nextOffset();
            sealed = MetadataBatches.isSeal(batch);
            if (!batch.isControl() && batch.baseOffset() >= from) {
                to.onCommitted(MetadataBatches.decode(batch));
            }
        }
        return next;
    }

    /// Another engine goes on with the open copy, and hears of it from now on.
    public void follow(Listener events) {
        engines++;
        listener = events;
    }

    /// Whether the copy ended in a seal when it was opened.
    public boolean wasSealed() {
        return sealed;
    }

    /// Epoch of the last record, 0 when there is none.
    public int latestEpoch() {
        return switch (opened().latestEpoch()) {
            case LookupOutcome.Found<Integer>(var latest) -> Math.max(latest, snapshotEpoch);
            case LookupOutcome.Offline<?>(String reason) ->
                    throw new MetadataLogException(unreadable(reason));
        };
    }

    /// The next offset; -1 before the opening.
    public long endOffset() {
        return log == null ? -1 : log.logEndOffset();
    }

    /// What is below survives a power loss. Exclusive; -1 before the opening.
    public long flushedEndOffset() {
        return log == null ? -1 : log.flushedEndOffset();
    }

    /// What is below can be read. Exclusive.
    public long writtenEndOffset() {
        return opened().writtenEndOffset();
    }

    /// The first offset that can be read; the records before are in a snapshot.
    public long startOffset() {
        return opened().logStartOffset();
    }

    /// Where an epoch ends in this copy.
    public EpochEndOffset endOf(int epoch) {
        return switch (opened().endOffsetForEpoch(epoch)) {
            case LookupOutcome.Found<EpochEndOffset>(var end) -> end;
            case LookupOutcome.Offline<?> _ -> EpochEndOffset.UNDEFINED;
        };
    }

    /// Whole batches from `offset` on, which lies at a batch's border between start and end; none
    /// when there are none below `end`. At least one batch, more as far as `maxBytes` allows.
    public ByteBuffer read(long offset, int maxBytes, long end) throws IOException {
        return switch (opened().read(offset, maxBytes, end, true)) {
            case ReadOutcome.Batches(LogSlice slice) -> wholeBatches(slice);
            case ReadOutcome.AtEnd _ -> ByteBuffer.allocate(0);
            case ReadOutcome.Offline(String reason) -> throw new IOException(reason);
            case ReadOutcome.OutOfRange _ -> throw new IOException("nothing is at " + offset);
        };
    }

    private static ByteBuffer wholeBatches(LogSlice slice) throws IOException {
        ByteBuffer bytes;
        try {
            bytes = slice.readAll();
        } finally {
            slice.release();
        }
        int wholeBytes = 0;
        for (RecordBatch batch : RecordBatches.in(bytes)) wholeBytes += batch.sizeBytes();
        return bytes.limit(wholeBytes);
    }

    /// The directory that the copy is in.
    public Path path() {
        return directory.path();
    }

    /// Its id.
    public Uuid directoryId() {
        return directory.id();
    }

    // --- appending

    /// Puts a batch at the end of the file, giving it offset and epoch, and asks for its sync. Says
    /// why when that cannot be done, and then nothing of it is in the log.
    public Optional<String> append(ByteBuffer batch, int epoch) {
        long nowMs = clock.millis();
        int size = batch.remaining();
        return written(opened().append(batch, epoch, AppendOrigin.METADATA, nowMs), size, nowMs);
    }

    /// Puts batches that have their offsets and epochs at the end. Says why when that cannot be
    /// done with all of them; what is in the log then ends at [#writtenEndOffset].
    public Optional<String> appendCopied(ByteBuffer batches) {
        long nowMs = clock.millis();
        int size = batches.remaining();
        return written(opened().appendCopied(batches, AppendOrigin.METADATA, nowMs), size, nowMs);
    }

    private Optional<String> written(AppendOutcome outcome, int size, long nowMs) {
        PartitionLog target = opened();
        if (!(outcome instanceof AppendOutcome.Appended(long _, long lastOffset))) {
            return Optional.of("The metadata log takes no records: " + outcome);
        }
        shard.endTurn(nowMs);
        Optional<String> offline = target.offlineReason();
        if (offline.isPresent()) return offline;
        if (target.writtenEndOffset() <= lastOffset) {
            return Optional.of(
                    "The disk of %s has no room for the metadata log: free some."
                            .formatted(directory.path()));
        }
        bytesSinceSnapshot += size;
        return Optional.empty();
    }

    /// `watcher` runs whenever more of the copy has become durable, after the engine heard of it.
    public void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    /// Notes when the last committed batch was made, for the next snapshot.
    public void committedAt(long timestampMs) {
        lastTimestampMs = timestampMs;
    }

    /// To be called every few seconds: moves recovery points.
    public void sweep() {
        if (log == null || closed) return;
        shard.sweep(clock.millis());
    }

    // --- snapshots

    /// The newest one, if there is any.
    public Optional<SnapshotId> newestSnapshot() {
        return snapshots.newest();
    }

    /// Of the snapshot that ends at an offset, if there is one.
    public Optional<SnapshotId> snapshotAt(long endOffset) {
        return snapshots.at(endOffset);
    }

    /// A part of a snapshot, for other nodes.
    ///
    /// @param sizeBytes of the whole
    public record SnapshotPart(long sizeBytes, ByteBuffer bytes) {}

    /// The bytes of a snapshot from `position` on, at most so many; empty when there is no such
    /// snapshot any more.
    public Optional<SnapshotPart> readSnapshot(SnapshotId id, long position, int maxBytes)
            throws IOException {
        return snapshots.read(id, position, maxBytes);
    }

    /// Takes the next part of a snapshot that comes from another node; `done` hears on the metadata
    /// thread what went wrong, if anything did.
    public void receive(
            IncomingSnapshot incoming, ByteBuffer part, Consumer<Optional<String>> done) {
        onLane(() -> incoming.append(part), done);
    }

    /// Begins to take a snapshot from another node.
    public IncomingSnapshot receive(SnapshotId id) {
        if (endOffset() == 0) restartAt(0); // makes the directory
        return snapshots.receive(id);
    }

    /// Replaces the copy by a snapshot that has come whole, and tells `committed` its records; then
    /// `done` hears on the metadata thread what went wrong, if anything did. The snapshot ends
    /// behind everything that the copy has.
    public void install(
            IncomingSnapshot incoming,
            MetadataLog.Listener committed,
            Consumer<Optional<String>> done) {
        SnapshotId id = incoming.id();
        Check.check(
                id.endOffset() > endOffset(),
                "a snapshot up to %d is to replace records up to %d",
                id.endOffset(),
                endOffset());
        onLane(
                incoming::complete,
                problem -> done.accept(problem.isPresent() ? problem : take(id, committed)));
    }

    private Optional<String> take(SnapshotId id, MetadataLog.Listener committed) {
        restartAt(id.endOffset());
        Optional<String> offline = opened().offlineReason();
        if (offline.isPresent()) return offline;
        snapshots.onWritten(id);
        snapshotEpoch = id.epoch();
        bytesSinceSnapshot = 0;
        lastSnapshotMs = clock.millis();
        return snapshots.load(committed).filter(id::equals).isPresent()
                ? Optional.empty()
                : Optional.of("The snapshot %s cannot be read.".formatted(id.fileName()));
    }

    private interface DiskTask {
        void run() throws IOException;
    }

    /// What an engine began is of no concern to the one that follows it.
    private void onLane(DiskTask task, Consumer<Optional<String>> done) {
        int present = engines;
        lane.execute(() -> {
            Optional<String> problem = Optional.empty();
            try {
                task.run();
            } catch (IOException | RuntimeException e) {
                problem = Optional.of(e.toString());
            }
            Optional<String> outcome = problem;
            metadataThread.execute(() -> {
                if (!closed && engines == present) done.accept(outcome);
            });
        });
    }

    /// Asks for a snapshot when it is time for one.
    public void askForSnapshot() {
        if (writingSnapshot || closed || bytesSinceSnapshot == 0) return;
        boolean late =
                options.snapshotIntervalMs() > 0
                        && clock.millis() - lastSnapshotMs >= options.snapshotIntervalMs();
        if (late || bytesSinceSnapshot >= options.snapshotBytes()) listening().onSnapshotDue();
    }

    /// Writes a snapshot on the lane, after which the log before it may go; ignored while another
    /// one is written.
    ///
    /// @param image iterated once, on the lane
    public void snapshot(SnapshotId id, Iterable<MetadataRecord> image) {
        if (writingSnapshot || closed) return;
        writingSnapshot = true;
        bytesSinceSnapshot = 0;
        lastSnapshotMs = clock.millis();
        long timestampMs = lastTimestampMs;
        lane.execute(() -> {
            try {
                snapshots.write(id, timestampMs, image);
                metadataThread.execute(() -> onSnapshotWritten(id));
            } catch (IOException | RuntimeException e) {
                LOG.error(
                        "A snapshot of the metadata could not be written to {}; the next comes as if it had been.",
                        directory.path(),
                        e);
                metadataThread.execute(() -> writingSnapshot = false);
            }
        });
    }

    private void onSnapshotWritten(SnapshotId id) {
        writingSnapshot = false;
        snapshots.onWritten(id);
        if (closed) return;
        PartitionLog present = opened();
        List<Path> expired;
        try {
            expired = snapshots.expire(present.sizeBytes(), options, clock.millis());
        } catch (IOException e) {
            LOG.warn("Old snapshots of the metadata are kept: {}", e.getMessage());
            return;
        }
        present.advanceLogStartOffset(
                Math.max(snapshots.neededFrom(), present.logStartOffset()),
                () -> snapshots.remove(expired));
        endTurn();
    }

    /// Replaces the copy by an image that ends behind everything that the copy has. A power loss
    /// leaves the old or the new.
    ///
    /// @param timestampMs of the last record in it
    /// @param image iterated once, at once
    public void restore(SnapshotId id, long timestampMs, Iterable<MetadataRecord> image)
            throws IOException {
        Check.check(
                id.endOffset() > endOffset(),
                "a snapshot up to %d is to replace records up to %d",
                id.endOffset(),
                endOffset());
        if (endOffset() == 0) opened().truncateFullyAndStartAt(0); // makes the directory
        snapshots.write(id, timestampMs, image);
        snapshots.onWritten(id);
        opened().truncateFullyAndStartAt(id.endOffset());
        snapshotEpoch = id.epoch();
        lastTimestampMs = timestampMs;
        bytesSinceSnapshot = 0;
        endTurn();
    }

    /// Makes what was appended durable, so that the next start need not look at it again. `done`
    /// runs on the metadata thread when the log is closed, after which the directory may be.
    public void close(Runnable done) {
        PartitionLog present = log;
        boolean wasOpen = !closed && present != null;
        closed = true;
        if (!wasOpen || present == null) {
            done.run();
            return;
        }
        present.close(done);
    }

    private PartitionLog opened() {
        PartitionLog present = log;
        if (present == null) throw new IllegalStateException("the metadata log is not open");
        return present;
    }

    private Listener listening() {
        Listener present = listener;
        if (present == null) throw new IllegalStateException("the metadata log is not open");
        return present;
    }

    private final class Progress implements LogListener {
        @Override
        public void onFlushed(PartitionLog source, long flushedEndOffset) {
            if (!closed) {
                listening().onFlushed(flushedEndOffset);
                watchers.forEach(Runnable::run);
            }
            askForSnapshot();
        }

        @Override
        public void onOffline(PartitionLog source, String reason) {
            if (closed) return;
            LOG.error("The metadata log is offline, nothing can be changed: {}", reason);
            listening().onOffline(reason);
        }
    }
}

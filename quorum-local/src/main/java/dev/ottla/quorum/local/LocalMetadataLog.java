package dev.ottla.quorum.local;

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
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataLogException;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.wire.Check;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The metadata log of a cluster of one node. Records are appended to `__cluster_metadata-0` and
/// committed when they are on disk; this node leads from the end of [#start] on, under an epoch
/// that rises at each start.
///
///     __cluster_metadata-0/00000000000000000000.log                       records, in Kafka's format
///     __cluster_metadata-0/00000000000000001234-0000000007.checkpoint     all records below 1234
///
/// | from      | to        | when                                                            |
/// |-----------|-----------|-----------------------------------------------------------------|
/// | new       | leading   | started                                                         |
/// | leading   | refusing  | an append found no room                                         |
/// | refusing  | leading   | [#sweep], nothing is outstanding and a first append is taken    |
/// | any       | offline   | the directory failed                                            |
/// | any       | closed    | closed                                                          |
///
/// Owned by the metadata thread.
public final class LocalMetadataLog implements MetadataLog {
    private static final Logger LOG = LoggerFactory.getLogger(LocalMetadataLog.class);

    private static final PartitionId ID = new PartitionId(Uuid.ONE, "__cluster_metadata", 0);
    private static final int OPEN_FILES = 4;
    private static final int INDEX_PAGES = 64;
    private static final int READ_BYTES = 4 << 20;

    private final DataDirectory directory;
    private final int nodeId;
    private final Executor metadataThread;
    private final Executor lane;
    private final InstantSource clock;
    private final LocalLogOptions options;
    private final LogShard shard;
    private final Snapshots snapshots;

    /// Batches that are not on disk yet, in their order.
    private final Queue<MetadataBatch> outstanding = new ArrayDeque<>();

    private State state = State.NEW;
    private @Nullable PartitionLog log;
    private @Nullable Listener listener;
    private int epoch;
    private long lastTimestampMs;
    private long bytesSinceSnapshot;
    private long lastSnapshotMs;
    private boolean writingSnapshot;

    private enum State {
        NEW,
        LEADING,
        REFUSING,
        OFFLINE,
        CLOSED
    }

    /// @param directory that holds the log, on `disk`
    /// @param metadataThread runs tasks on the thread that owns this log, in order
    /// @param lane writes snapshots; of threads that nobody interrupts
    public LocalMetadataLog(
            Disk disk,
            DataDirectory directory,
            int nodeId,
            Executor metadataThread,
            Executor lane,
            InstantSource clock,
            LocalLogOptions options) {
        this.directory = directory;
        this.nodeId = nodeId;
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

    @Override
    public void start(Listener newListener) {
        Check.check(state == State.NEW, "the metadata log is started twice");
        listener = newListener;
        PartitionLog opened = open();
        log = opened;
        try {
            snapshots.find();
            Optional<SnapshotId> snapshot = snapshots.load(newListener);
            long from = snapshot.map(SnapshotId::endOffset).orElse(0L);
            epoch = Math.max(latestEpoch(opened), snapshot.map(SnapshotId::epoch).orElse(0));
            replay(opened, from, newListener);
        } catch (IOException e) {
            throw new MetadataLogException(
                    "The metadata log in %s cannot be read: %s"
                            .formatted(directory.path(), e.getMessage()),
                    e);
        }
        state = State.REFUSING;
        lastSnapshotMs = clock.millis();
        lead();
    }

    private static int latestEpoch(PartitionLog opened) throws IOException {
        return switch (opened.latestEpoch()) {
            case LookupOutcome.Found<Integer>(var latest) -> latest;
            case LookupOutcome.Offline<?> offline -> throw new IOException(offline.reason());
        };
    }

    private PartitionLog open() {
        LogConfig config =
                LogConfig.builder()
                        .segmentBytes(options.segmentBytes())
                        .segmentMs(options.segmentMs())
                        .retentionMs(-1)
                        .flushPolicy(FlushPolicy.FSYNC)
                        .build();
        return switch (directory.loadNow(ID, config, shard, new Progress(), clock.millis())) {
            case LoadOutcome.Ready(PartitionLog ready, List<String> _) -> ready;
            case LoadOutcome.Failed(PartitionId _, String reason) ->
                    throw new MetadataLogException(
                            "The metadata log in %s cannot be read: %s"
                                    .formatted(directory.path(), reason));
        };
    }

    /// Everything that is in the log after its opening is on disk, so it is committed.
    private void replay(PartitionLog opened, long from, Listener to) throws IOException {
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

    private long replay(LogSlice slice, long from, Listener to) throws IOException {
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
            if (!batch.isControl() && batch.baseOffset() >= from) {
                to.onCommitted(MetadataBatches.decode(batch));
            }
        }
        return next;
    }

    /// Begins a new epoch with a batch that says so.
    private void lead() {
        long nowMs = clock.millis();
        Optional<String> problem =
                write(MetadataBatches.leaderChange(nodeId, nowMs), epoch + 1, nowMs);
        if (problem.isPresent()) {
            LOG.warn("The metadata log takes no records: {}", problem.get());
            return;
        }
        epoch++;
        state = State.LEADING;
        started().onLeader(epoch);
    }

    @Override
    public long nextOffset() {
        return opened().logEndOffset();
    }

    @Override
    public long append(List<MetadataRecord> records, int ofEpoch) {
        if (state != State.LEADING || ofEpoch != epoch) {
            throw new NotControllerException(
                    "Epoch %d of the controller is over: try again.".formatted(ofEpoch));
        }
        long baseOffset = opened().logEndOffset();
        long nowMs = clock.millis();
        Optional<String> problem = write(MetadataBatches.encode(records, nowMs), epoch, nowMs);
        if (problem.isPresent()) {
            if (state == State.LEADING) state = State.REFUSING;
            throw new NotControllerException(problem.get());
        }
        outstanding.add(new MetadataBatch(baseOffset, epoch, nowMs, records));
        return baseOffset;
    }

    /// Puts a batch into the file and asks for its sync; says why when that cannot be done, and
    /// then nothing of it is in the log.
    private Optional<String> write(ByteBuffer batch, int ofEpoch, long nowMs) {
        PartitionLog target = opened();
        int size = batch.remaining();
        AppendOutcome outcome = target.append(batch, ofEpoch, AppendOrigin.METADATA, nowMs);
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

    @Override
    public int maxBatchBytes() {
        return options.maxBatchBytes();
    }

    /// To be called every few seconds: moves recovery points, asks for a snapshot in time and,
    /// after the disk was full, tries to lead again.
    public void sweep() {
        if (state == State.NEW || state == State.CLOSED) return;
        shard.sweep(clock.millis());
        if (state == State.REFUSING && outstanding.isEmpty()) lead();
        askForSnapshot();
    }

    private void askForSnapshot() {
        if (writingSnapshot || state == State.CLOSED || bytesSinceSnapshot == 0) return;
        boolean late =
                options.snapshotIntervalMs() > 0
                        && clock.millis() - lastSnapshotMs >= options.snapshotIntervalMs();
        if (late || bytesSinceSnapshot >= options.snapshotBytes()) started().onSnapshotDue();
    }

    @Override
    public void snapshot(long lastOffset, int ofEpoch, Iterable<MetadataRecord> image) {
        if (writingSnapshot || state == State.CLOSED) return;
        writingSnapshot = true;
        bytesSinceSnapshot = 0;
        lastSnapshotMs = clock.millis();
        SnapshotId id = new SnapshotId(lastOffset + 1, ofEpoch);
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
        if (state == State.CLOSED) return;
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

    @Override
    public QuorumState quorum() {
        PartitionLog present = log;
        long endOffset = present == null ? -1 : present.logEndOffset();
        long flushed = present == null ? -1 : present.flushedEndOffset();
        long nowMs = clock.millis();
        boolean leading = state == State.LEADING;
        return new QuorumState(
                leading ? nodeId : -1,
                epoch,
                flushed,
                List.of(new QuorumState.Replica(nodeId, directory.id(), endOffset, nowMs, nowMs)),
                List.of());
    }

    /// Makes what was appended durable, so that the next start need not look at it again.
    @Override
    public void close() {
        close(() -> {});
    }

    /// The same; `done` runs on the metadata thread when the log is closed, after which the
    /// directory may be.
    public void close(Runnable done) {
        PartitionLog present = log;
        boolean wasOpen = state != State.CLOSED && present != null;
        state = State.CLOSED;
        if (!wasOpen || present == null) {
            done.run();
            return;
        }
        present.close(done);
    }

    private PartitionLog opened() {
        PartitionLog present = log;
        if (present == null) throw new IllegalStateException("the metadata log is not started");
        return present;
    }

    private Listener started() {
        Listener present = listener;
        if (present == null) throw new IllegalStateException("the metadata log is not started");
        return present;
    }

    private final class Progress implements LogListener {
        @Override
        public void onFlushed(PartitionLog source, long flushedEndOffset) {
            for (MetadataBatch next = outstanding.peek();
                    next != null && next.lastOffset() < flushedEndOffset;
                    next = outstanding.peek()) {
                outstanding.remove();
                lastTimestampMs = next.timestampMs();
                if (state != State.CLOSED) started().onCommitted(next);
            }
            askForSnapshot();
        }

        @Override
        public void onOffline(PartitionLog source, String reason) {
            if (state == State.CLOSED) return;
            LOG.error("The metadata log is offline, nothing can be changed: {}", reason);
            state = State.OFFLINE;
            outstanding.clear();
            started().onResigned();
        }
    }
}

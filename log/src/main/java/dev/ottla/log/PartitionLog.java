package dev.ottla.log;

import static dev.ottla.wire.Check.check;

import dev.ottla.log.disk.NameInUseException;
import dev.ottla.log.disk.NoDescriptorException;
import dev.ottla.log.disk.ShortageException;
import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.log.epoch.LeaderEpochs;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.log.producer.ProducerEntry;
import dev.ottla.log.producer.ProducerStates;
import dev.ottla.log.segment.AbortedTransaction;
import dev.ottla.log.segment.DamagedLogException;
import dev.ottla.log.segment.LogIo;
import dev.ottla.log.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The log of one partition in one data directory. Owned by its shard's thread, which alone may call it, except where
/// said otherwise.
///
/// An append gives the records their offsets at once. They are written at the end of the shard's turn and synced on the
/// directory's executor; [LogListener] tells how far each has come:
///
///     log start offset ≤ recovery point ≤ flushed end offset ≤ written end offset ≤ log end offset
///
/// The last four are exclusive. Reads reach up to the written end. An idle log holds no file, and one without records no
/// directory either: that comes with the first append.
///
/// This class is what others see of a log, and decides what a fault means. The rest is in [LogEnd] (appends, writing,
/// segments), [LogStart] (retention, the log start offset), [LogTruncation], [LogDurability] and [LogReader].
public final class PartitionLog {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionLog.class);

    private static final int MAX_CLOSE_TRIES = 3;
    private static final String DROPPED = "there was no room for the records before";

    private final DataDirectory directory;
    private final LogShard shard;
    private final LogIo io;
    private final PartitionId id;
    private final Path path;
    private final LogListener listener;
    private LogConfig config;

    private final SegmentList segments;
    private LeaderEpochs epochs;
    private ProducerStates producers;
    private final LogStart start;
    private final LogEnd end;
    private final LogDurability durability;

    private boolean touched;
    private boolean damageReported;
    private @Nullable String offlineReason;
    private @Nullable Runnable onClosed;

    /// Of a log that was just recovered, until [#begin].
    private List<Segment> unsynced;

    /// Until the log's files are open, which for good they may never be: what is known of the log
    /// without them. Segments and producers are empty as long, and the epochs only what is assigned
    /// meanwhile.
    private @Nullable RestingLog resting;

    private int closeTries;

    /// Shared with the sync service's lane.
    private final PathLease pathLease = new PathLease();

    PartitionLog(
            DataDirectory directory,
            LogShard shard,
            PartitionId id,
            Path path,
            LogConfig config,
            LogListener listener,
            LogLoader.Loaded loaded,
            boolean hasDirectory) {
        this.directory = directory;
        this.shard = shard;
        this.io = shard.io();
        this.id = id;
        this.path = path;
        this.config = config;
        this.listener = listener;
        segments = new SegmentList(loaded.segments());
        epochs = loaded.epochs();
        producers = loaded.producers();
        start = new LogStart(this, loaded.logStartOffset());
        end = new LogEnd(this, loaded, hasDirectory);
        durability = new LogDurability(this, loaded.recoveryPoint());
        unsynced = loaded.unsynced();
    }

    // --- rest after a start

    /// The log is what is known of it until [#wake]. Before the owner has it.
    void rest(RestingLog known) {
        resting = known;
    }

    boolean isResting() {
        return resting != null;
    }

    /// What is known of it while it rests.
    Optional<RestingLog.Facts> restingFacts() {
        return Optional.ofNullable(resting).map(RestingLog::facts);
    }

    /// Why the log cannot be used now, if it cannot. Everything that needs more of the log than its
    /// offsets comes here first: it looks at the files of a log that rests. What is wrong with them
    /// takes the log offline.
    private Optional<String> unusable() {
        wake();
        begin();
        if (offlineReason == null && !hasBegun()) {
            return Optional.of("log " + path + " waits for a free descriptor: try again");
        }
        if (offlineReason == null && resting != null) {
            return Optional.of(
                    onClosed != null
                            ? "log " + path + " is being closed"
                            : "log "
                                    + path
                                    + " is not as it was closed and is read again: try again");
        }
        return Optional.ofNullable(offlineReason);
    }

    void wake() {
        RestingLog sleeper = resting;
        if (sleeper == null || offlineReason != null) {
            return;
        }
        try {
            Optional<LogLoader.Loaded> opened = sleeper.look();
            if (opened.isPresent()) {
                resting = null;
                int assigned = epochs.latestEpoch();
                segments.addAll(opened.get().segments());
                epochs = opened.get().epochs();
                producers = opened.get().producers();
                epochs.assign(assigned, logEndOffset());
            }
        } catch (IOException e) {
            directory.onNotWoken(id, e);
            becomeOffline("log " + path + " cannot be opened: " + e.getMessage());
        }
    }

    /// The lane was here.
    void onVisited() {
        wake();
        maybeFinishClose();
    }

    /// The owner has the log: what recovery left to it is synced with the next turn, or when its
    /// flush policy says so. Without a free descriptor the log cannot be used before the sweep, or
    /// whoever wants to use it, has tried again.
    void begin() {
        if (hasBegun() || offlineReason != null) {
            return;
        }
        shard.onAhead(this);
        try {
            end.onRecovered(unsynced);
        } catch (NoDescriptorException e) {
            onShortage(e);
            return;
        } catch (IOException e) {
            fail(e);
            return;
        }
        unsynced = List.of();
        touch();
    }

    private boolean hasBegun() {
        return unsynced.isEmpty();
    }

    // --- what it is

    public PartitionId id() {
        return id;
    }

    public DataDirectory directory() {
        return directory;
    }

    /// Any thread.
    Path path() {
        return path;
    }

    /// Any thread.
    LogShard shard() {
        return shard;
    }

    SegmentList segments() {
        return segments;
    }

    /// Whether anything of the log is on disk yet.
    boolean hasDirectory() {
        return end.hasDirectory();
    }

    LeaderEpochs epochs() {
        return epochs;
    }

    ProducerStates producers() {
        return producers;
    }

    LogStart start() {
        return start;
    }

    LogEnd end() {
        return end;
    }

    LogDurability durability() {
        return durability;
    }

    Optional<LogTail> tail() {
        return end.tail();
    }

    /// Counts truncations.
    long generation() {
        return end.generation();
    }

    /// Bytes of the active segment that are in its file.
    long writtenPosition() {
        return end.writtenPosition();
    }

    /// Position in the active segment where the batch that starts with an offset begins, if it is
    /// known without looking; -1 otherwise.
    long recentPosition(long offset) {
        return end.recentPosition(offset);
    }

    /// Any thread.
    PathLease pathLease() {
        return pathLease;
    }

    public LogConfig config() {
        return config;
    }

    /// Takes effect with the next append, roll, sync or retention run.
    public void updateConfig(LogConfig newConfig) {
        config = newConfig;
    }

    /// First offset that can be read.
    public long logStartOffset() {
        return start.logStartOffset();
    }

    /// The high watermark as it was noted last, by this process or an earlier one; never past an
    /// end at which the log was cut since.
    public OptionalLong notedHighWatermark() {
        return directory.manifest().highWatermark(id.topicPartition());
    }

    /// Notes the high watermark for later starts. It is on disk with the directory's next
    /// checkpoint.
    public void noteHighWatermark(long highWatermark) {
        if (hasDirectory()) {
            directory.manifest().setHighWatermark(id.topicPartition(), highWatermark);
        }
    }

    /// The next offset to be given.
    public long logEndOffset() {
        return end.logEndOffset();
    }

    /// Exclusive.
    public long writtenEndOffset() {
        return end.writtenEndOffset();
    }

    /// Exclusive; what survives a power loss.
    public long flushedEndOffset() {
        return durability.flushedEndOffset();
    }

    /// Recovery starts here after an unclean stop. Exclusive.
    public long recoveryPoint() {
        return durability.recoveryPoint();
    }

    /// Bytes of all segments.
    public long sizeBytes() {
        return resting == null ? segments.sizeBytes() : resting.facts().bytes();
    }

    public int segmentCount() {
        return resting == null ? segments.count() : resting.facts().segments();
    }

    /// Why the log cannot be used, if it cannot.
    public Optional<String> offlineReason() {
        return Optional.ofNullable(offlineReason);
    }

    // --- append

    /// Appends a producer's or a coordinator's batches: gives them the next offsets and the leader
    /// epoch, in place. The buffer, from position to limit, holds whole checked batches and must
    /// not change until they are written.
    public AppendOutcome append(
            ByteBuffer batches, int leaderEpoch, AppendOrigin origin, long nowMs) {
        shard.makeRoom();
        Optional<AppendOutcome> refusal = refusal(directory.appendRefusal(origin));
        return refusal.isPresent()
                ? refusal.get()
                : append(() -> end.append(batches, leaderEpoch, origin, nowMs));
    }

    /// Appends batches that have their offsets and epochs, copied from the partition's leader or
    /// from another log. The first must not lie before the log's end; a gap is one that compaction
    /// made.
    ///
    /// @param origin who wrote them there
    public AppendOutcome appendCopied(ByteBuffer batches, AppendOrigin origin, long nowMs) {
        shard.makeRoom();
        Optional<AppendOutcome> refusal = refusal(directory.appendRefusal(origin));
        return refusal.isPresent() ? refusal.get() : append(() -> end.appendCopied(batches, nowMs));
    }

    /// @param full why the directory has no room, if it has none
    private Optional<AppendOutcome> refusal(Optional<String> full) {
        Optional<String> unusable = unusable();
        if (unusable.isPresent()) {
            return Optional.of(new AppendOutcome.Offline(unusable.get()));
        }
        if (onClosed != null) {
            return Optional.of(new AppendOutcome.Offline("log " + path + " is being closed"));
        }
        return full.isPresent() || end.hasUntoldDrop()
                ? Optional.of(new AppendOutcome.StorageFull(full.orElse(DROPPED)))
                : Optional.empty();
    }

    private interface Append {
        AppendOutcome run() throws IOException;
    }

    private AppendOutcome append(Append append) {
        try {
            return append.run();
        } catch (ShortageException e) {
            // A segment found no room, name or free descriptor; nothing was placed yet.
            return new AppendOutcome.StorageFull(onShortage(e));
        } catch (IOException e) {
            return new AppendOutcome.Offline(fail(e));
        }
    }

    /// Writes what waits before the turn ends, which tells of it.
    void writeEarly() {
        if (offlineReason != null) {
            return;
        }
        try {
            end.writeWaiting();
        } catch (IOException e) {
            fail(e);
        }
    }

    void touch() {
        if (!touched) {
            touched = true;
            shard.touch(this);
        }
    }

    // --- end of turn: write, sync, tell

    void endTurn(long nowMs, List<SyncService> services) {
        touched = false;
        if (offlineReason != null || !hasBegun()) {
            return;
        }
        try {
            end.writeWaiting();
            end.writeBehind(nowMs);
            durability.startSync(nowMs, services);
        } catch (IOException e) {
            fail(e);
            return;
        }
        long droppedFrom = end.takeUntoldDrop();
        if (droppedFrom != LogEnd.NONE) {
            listener.onDropped(this, droppedFrom);
        }
        if (end.hasNewlyWritten()) {
            listener.onWritten(this, end.writtenEndOffset());
        }
    }

    // --- upkeep

    /// Called by the shard's sweep while records lie behind the recovery point.
    void sweep(long nowMs) {
        if (offlineReason != null) {
            shard.onLevel(this);
            return;
        }
        begin();
        durability.sweep(nowMs);
    }

    /// The sync service has done what was asked.
    void onSynced(SyncRequest request, boolean checkpointed) {
        if (offlineReason != null) {
            durability.onVoid();
            return;
        }
        long flushedBefore = durability.flushedEndOffset();
        try {
            durability.onSynced(request, checkpointed);
            if (durability.isLevel()) {
                end.onLevel();
            }
        } catch (IOException e) {
            fail(e);
            return;
        }
        if (durability.flushedEndOffset() > flushedBefore) {
            listener.onFlushed(this, durability.flushedEndOffset());
        }
        maybeFinishClose();
    }

    /// Asks for a sync whatever the flush policy; the listener tells when it is done.
    public void flush() {
        durability.wantSync();
        touch();
    }

    /// The same for a log that has something to sync.
    void flushIfDirty() {
        if (offlineReason == null && end.tail().map(LogTail::isDirty).orElse(false)) {
            flush();
        }
    }

    /// Asks for a new recovery point at the log's end.
    void requestCheckpoint() {
        if (unusable().isPresent()) {
            return;
        }
        durability.wantCheckpoint();
        touch();
    }

    /// Closes the log in order: all that was appended becomes durable, with a recovery point at the
    /// end, and then `done` runs on the owner's thread. Nothing may be appended after this. An
    /// offline log is closed at once.
    public void close(Runnable done) {
        check(onClosed == null, "log is closed twice");
        onClosed = done;
        leaveResting();
        shard.execute(this, this::maybeFinishClose);
    }

    /// Whether another thread may have something to do in the log's files.
    public boolean isAtWork() {
        return durability.isSyncInFlight() || (resting != null && pathLease.isTaken());
    }

    private void maybeFinishClose() {
        Runnable done = onClosed;
        if (done == null || (offlineReason == null && durability.isSyncInFlight())) {
            return;
        }
        if (resting != null && pathLease.isTaken()) {
            return; // The lane is at it, and tells when it is not.
        }
        wake();
        begin();
        boolean usable = offlineReason == null && hasBegun();
        boolean level = usable && durability.isLevel();
        if (usable && !level && closeTries < MAX_CLOSE_TRIES) {
            closeTries++;
            durability.wantCheckpoint();
            touch();
            return;
        }
        if (level) {
            directory.onClosedInOrder(this);
        } else {
            directory.onClosedOutOfOrder(); // A full disk has no room for the checkpoint, or worse.
        }
        onClosed = null;
        releaseFiles();
        if (offlineReason == null) {
            offlineReason = "log " + path + " is closed";
        }
        directory.forget(this);
        done.run();
    }

    private void releaseFiles() {
        for (Segment segment : segments.all()) {
            io.openFiles().close(segment);
        }
        end.release();
        shard.onLevel(this);
    }

    /// Removes the log: its directory gets another name at once and goes away in the background.
    public void delete() {
        leaveResting();
        releaseFiles();
        offlineReason = "log " + path + " is deleted";
        if (resting != null) {
            directory.removeUnread(this);
        } else if (end.hasDirectory()) {
            directory.removePartitionDirectory(this);
        }
        directory.forget(this);
    }

    /// The log goes out of use: nobody begins to open it any more.
    private void leaveResting() {
        if (resting != null) {
            resting.leave();
        }
    }

    // --- read

    /// Reads batches from the one that holds `startOffset` on, as far as `endOffset` (exclusive)
    /// and the written end allow. At most `maxBytes`, but at least the first batch whole when
    /// `minOneBatch` says so.
    public ReadOutcome read(long startOffset, int maxBytes, long endOffset, boolean minOneBatch) {
        if (offlineReason != null) {
            return new ReadOutcome.Offline(offlineReason);
        }
        if (startOffset < logStartOffset() || startOffset > logEndOffset()) {
            return new ReadOutcome.OutOfRange(logStartOffset(), logEndOffset());
        }
        long limit = Math.min(endOffset, writtenEndOffset());
        if (startOffset >= limit) {
            return new ReadOutcome.AtEnd(limit);
        }
        Optional<String> unusable = unusable();
        if (unusable.isPresent()) {
            return new ReadOutcome.Offline(unusable.get());
        }
        try {
            int first = Math.max(0, segments.floor(startOffset));
            for (int index = first; index < segments.count(); index++) {
                Optional<LogSlice> slice =
                        shard.reader().read(this, index, startOffset, maxBytes, limit, minOneBatch);
                if (slice.isPresent()) {
                    return new ReadOutcome.Batches(slice.get());
                }
            }
            return new ReadOutcome.AtEnd(limit);
        } catch (DamagedLogException e) {
            return new ReadOutcome.Offline(onDamagedRead(e));
        } catch (NoDescriptorException e) {
            return new ReadOutcome.Offline(onShortage(e));
        } catch (IOException e) {
            return new ReadOutcome.Offline(fail(e));
        }
    }

    /// What cannot be read is refused; the rest of the log serves on.
    private String onDamagedRead(DamagedLogException cause) {
        if (!damageReported) {
            damageReported = true;
            LOG.error(
                    "Log {} is damaged, a part of it cannot be read: {}.",
                    path,
                    cause.getMessage());
        }
        return "log " + path + " is damaged: " + cause.getMessage();
    }

    /// Finds the first record with a timestamp of at least `timestamp`, at the log start offset or
    /// behind it and below `endOffset`.
    public LookupOutcome<Optional<TimestampedOffset>> offsetForTimestamp(
            long timestamp, long endOffset) {
        return lookUp(() -> shard.reader().offsetForTimestamp(this, timestamp, endOffset));
    }

    /// Finds the first of the records that have the largest timestamp of the log; nothing when none
    /// has one, or that one is at `endOffset` or behind it.
    public LookupOutcome<Optional<TimestampedOffset>> maxTimestampOffset(long endOffset) {
        return lookUp(() -> shard.reader().maxTimestampOffset(this, endOffset));
    }

    private interface Lookup<T> {
        T run() throws IOException;
    }

    private <T> LookupOutcome<T> lookUp(Lookup<T> lookup) {
        Optional<String> unusable = unusable();
        if (unusable.isPresent()) {
            return new LookupOutcome.Offline<>(unusable.get());
        }
        try {
            return new LookupOutcome.Found<>(lookup.run());
        } catch (DamagedLogException e) {
            return new LookupOutcome.Offline<>(onDamagedRead(e));
        } catch (NoDescriptorException e) {
            return new LookupOutcome.Offline<>(onShortage(e));
        } catch (IOException e) {
            return new LookupOutcome.Offline<>(fail(e));
        }
    }

    // --- epochs, producers, transactions

    /// The newest leader epoch that has records here, or [EpochEndOffset#UNDEFINED_EPOCH].
    public LookupOutcome<Integer> latestEpoch() {
        // One that was assigned is the newest, whatever the files say.
        return offlineReason == null && epochs.count() > 0
                ? new LookupOutcome.Found<>(epochs.latestEpoch())
                : lookUp(() -> epochs.latestEpoch());
    }

    /// Notes that the log's next records will be of this epoch; a new leader does so before its
    /// first append.
    public void assignEpoch(int leaderEpoch) {
        epochs.assign(leaderEpoch, logEndOffset());
    }

    /// Where an epoch ends, for OffsetForLeaderEpoch and truncation.
    public LookupOutcome<EpochEndOffset> endOffsetForEpoch(int leaderEpoch) {
        return lookUp(() -> epochs.endOffsetFor(leaderEpoch, logEndOffset()));
    }

    /// Epoch of the record at an offset, or [EpochEndOffset#UNDEFINED_EPOCH].
    public LookupOutcome<Integer> epochAt(long offset) {
        return lookUp(() -> epochs.epochAt(offset));
    }

    /// What is known of the producers, live.
    public LookupOutcome<Collection<ProducerEntry>> activeProducers() {
        return lookUp(() -> producers.producers());
    }

    /// Forgets producers that were silent for too long.
    public void removeExpiredProducers(long nowMs) {
        producers.removeExpired(nowMs - config.producerIdExpirationMs());
    }

    /// Where readers of committed data must stop. Exclusive; at most the high watermark.
    public long lastStableOffset(long highWatermark) {
        producers.onHighWatermark(highWatermark);
        return Math.min(highWatermark, producers.firstUnstableOffset());
    }

    /// The aborted transactions that overlap a range of offsets, the end exclusive.
    public LookupOutcome<List<AbortedTransaction>> abortedTransactions(
            long startOffset, long endOffset) {
        return lookUp(() -> findAborted(startOffset, endOffset));
    }

    private List<AbortedTransaction> findAborted(long startOffset, long endOffset)
            throws IOException {
        List<AbortedTransaction> found = new ArrayList<>();
        for (int index = Math.max(0, segments.floor(startOffset));
                index < segments.count();
                index++) {
            for (AbortedTransaction aborted : segments.at(index).abortedTransactions(io)) {
                if (aborted.lastOffset() >= startOffset && aborted.firstOffset() < endOffset) {
                    found.add(aborted);
                }
                if (aborted.lastStableOffset() >= endOffset) {
                    return found;
                }
            }
        }
        return found;
    }

    // --- cutting the end

    /// Drops all records from `offset` on; batches are cut whole. Durable before it returns.
    /// Returns the new log end offset. Readers that hold slices of the cut range must be gone.
    public long truncateTo(long offset) {
        if (unusable().isPresent() || offset >= logEndOffset()) {
            return logEndOffset();
        }
        try {
            end.writeWaiting();
            if (offset < logStartOffset()) {
                LogTruncation.startAt(this, offset);
            } else {
                LogTruncation.cut(this, offset);
            }
        } catch (IOException e) {
            fail(e);
        }
        return logEndOffset();
    }

    /// Drops everything and goes on at `offset`, as a follower that fell behind the leader's log
    /// start does.
    public void truncateFullyAndStartAt(long offset) {
        if (unusable().isPresent()) {
            return;
        }
        try {
            end.writeWaiting();
            LogTruncation.startAt(this, offset);
        } catch (IOException e) {
            fail(e);
        }
    }

    // --- cutting the beginning

    /// Removes old segments as the retention settings say, none of them above the high watermark.
    /// Returns how many.
    public int applyRetention(long nowMs, long highWatermark) {
        if (unusable().isPresent()) {
            return 0;
        }
        try {
            return start.applyRetention(nowMs, highWatermark);
        } catch (ShortageException e) {
            onShortage(e); // Gives up the reserve, so that the next run finds room.
            return 0;
        } catch (IOException e) {
            fail(e);
            return 0;
        }
    }

    /// Raises the log start offset, as DeleteRecords asks; `outcome` is told on the owner's thread
    /// when that is durable, or cannot be made so. When the log starts there or later already that
    /// is all that happens.
    public void advanceLogStartOffset(long offset, StartOutcome outcome) {
        Optional<String> unusable = unusable();
        if (unusable.isPresent()) {
            outcome.onFailed(new IOException(unusable.get()));
            return;
        }
        check(
                offset <= logEndOffset(),
                "log start offset %d behind the log end %d",
                offset,
                logEndOffset());
        start.advance(offset, outcome);
    }

    /// Removes segments that the log does not have any more.
    void deleteSegments(List<Segment> dropped) {
        if (offlineReason != null) {
            return; // Another log may have the directory's name by now; the next opening removes
            // the files.
        }
        try {
            for (Segment segment : dropped) {
                directory.deleteSegment(segment.name(), config.fileDeleteDelayMs());
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    /// Removes a snapshot that a later one has replaced.
    void deleteSnapshot(Path snapshot) {
        if (offlineReason != null) {
            return;
        }
        try {
            io.disk().delete(snapshot);
        } catch (IOException e) {
            fail(e);
        }
    }

    // --- failure

    /// Something was refused for want of room, a descriptor or a name; says why.
    private String onShortage(ShortageException cause) {
        shard.letKeptFilesGo();
        return directory.onShortage(cause);
    }

    /// A damaged log goes offline alone, and so does one that found no free descriptor in the
    /// middle of something that cannot be taken back; any other fault is the disk's and takes the
    /// whole directory.
    private String fail(IOException cause) {
        if (cause instanceof DamagedLogException
                || cause instanceof NoDescriptorException
                || cause instanceof NameInUseException) {
            String reason =
                    cause instanceof DamagedLogException
                            ? "log " + path + " is damaged: " + cause.getMessage()
                            : "log " + path + " needs a restart: " + cause.getMessage();
            LOG.error("Log {} goes offline: {}.", path, cause.getMessage());
            becomeOffline(reason);
            return reason;
        }
        directory.fail(cause);
        String reason = directory.offlineReason().orElse(String.valueOf(cause.getMessage()));
        becomeOffline(reason);
        return reason;
    }

    /// A bug showed itself inside this log or in what its owner does with it: it is neither written
    /// nor read any more, for what would be written may be wrong.
    public void becomeBroken(RuntimeException bug) {
        LOG.error(
                "Log {} goes offline because of a bug of the broker; a restart reads it again.",
                path,
                bug);
        directory.onClosedOutOfOrder();
        becomeOffline(
                "log %s is offline because of a bug of the broker, %s: restart it"
                        .formatted(path, bug));
    }

    void becomeOffline(String reason) {
        if (offlineReason != null) {
            return;
        }
        leaveResting();
        offlineReason = reason;
        try {
            releaseFiles();
        } catch (RuntimeException e) {
            LOG.error("The files of log {} could not be let go.", path, e);
        }
        shard.execute(this, () -> listener.onOffline(this, reason));
        if (onClosed != null) {
            shard.execute(this, this::maybeFinishClose);
        }
    }

    @Override
    public String toString() {
        return path + " [" + logStartOffset() + ", " + logEndOffset() + ")";
    }
}

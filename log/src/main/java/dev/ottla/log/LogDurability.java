package dev.ottla.log;

import static dev.ottla.wire.Check.check;

import dev.ottla.log.disk.ShortageException;
import dev.ottla.log.epoch.LeaderEpochFile;
import dev.ottla.log.segment.Segment;
import dev.ottla.log.segment.SegmentName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How far one log is on disk, and what has to happen for it to come further. A sync makes what was
/// written durable; a checkpoint also what is derived from it, so that the recovery point moves. At
/// most one request is under way. Owned by the shard thread.
final class LogDurability {
    /// A log that grew by so much since its recovery point gets a new one.
    private static final long CHECKPOINT_BYTES = 64L << 20;

    /// And so does one that has been behind for so long and is quiet: not at every pause of a slow
    /// writer.
    private static final long CHECKPOINT_MS = 5 * 60_000L;

    private static final long NEVER = Long.MAX_VALUE;

    private final PartitionLog log;

    private long flushedEndOffset;
    private long recoveryPoint;

    private boolean syncInFlight;
    private boolean syncWanted;
    private boolean checkpointWanted;
    private long unflushedSinceMs = NEVER;
    private long bytesSinceCheckpoint;
    private long behindSinceMs = NEVER;
    private long endOffsetAtSweep;
    private long looseSnapshotOffset = -1; // Of a snapshot that is no segment's beginning.
    private final List<Path> unsyncedPaths =
            new ArrayList<>(0); // Index files and snapshots of rolled segments.

    /// @param recoveryPoint of the log when it was opened; what lies behind it is on disk only once
    ///   a sync was asked for
    LogDurability(PartitionLog log, long recoveryPoint) {
        this.log = log;
        flushedEndOffset = Math.max(recoveryPoint, log.logStartOffset());
        this.recoveryPoint = recoveryPoint;
        endOffsetAtSweep = log.logEndOffset();
    }

    long flushedEndOffset() {
        return flushedEndOffset;
    }

    long recoveryPoint() {
        return recoveryPoint;
    }

    boolean isSyncInFlight() {
        return syncInFlight;
    }

    /// True when a stop now would leave nothing to recover.
    boolean isLevel() {
        if (!log.hasDirectory()) {
            return true;
        }
        boolean dirty = log.tail().map(tail -> tail.isDirty() || tail.hasWaiting()).orElse(false);
        return recoveryPoint == log.logEndOffset()
                && !dirty
                && !log.epochs().isChanged(log.logEndOffset());
    }

    void wantSync() {
        syncWanted = true;
    }

    void wantCheckpoint() {
        checkpointWanted = true;
    }

    // --- what happens to the log

    void onAppended(int bytes) {
        bytesSinceCheckpoint += bytes;
    }

    void onRolled(Segment old, Path snapshot) {
        unsyncedPaths.addAll(old.indexPaths());
        unsyncedPaths.add(snapshot);
        syncWanted = true;
    }

    /// The log ends at `end` now. Recovery trusts what lies before its point, and readers what lies
    /// before the high watermark that was noted, so both move durably before anything new is
    /// written there.
    void onCut(long end) throws IOException {
        flushedEndOffset = Math.min(flushedEndOffset, end);
        looseSnapshotOffset = -1;
        Manifest manifest = log.directory().manifest();
        boolean changed = manifest.lowerHighWatermark(log.id().topicPartition(), end);
        if (recoveryPoint > end) {
            recoveryPoint = end;
            manifest.setRecoveryPoint(log.id().topicPartition(), end);
            changed = true;
        }
        if (changed) {
            manifest.write();
        }
    }

    // --- requests

    /// Makes the request that is due, if any.
    void startSync(long nowMs, List<SyncService> services) throws IOException {
        if (syncInFlight || !log.hasDirectory()) {
            return;
        }
        if (checkpointWanted) {
            checkpointWanted = false;
            submit(tryCheckpoint(), services);
        } else if (wantsSync(nowMs)) {
            submit(Optional.empty(), services);
        }
    }

    private boolean wantsSync(long nowMs) {
        if (!log.tail().map(LogTail::isDirty).orElse(false)) {
            return false;
        }
        if (syncWanted || log.config().flushPolicy() == FlushPolicy.FSYNC) {
            return true;
        }
        if (unflushedSinceMs == NEVER) {
            unflushedSinceMs = nowMs;
            log.shard().onAhead(log);
        }
        return log.writtenEndOffset() - flushedEndOffset >= log.config().flushMessages()
                || nowMs - unflushedSinceMs >= log.config().flushMs();
    }

    private void submit(Optional<SyncRequest.Checkpoint> checkpoint, List<SyncService> services) {
        boolean directoryChanged = false;
        boolean rootChanged = false;
        LogTail.DirtyFiles files = LogTail.DirtyFiles.NONE;
        List<Path> paths = List.of();
        Optional<LogTail> tail = log.tail();
        if (tail.isPresent()) {
            directoryChanged = tail.get().directoryChanged();
            rootChanged = tail.get().rootChanged();
            files = tail.get().takeDirtyFiles(log.shard().io().openFiles());
            paths = tail.get().takeDirtyPaths();
        }
        SyncRequest request =
                new SyncRequest(
                        log,
                        log.generation(),
                        log.writtenEndOffset(),
                        new UnsyncedFiles(files.files()),
                        files.complete(),
                        paths,
                        directoryChanged,
                        rootChanged,
                        checkpoint);
        syncInFlight = true;
        syncWanted = false;
        unflushedSinceMs = NEVER;
        log.shard().onAhead(log);
        SyncService service = log.directory().syncService();
        service.enqueue(request);
        if (!services.contains(service)) {
            services.add(service);
        }
    }

    /// Without room or a descriptor for it a checkpoint is left out; the sweep asks again.
    private Optional<SyncRequest.Checkpoint> tryCheckpoint() throws IOException {
        try {
            return Optional.of(checkpoint());
        } catch (ShortageException e) {
            log.directory().onShortage(e);
            return Optional.empty();
        }
    }

    private SyncRequest.Checkpoint checkpoint() throws IOException {
        check(
                log.writtenEndOffset() == log.logEndOffset(),
                "checkpoint with records up to %d written of %d",
                log.writtenEndOffset(),
                log.logEndOffset());
        List<Path> indexPaths = new ArrayList<>(unsyncedPaths);
        if (!log.segments().isEmpty()) {
            Segment active = log.segments().last();
            if (!active.needsNoIndexFiles()) {
                active.writeIndexes(log.shard().io());
                indexPaths.addAll(active.indexPaths());
            }
        }
        long end = log.logEndOffset();
        Optional<String> epochs =
                log.epochs().isChanged(end)
                        ? Optional.of(LeaderEpochFile.format(log.epochs(), end))
                        : Optional.empty();
        unsyncedPaths.clear();
        log.epochs().markWritten(end);
        bytesSinceCheckpoint = 0;
        Optional<ByteBuffer> snapshot =
                needsNoSnapshot() ? Optional.empty() : Optional.of(log.producers().snapshot());
        return new SyncRequest.Checkpoint(indexPaths, snapshotPath(end), snapshot, epochs);
    }

    /// A small log without producers: that it has none is quickly read from it.
    private boolean needsNoSnapshot() {
        return log.producers().isEmpty()
                && log.segments().count() == 1
                && log.segments().last().needsNoIndexFiles();
    }

    private Path snapshotPath(long offset) {
        return new SegmentName(log.path(), offset).file(SegmentName.SNAPSHOT);
    }

    /// A request is done, but the log is not in use any more.
    void onVoid() {
        syncInFlight = false;
    }

    /// A request is done. `checkpointed` tells whether its checkpoint is, if it had one.
    void onSynced(SyncRequest request, boolean checkpointed) throws IOException {
        syncInFlight = false;
        boolean isCheckpoint = request.checkpoint().isPresent();
        if (request.generation() == log.generation()) {
            flushedEndOffset = Math.max(flushedEndOffset, request.endOffset());
            if (checkpointed) {
                boolean wroteSnapshot =
                        request.checkpoint().flatMap(SyncRequest.Checkpoint::snapshot).isPresent();
                onCheckpoint(request.endOffset(), wroteSnapshot);
            }
        } else if (isCheckpoint) {
            // A truncation came between: the snapshot is of records that are gone.
            log.shard().io().disk().delete(request.checkpoint().orElseThrow().snapshotPath());
        }
        if (isCheckpoint && !(checkpointed && request.generation() == log.generation())) {
            takeBack(request.checkpoint().orElseThrow());
        }
        if (checkpointWanted || log.tail().map(LogTail::isDirty).orElse(false)) {
            log.touch();
        }
    }

    /// What a checkpoint should have made durable is left to the next one.
    private void takeBack(SyncRequest.Checkpoint checkpoint) {
        unsyncedPaths.addAll(checkpoint.indexPaths());
        if (checkpoint.epochs().isPresent()) {
            log.epochs().markChanged();
        }
    }

    private void onCheckpoint(long endOffset, boolean wroteSnapshot) {
        recoveryPoint = endOffset;
        log.directory().manifest().setRecoveryPoint(log.id().topicPartition(), endOffset);
        if (recoveryPoint == log.logEndOffset()) {
            log.shard().onLevel(log);
        }
        if (!wroteSnapshot) {
            return;
        }
        if (looseSnapshotOffset >= 0 && looseSnapshotOffset != endOffset) {
            Path replaced = snapshotPath(looseSnapshotOffset);
            Runnable delete = () -> log.deleteSnapshot(replaced);
            log.directory().manifest().afterNextWrite(() -> log.shard().execute(log, delete));
        }
        int segment = log.segments().floor(endOffset);
        boolean startsSegment =
                segment >= 0 && log.segments().at(segment).baseOffset() == endOffset;
        looseSnapshotOffset = startsSegment ? -1 : endOffset;
    }

    /// Called every few seconds: asks for a checkpoint when the log has grown much, or has gone
    /// quiet some time after its last one.
    void sweep(long nowMs) {
        boolean quiet = endOffsetAtSweep == log.logEndOffset();
        endOffsetAtSweep = log.logEndOffset();
        boolean behind = recoveryPoint < log.logEndOffset();
        if (!behind) {
            behindSinceMs = NEVER;
        } else if (behindSinceMs == NEVER) {
            behindSinceMs = nowMs;
        }
        boolean old = behind && nowMs - behindSinceMs >= CHECKPOINT_MS;
        if (behind && (bytesSinceCheckpoint >= CHECKPOINT_BYTES || (old && quiet))) {
            behindSinceMs = nowMs;
            checkpointWanted = true;
            log.touch();
        } else if (unflushedSinceMs != NEVER
                && nowMs - unflushedSinceMs >= log.config().flushMs()) {
            log.touch();
        }
    }
}

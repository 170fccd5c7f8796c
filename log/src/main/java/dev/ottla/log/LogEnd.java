package dev.ottla.log;

import dev.ottla.log.disk.DiskFullException;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.SharedFile;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.log.producer.CompletedTransaction;
import dev.ottla.log.producer.SequenceCheck;
import dev.ottla.log.segment.LogIo;
import dev.ottla.log.segment.Segment;
import dev.ottla.log.segment.SegmentName;
import dev.ottla.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The growing end of one log: gives appended batches their offsets, lets them wait for the end of
/// the turn, writes them, and begins new segments. Faults of the disk go to the [PartitionLog],
/// which decides what they mean. Owned by the shard thread.
final class LogEnd {
    static final long NONE = -1;

    private static final Logger LOG = LoggerFactory.getLogger(LogEnd.class);

    private final PartitionLog log;
    private final LogIo io;
    private @Nullable LogTail tail;

    private long logEndOffset;
    private long writtenEndOffset;
    private long toldWrittenEndOffset;
    private long untoldDropFrom = NONE; // Of records that were dropped and nobody knows it.
    private long generation; // Counts truncations.

    private boolean hasDirectory;
    private boolean directoryUnsynced; // There, but neither a sync nor a tail knows.
    private boolean namesUnsynced; // As may be what was found in it.

    /// @param loaded what is on disk
    /// @param hasDirectory whether anything is
    LogEnd(PartitionLog log, LogLoader.Loaded loaded, boolean hasDirectory) {
        this.log = log;
        this.io = log.shard().io();
        this.hasDirectory = hasDirectory;
        directoryUnsynced = hasDirectory && loaded.recoveryPoint() == 0;
        namesUnsynced = loaded.namesUnsynced();
        long endOffset = loaded.logEndOffset();
        logEndOffset = endOffset;
        writtenEndOffset = endOffset;
        toldWrittenEndOffset = endOffset;
    }

    /// The next offset to be given.
    long logEndOffset() {
        return logEndOffset;
    }

    /// Exclusive.
    long writtenEndOffset() {
        return writtenEndOffset;
    }

    long generation() {
        return generation;
    }

    boolean hasDirectory() {
        return hasDirectory;
    }

    Optional<LogTail> tail() {
        return Optional.ofNullable(tail);
    }

    /// Bytes of the active segment that are in its file.
    long writtenPosition() {
        LogTail current = tail;
        return current == null ? log.segments().last().sizeBytes() : current.writtenPosition();
    }

    /// Position in the active segment where the batch that starts with an offset begins, if it is
    /// known without looking; -1 otherwise.
    long recentPosition(long offset) {
        LogTail current = tail;
        return current == null ? -1 : current.positionOf(offset);
    }

    /// Whether the written end moved since it was last asked.
    boolean hasNewlyWritten() {
        boolean moved = toldWrittenEndOffset != writtenEndOffset;
        toldWrittenEndOffset = writtenEndOffset;
        return moved;
    }

    /// Whether records were dropped since that was last asked for. Nobody gets their offsets until
    /// the listener knows.
    boolean hasUntoldDrop() {
        return untoldDropFrom != NONE;
    }

    /// The first offset of what was dropped, [#NONE] without any; the caller tells the listener.
    long takeUntoldDrop() {
        long fromOffset = untoldDropFrom;
        untoldDropFrom = NONE;
        return fromOffset;
    }

    /// The log was read again after an unclean stop: what lies in these segments behind the
    /// recovery point waits for a sync.
    void onRecovered(List<Segment> unsynced) throws IOException {
        LogTail recovered = tail(log.segments().last());
        for (Segment segment : unsynced) {
            recovered.markDirty(io, segment);
            io.openFiles().close(segment); // It was written through another descriptor.
        }
        recovered.markDirectoryChanged();
    }

    // --- append

    /// Gives the batches the next offsets and the leader epoch, in place.
    AppendOutcome append(ByteBuffer batches, int leaderEpoch, AppendOrigin origin, long nowMs)
            throws IOException {
        int limit = batches.limit();
        long endOffset = logEndOffset;
        long maxTimestamp = RecordBatch.NO_TIMESTAMP;
        boolean hasMarkers = false;
        for (int at = batches.position(); at < limit; ) {
            RecordBatch batch = RecordBatch.at(batches, at);
            SequenceCheck sequence = log.producers().check(batch, origin);
            if (!(sequence instanceof SequenceCheck.Accepted)) {
                return AppendOutcome.refused(sequence, log.id());
            }
            endOffset += batch.lastOffsetDelta() + 1L;
            maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
            hasMarkers |= batch.isControl();
            at += batch.sizeBytes();
        }
        int bytes = batches.remaining();
        if (bytes > log.config().segmentBytes()) {
            return new AppendOutcome.TooLarge(bytes, log.config().segmentBytes());
        }
        long firstOffset = logEndOffset;
        Segment segment =
                segmentFor(
                        new Incoming(bytes, firstOffset, endOffset - 1, maxTimestamp, hasMarkers),
                        nowMs);
        log.epochs().assign(leaderEpoch, firstOffset);
        for (int at = batches.position(); at < limit; ) {
            RecordBatch batch = RecordBatch.at(batches, at);
            batch.assignOffsets(logEndOffset, leaderEpoch);
            place(segment, batch);
            at += batch.sizeBytes();
        }
        queue(segment, batches);
        return new AppendOutcome.Appended(firstOffset, logEndOffset - 1);
    }

    /// Takes batches that have their offsets and epochs.
    AppendOutcome appendCopied(ByteBuffer batches, long nowMs) throws IOException {
        int limit = batches.limit();
        long firstOffset = -1;
        long lastOffset = logEndOffset - 1;
        long maxTimestamp = RecordBatch.NO_TIMESTAMP;
        boolean hasMarkers = false;
        for (int at = batches.position(); at < limit; ) {
            RecordBatch batch = RecordBatch.at(batches, at);
            if (batch.baseOffset() <= lastOffset) {
                return new AppendOutcome.UnexpectedOffset(batch.baseOffset(), lastOffset + 1);
            }
            firstOffset = firstOffset < 0 ? batch.baseOffset() : firstOffset;
            lastOffset = batch.lastOffset();
            maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
            hasMarkers |= batch.isControl();
            at += batch.sizeBytes();
        }
        if (firstOffset < 0) {
            return new AppendOutcome.Appended(logEndOffset, logEndOffset - 1);
        }
        Segment segment =
                segmentFor(
                        new Incoming(
                                batches.remaining(),
                                firstOffset,
                                lastOffset,
                                maxTimestamp,
                                hasMarkers),
                        nowMs);
        for (int at = batches.position(); at < limit; ) {
            RecordBatch batch = RecordBatch.at(batches, at);
            log.epochs().assign(batch.leaderEpoch(), batch.baseOffset());
            place(segment, batch);
            at += batch.sizeBytes();
        }
        queue(segment, batches);
        return new AppendOutcome.Appended(firstOffset, lastOffset);
    }

    private void place(Segment segment, RecordBatch batch) throws IOException {
        segment.onAppend(
                io,
                batch.lastOffset(),
                batch.maxTimestamp(),
                batch.sizeBytes(),
                log.config().indexIntervalBytes());
        if (batch.producerId() >= 0) {
            Optional<CompletedTransaction> completed = log.producers().update(batch);
            if (completed.isPresent() && completed.get().aborted()) {
                segment.onAborted(io, ProducerReplay.aborted(completed.get()));
            }
        }
        logEndOffset = batch.nextOffset();
    }

    private void queue(Segment segment, ByteBuffer batches) {
        LogTail appended = tail(segment);
        appended.add(batches.slice());
        appended.onAppended(logEndOffset, segment.sizeBytes());
        log.durability().onAppended(batches.remaining());
        log.touch();
    }

    private LogTail tail(Segment active) {
        LogTail current = tail;
        if (current == null) {
            current =
                    new LogTail(
                            active.sizeBytes(), !log.directory().syncService().coversClosedFiles());
            tail = current;
            if (directoryUnsynced) {
                directoryUnsynced = false;
                current.markDirty(log.path().resolve(PartitionMetadataFile.NAME));
                current.markDirectoryChanged();
                current.markRootChanged();
            } else if (namesUnsynced) {
                current.markDirectoryChanged();
            }
            namesUnsynced = false;
        }
        return current;
    }

    // --- segments

    /// Batches that are about to be appended.
    ///
    /// @param hasMarkers whether they may end transactions
    private record Incoming(
            int bytes, long firstOffset, long lastOffset, long maxTimestamp, boolean hasMarkers) {}

    /// The active segment, or a new one when the batches do not fit into it. All that their append
    /// needs is open then.
    private Segment segmentFor(Incoming batches, long nowMs) throws IOException {
        SegmentList segments = log.segments();
        if (segments.isEmpty()) {
            boolean fits = batches.lastOffset() - logEndOffset <= Integer.MAX_VALUE;
            createSegment(fits ? logEndOffset : batches.firstOffset(), nowMs);
        } else if (mustRoll(batches, nowMs)) {
            roll(batches.firstOffset(), nowMs);
        }
        Segment active = segments.last();
        tail(active);
        if (batches.hasMarkers()) {
            active.prepareAborted(io);
        }
        active.prepareAppend(io, batches.bytes(), log.config().indexIntervalBytes());
        return active;
    }

    private boolean mustRoll(Incoming batches, long nowMs) throws IOException {
        Segment active = log.segments().last();
        LogConfig config = log.config();
        return active.sizeBytes() > 0
                && (active.isFullFor(
                                batches.bytes(),
                                batches.lastOffset(),
                                config.segmentBytes(),
                                config.segmentIndexBytes())
                        || active.ageMs(io, nowMs, batches.maxTimestamp())
                                > config.segmentMs() - config.segmentJitterMs());
    }

    /// Ends the active segment; the next one begins at `baseOffset`.
    void roll(long baseOffset, long nowMs) throws IOException {
        long endBefore = logEndOffset;
        writeWaiting();
        if (logEndOffset != endBefore) {
            throw new DiskFullException("no room in " + log.path() + " for what comes before");
        }
        Segment old = log.segments().last();
        old.writeIndexes(io);
        Path snapshot = new SegmentName(log.path(), baseOffset).file(SegmentName.SNAPSHOT);
        DiskIo.write(io.disk(), snapshot, log.producers().snapshot());
        createSegment(baseOffset, nowMs);
        log.durability().onRolled(old, snapshot);
    }

    void createSegment(long baseOffset, long nowMs) throws IOException {
        boolean isFirst = !hasDirectory;
        if (isFirst) {
            log.directory().createPartitionDirectory(log.id(), log.path());
            hasDirectory = true;
            directoryUnsynced = true;
        }
        Segment segment =
                Segment.create(io, new SegmentName(log.path(), baseOffset), nowMs, isFirst);
        log.segments().add(segment);
        LogTail current = tail(segment);
        current.startSegment();
        current.markDirty(io, segment);
        current.markDirectoryChanged();
    }

    // --- writing

    /// Writes what was appended, to a file that is open since then. On a full disk it takes back
    /// the offsets of what it could not write.
    void writeWaiting() throws IOException {
        LogTail current = tail;
        if (current == null || !current.hasWaiting()) {
            return;
        }
        Segment active = log.segments().last();
        SharedFile file = io.openFiles().use(active);
        current.markDirty(io, active);
        try {
            file.file().write(current.waiting(), current.waitingCount(), current.writtenPosition());
        } catch (DiskFullException e) {
            dropWaiting(current, e);
            return;
        } finally {
            io.openFiles().letGo(active);
        }
        log.directory().onWritten(active.sizeBytes() - current.writtenPosition());
        current.onWritten(active.sizeBytes());
        writtenEndOffset = logEndOffset;
    }

    /// Records that nobody waits for to be on disk go there bit by bit.
    void writeBehind(long nowMs) {
        LogTail current = tail;
        if (current == null || log.config().flushPolicy() == FlushPolicy.FSYNC) {
            return;
        }
        Optional<WriteBehind.Range> due =
                current.writeBehind().advance(current.writtenPosition(), nowMs);
        if (due.isPresent()) {
            WriteBehind writeBehind = log.directory().writeBehind();
            io.openFiles()
                    .ifOpen(log.segments().last())
                    .ifPresent(file -> writeBehind.begin(file, due.get()));
        }
    }

    private void dropWaiting(LogTail current, DiskFullException cause) throws IOException {
        LOG.error(
                "Log {} drops offsets {} to {}: {}.",
                log.path(),
                writtenEndOffset,
                logEndOffset - 1,
                cause.getMessage());
        log.directory().onDiskFull();
        current.dropWaiting();
        log.segments().last().dropUnwritten(io, current.writtenPosition());
        untoldDropFrom = writtenEndOffset;
        LogTruncation.cut(log, untoldDropFrom);
    }

    // --- truncation and the end of use

    /// A truncation begins: what was asked of the sync service before is void.
    void beginTruncation() {
        generation++;
    }

    /// The log ends at `end` now, within `active`.
    void onCut(Segment active, long end) throws IOException {
        endAt(end);
        LogTail current = tail(active);
        current.forgetRecent();
        current.onWritten(active.sizeBytes());
        current.markDirty(io, active);
    }

    /// The log is empty and goes on at `end`.
    void endAt(long end) {
        logEndOffset = end;
        writtenEndOffset = end;
        toldWrittenEndOffset = Math.min(toldWrittenEndOffset, end);
    }

    /// Lets go of waiting buffers and files. The names that no sync has covered yet are left to the
    /// next tail.
    void release() {
        LogTail current = tail;
        if (current != null) {
            directoryUnsynced |= current.rootChanged();
            namesUnsynced |= current.directoryChanged();
            current.releaseAll(io.openFiles());
            tail = null;
        }
    }

    /// Everything is on disk, and the log may be idle from now on.
    void onLevel() {
        tail = null;
    }
}

package dev.ottla.log.segment;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.SharedFile;
import dev.ottla.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A run of batches in one `.log` file with its indexes. Bytes are counted here when they are given
/// their place, before they are written. Owned by one thread at a time; [#detach] before another
/// takes over.
public final class Segment {
    public static final long NO_TIMESTAMP = RecordBatch.NO_TIMESTAMP;

    /// The segment of a log with little traffic may go without index files up to this size.
    private static final int UNINDEXED_BYTES = 64 << 10;

    private final SegmentName name;
    private final OffsetIndex offsetIndex;
    private final TimeIndex timeIndex;
    private @Nullable TransactionIndex transactionIndex; // Opened at the first use.

    private long sizeBytes;
    private long maxTimestamp = NO_TIMESTAMP;
    private long maxTimestampOffset = -1;
    private boolean timestampsKnown;
    private long firstTimestamp = NO_TIMESTAMP; // Largest timestamp of the first batch.
    private long createdMs = NO_TIMESTAMP; // Asked for at the first use.
    private int bytesSinceIndexEntry;

    // Place in the list of open files, kept by OpenFiles alone.
    @Nullable SharedFile openFile;
    @Nullable Segment newer;
    @Nullable Segment older;
    boolean usedSinceSweep;
    boolean held;

    // Whether bytes wait for a sync, whether the file was closed since they were written, and
    // where only this file can be synced: the one that is kept for it instead of being closed.
    boolean unsynced;
    boolean closedUnsynced;
    boolean keepsUnsynced;
    @Nullable SharedFile kept;

    private Segment(SegmentName name) {
        this.name = name;
        offsetIndex = new OffsetIndex(name);
        timeIndex = new TimeIndex(name);
    }

    /// Makes the file of a new, empty segment.
    ///
    /// @param inNewDirectory whether the directory was just made, and nothing can be left in it
    public static Segment create(LogIo io, SegmentName name, long nowMs, boolean inNewDirectory)
            throws IOException {
        Segment segment = new Segment(name);
        segment.timestampsKnown = true;
        segment.createdMs = nowMs;
        if (inNewDirectory) {
            io.openFiles().create(segment);
            return segment;
        }
        // Leftovers of an earlier segment of this name would be taken for this one's.
        io.disk().delete(name.file(SegmentName.OFFSET_INDEX));
        io.disk().delete(name.file(SegmentName.TIME_INDEX));
        io.disk().delete(name.file(SegmentName.TRANSACTION_INDEX));
        SharedFile file = io.openFiles().create(segment);
        if (file.file().size() > 0) {
            file.file().truncate(0);
        }
        return segment;
    }

    /// A segment that is on disk; [#openIndexes] or [SegmentRecovery] comes next.
    public static Segment open(LogIo io, SegmentName name) throws IOException {
        Segment segment = new Segment(name);
        segment.sizeBytes = io.disk().sizeBytes(segment.logPath());
        if (segment.sizeBytes > Integer.MAX_VALUE) {
            throw new DamagedLogException(
                    segment.logPath()
                            + " has "
                            + segment.sizeBytes
                            + " bytes, a segment has less than 2 GiB");
        }
        return segment;
    }

    public long baseOffset() {
        return name.baseOffset();
    }

    public SegmentName name() {
        return name;
    }

    public Path logPath() {
        return name.file(SegmentName.LOG);
    }

    /// Bytes of the batches that have their place here.
    public long sizeBytes() {
        return sizeBytes;
    }

    OffsetIndex offsetIndex() {
        return offsetIndex;
    }

    TimeIndex timeIndex() {
        return timeIndex;
    }

    // --- appending

    /// Opens and reads all that appends of `bytes` in all need, so that none of them fails
    /// half-way, and keeps the file open until [OpenFiles#letGo].
    public void prepareAppend(LogIo io, int bytes, int indexIntervalBytes) throws IOException {
        loadTimestamps(io);
        if ((long) bytesSinceIndexEntry + bytes > indexIntervalBytes) {
            timeIndex.loadLast(io);
        }
        io.openFiles().hold(this);
    }

    /// Opens and reads what [#onAborted] needs, so that it does not fail.
    public void prepareAborted(LogIo io) throws IOException {
        var _ = transactionIndex(io);
    }

    /// Counts a batch that gets its place at the end, and maybe gives it an index entry.
    public void onAppend(
            LogIo io,
            long lastOffset,
            long batchMaxTimestamp,
            int batchBytes,
            int indexIntervalBytes)
            throws IOException {
        loadTimestamps(io);
        if (sizeBytes == 0) {
            firstTimestamp = batchMaxTimestamp;
        }
        if (batchMaxTimestamp > maxTimestamp) {
            maxTimestamp = batchMaxTimestamp;
            maxTimestampOffset = lastOffset;
        }
        if (bytesSinceIndexEntry > indexIntervalBytes) {
            offsetIndex.add(io, lastOffset, (int) sizeBytes);
            timeIndex.maybeAppend(io, maxTimestamp, maxTimestampOffset);
            bytesSinceIndexEntry = 0;
        }
        sizeBytes += batchBytes;
        bytesSinceIndexEntry += batchBytes;
    }

    /// Notes an aborted transaction whose marker is in this segment.
    public void onAborted(LogIo io, AbortedTransaction aborted) throws IOException {
        transactionIndex(io).append(aborted);
    }

    /// True when `bytes` more, ending with `lastOffset`, have no room here.
    public boolean isFullFor(int bytes, long lastOffset, int segmentBytes, int indexBytes) {
        return sizeBytes > segmentBytes - (long) bytes
                || lastOffset - name.baseOffset() > Integer.MAX_VALUE
                || offsetIndex.entryCount() >= indexBytes / OffsetIndex.ENTRY_BYTES
                || timeIndex.entryCount() >= indexBytes / TimeIndex.ENTRY_BYTES - 1;
    }

    /// How long the segment has been collecting records: by their timestamps when they carry any,
    /// else by the clock.
    public long ageMs(LogIo io, long nowMs, long batchMaxTimestamp) throws IOException {
        if (firstTimestamp == NO_TIMESTAMP && sizeBytes > 0) {
            SharedFile file = io.openFiles().use(this);
            BatchScan scan = io.scan().start(file.file(), 0, sizeBytes);
            firstTimestamp = scan.next() ? scan.maxTimestamp() : NO_TIMESTAMP;
        }
        return firstTimestamp >= 0 ? batchMaxTimestamp - firstTimestamp : nowMs - createdMs(io);
    }

    private long createdMs(LogIo io) throws IOException {
        if (createdMs == NO_TIMESTAMP) {
            createdMs = io.disk().lastModifiedMs(logPath());
        }
        return createdMs;
    }

    /// Whether the segment is so small that it gets no index files: everything is found by reading
    /// it from its start.
    public boolean needsNoIndexFiles() {
        return sizeBytes <= UNINDEXED_BYTES
                && offsetIndex.entryCount() == 0
                && (transactionIndex == null || transactionIndex.isWritten());
    }

    /// Writes all that the indexes hold in memory and the entry that closes the time index; nothing
    /// is synced.
    public void writeIndexes(LogIo io) throws IOException {
        loadTimestamps(io);
        timeIndex.maybeAppend(io, maxTimestamp, maxTimestampOffset);
        offsetIndex.write(io);
        timeIndex.write(io);
        if (transactionIndex != null) {
            transactionIndex.write(io.disk());
        }
    }

    /// Files beside the log that a checkpoint makes durable.
    public List<Path> indexPaths() {
        return List.of(
                name.file(SegmentName.OFFSET_INDEX),
                name.file(SegmentName.TIME_INDEX),
                name.file(SegmentName.TRANSACTION_INDEX));
    }

    // --- what a sync must cover

    /// Bytes were written that the next sync must cover. False when others wait for it already.
    ///
    /// @param keeps whether the file, which is open, must stay so until then
    public boolean markUnsynced(boolean keeps) {
        boolean first = !unsynced;
        unsynced = true;
        keepsUnsynced = keeps;
        return first;
    }

    // --- reading

    /// Position of the first batch that ends at `offset` or behind it, searched before
    /// `limitPosition`; -1 when there is none. The scan of `io` then stands on that batch.
    public long positionOf(LogIo io, long offset, long limitPosition) throws IOException {
        int start = offsetIndex.floorPosition(io, offset);
        return positionFrom(io, offset, Math.min(start, limitPosition), limitPosition);
    }

    /// The same from a known batch start on.
    public long positionFrom(LogIo io, long offset, long startPosition, long limitPosition)
            throws IOException {
        SharedFile file = io.openFiles().use(this);
        BatchScan scan = io.scan().start(file.file(), startPosition, limitPosition);
        while (scan.next()) {
            if (scan.lastOffset() >= offset) {
                return scan.position();
            }
        }
        checkWhole(scan, limitPosition);
        return -1;
    }

    /// A scan that stops before its limit has met bytes that are no batch.
    private void checkWhole(BatchScan scan, long limitPosition) throws DamagedLogException {
        if (scan.endPosition() != limitPosition) {
            throw new DamagedLogException(
                    "%s has no batch at position %d, although there is one further on"
                            .formatted(logPath(), scan.endPosition()));
        }
    }

    /// Largest timestamp of the records here; of the file when no record has one.
    public long retentionTimestamp(LogIo io) throws IOException {
        loadTimestamps(io);
        return maxTimestamp >= 0 ? maxTimestamp : createdMs(io);
    }

    /// Largest timestamp of the records here, or [#NO_TIMESTAMP].
    public long maxTimestamp(LogIo io) throws IOException {
        loadTimestamps(io);
        return maxTimestamp;
    }

    /// Last offset of the first batch with the largest timestamp.
    public long maxTimestampOffset(LogIo io) throws IOException {
        loadTimestamps(io);
        return maxTimestampOffset;
    }

    /// Stands the scan of `io` on the first batch that has a timestamp of at least `timestamp` and
    /// ends at `startOffset` or behind it; false when there is none before `limitPosition`.
    public boolean findTimestamp(LogIo io, long timestamp, long startOffset, long limitPosition)
            throws IOException {
        int below = timeIndex.countBelow(io, timestamp);
        long from = below == 0 ? name.baseOffset() : timeIndex.offset(io, below - 1);
        int start = offsetIndex.floorPosition(io, Math.max(from, startOffset));
        SharedFile file = io.openFiles().use(this);
        BatchScan scan = io.scan().start(file.file(), start, limitPosition);
        while (scan.next()) {
            if (scan.maxTimestamp() >= timestamp && scan.lastOffset() >= startOffset) {
                return true;
            }
        }
        checkWhole(scan, limitPosition);
        return false;
    }

    public List<AbortedTransaction> abortedTransactions(LogIo io) throws IOException {
        return transactionIndex(io).entries();
    }

    private TransactionIndex transactionIndex(LogIo io) throws IOException {
        TransactionIndex index = transactionIndex;
        if (index == null) {
            index = TransactionIndex.open(io.disk(), name.file(SegmentName.TRANSACTION_INDEX));
            transactionIndex = index;
        }
        return index;
    }

    private void loadTimestamps(LogIo io) throws IOException {
        if (timestampsKnown) {
            return;
        }
        int entries = timeIndex.entryCount();
        long position = 0;
        if (entries > 0) {
            maxTimestamp = timeIndex.timestamp(io, entries - 1);
            maxTimestampOffset = timeIndex.offset(io, entries - 1);
            // The entry may lag behind the log by less than one index interval.
            int positions = offsetIndex.entryCount();
            position = positions == 0 ? 0 : offsetIndex.position(io, positions - 1);
        }
        if (sizeBytes > 0) {
            SharedFile file = io.openFiles().use(this);
            BatchScan scan = io.scan().start(file.file(), position, sizeBytes);
            while (scan.next()) {
                if (scan.maxTimestamp() > maxTimestamp) {
                    maxTimestamp = scan.maxTimestamp();
                    maxTimestampOffset = scan.lastOffset();
                }
            }
        }
        timestampsKnown = true;
    }

    // --- opening and cutting

    /// Takes the indexes on disk as they are: false when a file is missing that should be there, is
    /// no whole number of entries, or points outside the segment, so that they must be rebuilt.
    public boolean openIndexes(LogIo io) throws IOException {
        SparseIndex.Stored offsets = offsetIndex.openStored(io.disk());
        SparseIndex.Stored times = timeIndex.openStored(io.disk());
        if (offsets == SparseIndex.Stored.MISSING
                && times == SparseIndex.Stored.MISSING
                && sizeBytes <= UNINDEXED_BYTES) {
            return true;
        }
        if (offsets != SparseIndex.Stored.WHOLE || times != SparseIndex.Stored.WHOLE) {
            return false;
        }
        int entries = offsetIndex.entryCount();
        if (entries > 0) {
            long offset = offsetIndex.offset(io, entries - 1);
            if (offset < name.baseOffset() || offsetIndex.position(io, entries - 1) >= sizeBytes) {
                return false;
            }
        }
        int timeEntries = timeIndex.entryCount();
        return timeEntries == 0 || timeIndex.offset(io, timeEntries - 1) >= name.baseOffset();
    }

    /// Position of the last batch that the offset index knows, 0 without an entry.
    long lastIndexedPosition(LogIo io) throws IOException {
        int entries = offsetIndex.entryCount();
        return entries == 0 ? 0 : offsetIndex.position(io, entries - 1);
    }

    /// What [#openCleanEnd] may have to read.
    public long unindexedBytes(LogIo io) throws IOException {
        return sizeBytes - lastIndexedPosition(io);
    }

    /// Offset of the last entry of the offset index; the base offset without one.
    long lastIndexedOffset(LogIo io) throws IOException {
        int entries = offsetIndex.entryCount();
        return entries == 0 ? name.baseOffset() : offsetIndex.offset(io, entries - 1);
    }

    /// After a clean stop: finds the end by scanning from the last index entry on. Returns the
    /// offset behind the last batch, or throws when the file does not end with a whole batch.
    public long openCleanEnd(LogIo io, int indexIntervalBytes) throws IOException {
        long nextOffset = name.baseOffset();
        int entries = offsetIndex.entryCount();
        long position = lastIndexedPosition(io);
        SharedFile file = io.openFiles().use(this);
        BatchScan scan = io.scan().start(file.file(), position, sizeBytes);
        while (scan.next()) {
            boolean isIndexed = entries > 0 && scan.position() == position;
            if (isIndexed && scan.lastOffset() != offsetIndex.offset(io, entries - 1)) {
                throw new DamagedLogException(
                        "%s: the batch at position %d ends at offset %d, its index says %d"
                                .formatted(
                                        logPath(),
                                        position,
                                        scan.lastOffset(),
                                        offsetIndex.offset(io, entries - 1)));
            }
            nextOffset = scan.lastOffset() + 1;
        }
        if (scan.endPosition() != sizeBytes) {
            throw new DamagedLogException(
                    "%s ends inside a batch: %d bytes, whole batches up to %d"
                            .formatted(logPath(), sizeBytes, scan.endPosition()));
        }
        bytesSinceIndexEntry = (int) Math.min(sizeBytes - position, indexIntervalBytes + 1L);
        return nextOffset;
    }

    /// Forgets all index entries for offsets from `offset` on, and those that are not in order, and
    /// counts the log from the last batch that still has one; returns its position. Used before the
    /// rest is read again.
    long resetBehind(LogIo io, long offset) throws IOException {
        int keep = ascendingBelow(io, offset);
        offsetIndex.truncateEntries(io, keep);
        long position = keep == 0 ? 0 : offsetIndex.position(io, keep - 1);
        long lastKept = keep == 0 ? name.baseOffset() - 1 : offsetIndex.offset(io, keep - 1);
        int times = 0;
        long previous = Long.MIN_VALUE;
        while (times < timeIndex.entryCount()
                && timeIndex.timestamp(io, times) > previous
                && timeIndex.offset(io, times) <= lastKept
                && timeIndex.offset(io, times) >= name.baseOffset()) {
            previous = timeIndex.timestamp(io, times);
            times++;
        }
        timeIndex.truncateEntries(io, times);
        maxTimestamp = times == 0 ? NO_TIMESTAMP : timeIndex.timestamp(io, times - 1);
        maxTimestampOffset = times == 0 ? -1 : timeIndex.offset(io, times - 1);
        timestampsKnown = true;
        firstTimestamp = NO_TIMESTAMP;
        bytesSinceIndexEntry = 0;
        if (transactionIndex == null) {
            Path file = name.file(SegmentName.TRANSACTION_INDEX);
            transactionIndex = TransactionIndex.openBelow(io.disk(), file, offset);
        } else {
            transactionIndex.truncateTo(io.disk(), offset);
        }
        return position;
    }

    private int ascendingBelow(LogIo io, long offset) throws IOException {
        long previousOffset = name.baseOffset() - 1;
        int previousPosition = -1;
        int keep = 0;
        while (keep < offsetIndex.entryCount()) {
            long entryOffset = offsetIndex.offset(io, keep);
            int position = offsetIndex.position(io, keep);
            if (entryOffset >= offset
                    || entryOffset <= previousOffset
                    || position <= previousPosition
                    || position >= sizeBytes) {
                break;
            }
            previousOffset = entryOffset;
            previousPosition = position;
            keep++;
        }
        return keep;
    }

    void setSizeBytes(long size) {
        sizeBytes = size;
    }

    /// The offset behind the last batch that ends before `offset`: where the log ends once it is
    /// truncated there.
    public long endBefore(LogIo io, long offset) throws IOException {
        int below = offsetIndex.countBelow(io, offset);
        long start = below == 0 ? 0 : offsetIndex.position(io, below - 1);
        BatchScan scan = io.scan().start(io.openFiles().use(this).file(), start, sizeBytes);
        long end = name.baseOffset();
        while (scan.next() && scan.lastOffset() < offset) {
            end = scan.lastOffset() + 1;
        }
        return end;
    }

    /// Drops the batches that reach `offset` or lie behind it, with their index entries. Batches
    /// are cut whole. The caller syncs.
    public void truncateTo(LogIo io, long offset, int indexIntervalBytes) throws IOException {
        long found = positionOf(io, offset, sizeBytes);
        long cut = found < 0 ? sizeBytes : found;
        long from = resetBehind(io, offset);
        SharedFile file = io.openFiles().use(this);
        BatchScan scan = io.scan().start(file.file(), Math.min(from, cut), cut);
        while (scan.next()) {
            // The last index entry that is left may lag behind the cut.
            if (scan.maxTimestamp() > maxTimestamp) {
                maxTimestamp = scan.maxTimestamp();
                maxTimestampOffset = scan.lastOffset();
            }
        }
        bytesSinceIndexEntry = (int) Math.min(cut - from, indexIntervalBytes + 1L);
        if (cut < sizeBytes) {
            file.file().truncate(cut);
            sizeBytes = cut;
        }
    }

    /// Forgets batches that were counted but found no room in the file, of which a part may be
    /// there.
    public void dropUnwritten(LogIo io, long writtenPosition) throws IOException {
        sizeBytes = writtenPosition;
        cutFile(io);
    }

    /// Cuts the file off behind the batches that are counted.
    public void cutFile(LogIo io) throws IOException {
        io.openFiles().use(this).file().truncate(sizeBytes);
    }

    /// Forgets what belongs to the thread that had the segment until now.
    public void detach(LogIo io) {
        io.openFiles().close(this);
        offsetIndex.detach();
        timeIndex.detach();
    }

    /// Removes the files. Readers that hold the log file open are not disturbed.
    public static void deleteFiles(Disk disk, SegmentName name) throws IOException {
        disk.delete(name.file(SegmentName.LOG));
        disk.delete(name.file(SegmentName.OFFSET_INDEX));
        disk.delete(name.file(SegmentName.TIME_INDEX));
        disk.delete(name.file(SegmentName.TRANSACTION_INDEX));
        disk.delete(name.file(SegmentName.SNAPSHOT));
    }

    @Override
    public String toString() {
        return logPath().toString();
    }
}

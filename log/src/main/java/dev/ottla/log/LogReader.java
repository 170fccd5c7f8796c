package dev.ottla.log;

import dev.ottla.log.segment.BatchScan;
import dev.ottla.log.segment.DamagedLogException;
import dev.ottla.log.segment.LogIo;
import dev.ottla.log.segment.Segment;
import dev.ottla.record.MalformedRecordsException;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordReader;
import dev.ottla.record.RecordScanner;
import java.io.IOException;
import java.util.Optional;

/// Finds places in the segments of a shard's logs. Owned by the shard thread; keeps nothing between
/// two calls.
final class LogReader {
    private final LogIo io;

    LogReader(LogIo io) {
        this.io = io;
    }

    /// The part of one segment that a read gets; empty when the segment has nothing at or behind
    /// `startOffset` below `limit`, an offset at or below the written end.
    Optional<LogSlice> read(
            PartitionLog log,
            int index,
            long startOffset,
            int maxBytes,
            long limit,
            boolean minOneBatch)
            throws IOException {
        Segment segment = log.segments().at(index);
        boolean last = index == log.segments().count() - 1;
        long written = last ? log.writtenPosition() : segment.sizeBytes();
        long start = last ? log.recentPosition(startOffset) : -1;
        int firstBatchBytes = 0; // Unknown.
        if (start < 0) {
            start = segment.positionOf(io, startOffset, written);
            if (start < 0 || io.scan().baseOffset() >= limit) {
                return Optional.empty();
            }
            firstBatchBytes = io.scan().sizeBytes();
        }
        long available = endPosition(log, index, limit, start, written) - start;
        if (available <= 0) {
            return Optional.empty();
        }
        long length = Math.min(available, Math.max(0, maxBytes));
        if (length < available && minOneBatch) {
            if (firstBatchBytes == 0) {
                segment.positionFrom(io, startOffset, start, written);
                firstBatchBytes = io.scan().sizeBytes();
            }
            length = Math.max(length, Math.min(available, firstBatchBytes));
        }
        return Optional.of(new LogSlice(io.openFiles().use(segment), start, (int) length));
    }

    /// Where in a segment the first batch at or above `limit` begins.
    private long endPosition(PartitionLog log, int index, long limit, long start, long written)
            throws IOException {
        boolean last = index == log.segments().count() - 1;
        if (last
                ? limit == log.writtenEndOffset()
                : limit >= log.segments().at(index + 1).baseOffset()) {
            return written;
        }
        long recent = last ? log.recentPosition(limit) : -1;
        if (recent >= 0) {
            return recent;
        }
        long position = log.segments().at(index).positionOf(io, limit, written);
        return position < 0 ? written : Math.max(start, position);
    }

    Optional<TimestampedOffset> offsetForTimestamp(PartitionLog log, long timestamp, long endOffset)
            throws IOException {
        for (int index = 0; index < log.segments().count(); index++) {
            Segment segment = log.segments().at(index);
            boolean last = index == log.segments().count() - 1;
            if (segment.maxTimestamp(io) >= timestamp) {
                long written = last ? log.writtenPosition() : segment.sizeBytes();
                Optional<TimestampedOffset> found =
                        search(segment, timestamp, log.logStartOffset(), written);
                if (found.isPresent()) {
                    return found.filter(record -> record.offset() < endOffset);
                }
            }
        }
        return Optional.empty();
    }

    /// Several batches may reach the timestamp only with records before the start offset, so the
    /// search goes on until one has a record that fits.
    private Optional<TimestampedOffset> search(
            Segment segment, long timestamp, long startOffset, long limitPosition)
            throws IOException {
        long from = startOffset;
        while (segment.findTimestamp(io, timestamp, from, limitPosition)) {
            BatchScan scan = io.scan();
            int leaderEpoch = scan.leaderEpoch();
            long nextOffset = scan.lastOffset() + 1;
            Optional<TimestampedOffset> found =
                    searchBatch(segment, scan.readBatch(), timestamp, from, leaderEpoch);
            if (found.isPresent()) {
                return found;
            }
            from = nextOffset;
        }
        return Optional.empty();
    }

    private static Optional<TimestampedOffset> searchBatch(
            Segment segment, RecordBatch batch, long timestamp, long startOffset, int leaderEpoch)
            throws DamagedLogException {
        try (RecordReader reader = new RecordReader(Integer.MAX_VALUE)) {
            RecordScanner records = reader.scan(batch);
            while (records.next()) {
                if (records.timestamp() >= timestamp && records.offset() >= startOffset) {
                    return Optional.of(
                            new TimestampedOffset(
                                    records.offset(), records.timestamp(), leaderEpoch));
                }
            }
            return Optional.empty();
        } catch (MalformedRecordsException e) {
            throw new DamagedLogException(
                    "the batch at offset %d of %s cannot be read: %s"
                            .formatted(batch.baseOffset(), segment, e.getMessage()));
        }
    }

    Optional<TimestampedOffset> maxTimestampOffset(PartitionLog log, long endOffset)
            throws IOException {
        long largest = RecordBatch.NO_TIMESTAMP;
        for (Segment segment : log.segments().all()) {
            largest = Math.max(largest, segment.maxTimestamp(io));
        }
        return largest < 0 ? Optional.empty() : offsetForTimestamp(log, largest, endOffset);
    }
}

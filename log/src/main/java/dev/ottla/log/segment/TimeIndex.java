package dev.ottla.log.segment;

import java.io.IOException;

/// Sparse index of one segment: timestamp → offset. An entry says: up to and including the batch that ends with this
/// offset, the largest timestamp is this one. Rebuilt from the segment after an unclean stop.
///
///     | timestamp int64 | relative offset int32 |   12 bytes an entry, big-endian, both ascending
///
/// Source: Kafka documentation, "Log"; the offset is relative to the segment's base offset.
final class TimeIndex extends SparseIndex {
    static final int ENTRY_BYTES = 12;

    TimeIndex(SegmentName name) {
        super(name, SegmentName.TIME_INDEX, ENTRY_BYTES);
    }

    long timestamp(LogIo io, int entry) throws IOException {
        return longAt(io, entry, 0);
    }

    long offset(LogIo io, int entry) throws IOException {
        return name().baseOffset() + intAt(io, entry, Long.BYTES);
    }

    /// Adds an entry unless the last one has this timestamp or a later one already.
    void maybeAppend(LogIo io, long timestamp, long offset) throws IOException {
        int count = entryCount();
        if (timestamp >= 0 && (count == 0 || timestamp > timestamp(io, count - 1))) {
            append(io, timestamp, (int) (offset - name().baseOffset()));
        }
    }

    /// Brings into memory what [#maybeAppend] looks at.
    void loadLast(LogIo io) throws IOException {
        if (entryCount() > 0) {
            var _ = timestamp(io, entryCount() - 1);
        }
    }

    /// Number of entries with a timestamp below `timestamp`.
    int countBelow(LogIo io, long timestamp) throws IOException {
        return countLeading(entry -> timestamp(io, entry) < timestamp);
    }
}

package dev.ottla.log.segment;

import java.io.IOException;

/// Sparse index of one segment: offset → file position. An entry holds the last offset of a batch and the position where
/// the batch begins. Rebuilt from the segment after an unclean stop.
///
///     | relative offset int32 | file position int32 |   8 bytes an entry, big-endian, ascending
///
/// Source: Kafka documentation, "Log"; the offset is relative to the segment's base offset.
final class OffsetIndex extends SparseIndex {
    static final int ENTRY_BYTES = 8;

    OffsetIndex(SegmentName name) {
        super(name, SegmentName.OFFSET_INDEX, ENTRY_BYTES);
    }

    void add(LogIo io, long lastOffset, int position) throws IOException {
        append(io, (int) (lastOffset - name().baseOffset()), position);
    }

    long offset(LogIo io, int entry) throws IOException {
        return name().baseOffset() + intAt(io, entry, 0);
    }

    int position(LogIo io, int entry) throws IOException {
        return intAt(io, entry, Integer.BYTES);
    }

    /// Number of entries with an offset below `offset`, so the last of them is the place to start
    /// searching for it.
    int countBelow(LogIo io, long offset) throws IOException {
        return countLeading(entry -> offset(io, entry) < offset);
    }

    /// Where the search for the batch that holds `offset` may start: position of a batch at or
    /// before it.
    int floorPosition(LogIo io, long offset) throws IOException {
        int below = countBelow(io, offset);
        // The entry behind may be the very batch; it only says where the batch starts when its last
        // offset is this one.
        if (below < entryCount() && offset(io, below) == offset) {
            return position(io, below);
        }
        return below == 0 ? 0 : position(io, below - 1);
    }

    /// Position of the last batch that starts at or before `position` and has an entry; 0 without
    /// one.
    int entriesUpToPosition(LogIo io, int position) throws IOException {
        return countLeading(entry -> position(io, entry) < position);
    }
}

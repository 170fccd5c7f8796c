package dev.ottla.log.segment;

import dev.ottla.log.disk.DiskFile;
import dev.ottla.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Walks the batch headers in a range of one segment file, reading some KiB at a time and never the
/// records. After [#next] the accessors tell of the current batch. Owned by one thread; it holds
/// the file only between calls.
public final class BatchScan {
    private static final int WINDOW_BYTES = 8192;

    // Offsets inside the batch header, as drawn at RecordBatch.
    private static final int LENGTH_AT = 8;
    private static final int LEADER_EPOCH_AT = 12;
    private static final int MAGIC_AT = 16;
    private static final int ATTRIBUTES_AT = 21;
    private static final int LAST_OFFSET_DELTA_AT = 23;
    private static final int MAX_TIMESTAMP_AT = 35;
    private static final int PRODUCER_ID_AT = 43;
    private static final int PRODUCER_EPOCH_AT = 51;
    private static final int BASE_SEQUENCE_AT = 53;

    private final ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES);
    private @Nullable DiskFile file;
    private long windowStart;
    private long limit;
    private long position;
    private long nextPosition;
    private int at; // Of the current header in the window.

    /// Starts before the batch at `position`; ends before `limit`, both positions in the file.
    public BatchScan start(DiskFile scanned, long startPosition, long limitPosition) {
        file = scanned;
        limit = limitPosition;
        nextPosition = startPosition;
        position = startPosition;
        windowStart = startPosition;
        window.limit(0);
        return this;
    }

    /// Moves to the next batch that lies in the range whole. False at the end of the range or when
    /// what stands there is no batch; [#endPosition] then tells where it stopped.
    public boolean next() throws IOException {
        if (limit - nextPosition < RecordBatch.HEADER_BYTES) {
            return false;
        }
        if (nextPosition < windowStart
                || nextPosition + RecordBatch.HEADER_BYTES > windowStart + window.limit()) {
            window.clear();
            window.limit((int) Math.min(WINDOW_BYTES, limit - nextPosition));
            int read = scanned().read(window, nextPosition);
            window.position(0).limit(read);
            windowStart = nextPosition;
            if (read < RecordBatch.HEADER_BYTES) {
                return false;
            }
        }
        int header = (int) (nextPosition - windowStart);
        int length = window.getInt(header + LENGTH_AT);
        long size = (long) length + RecordBatch.LENGTH_PREFIX_BYTES;
        if (size < RecordBatch.HEADER_BYTES
                || size > limit - nextPosition
                || window.get(header + MAGIC_AT) != RecordBatch.MAGIC) {
            return false;
        }
        at = header;
        position = nextPosition;
        nextPosition += size;
        return true;
    }

    /// Position of the current batch.
    public long position() {
        return position;
    }

    /// Position behind the last batch that [#next] found.
    public long endPosition() {
        return nextPosition;
    }

    public int sizeBytes() {
        return window.getInt(at + LENGTH_AT) + RecordBatch.LENGTH_PREFIX_BYTES;
    }

    public long baseOffset() {
        return window.getLong(at);
    }

    /// Inclusive.
    public long lastOffset() {
        return window.getLong(at) + window.getInt(at + LAST_OFFSET_DELTA_AT);
    }

    public int lastOffsetDelta() {
        return window.getInt(at + LAST_OFFSET_DELTA_AT);
    }

    public int leaderEpoch() {
        return window.getInt(at + LEADER_EPOCH_AT);
    }

    public int attributes() {
        return window.getShort(at + ATTRIBUTES_AT);
    }

    public long maxTimestamp() {
        return window.getLong(at + MAX_TIMESTAMP_AT);
    }

    public long producerId() {
        return window.getLong(at + PRODUCER_ID_AT);
    }

    public short producerEpoch() {
        return window.getShort(at + PRODUCER_EPOCH_AT);
    }

    public int baseSequence() {
        return window.getInt(at + BASE_SEQUENCE_AT);
    }

    /// The whole current batch, read from the file.
    public RecordBatch readBatch() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(sizeBytes());
        scanned().read(bytes, position);
        return RecordBatch.at(bytes.flip(), 0);
    }

    private DiskFile scanned() {
        DiskFile scanned = file;
        if (scanned == null) {
            throw new IllegalStateException("no scan was started");
        }
        return scanned;
    }
}

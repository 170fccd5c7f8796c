package dev.ottla.record;

import java.nio.ByteBuffer;

/// Streams over the records of one batch, compressed or not, and skips keys, values and headers:
/// what validation and searches by timestamp need. It allocates nothing and keeps no more than one
/// window of uncompressed bytes. Obtained from [RecordReader#scan] and valid until the reader is
/// asked again. The format is drawn in [RecordCursor].
public final class RecordScanner {
    private Decoder decoder = Decoder.ENDED;
    private ByteBuffer window = Decoder.END;
    private int position;
    private int limit;

    /// Uncompressed bytes before index 0 of the window; negative when the window starts in the
    /// middle of its buffer.
    private long windowBase;

    private long maxBytes;

    private int count;
    private long baseOffset;
    private long baseTimestamp;
    private boolean logAppendTime;
    private long maxTimestamp;

    private int index;
    private long recordStart;
    private long recordEnd;
    private long timestampDelta;
    private int offsetDelta;
    private int keySize;
    private int valueSize;

    RecordScanner() {}

    /// The records before the decoder's first window, then what the decoder yields.
    void start(RecordBatch batch, ByteBuffer firstWindow, Decoder rest, long maxUncompressedBytes) {
        decoder = rest;
        window = firstWindow;
        position = firstWindow.position();
        limit = firstWindow.limit();
        windowBase = -position;
        maxBytes = maxUncompressedBytes;
        count = batch.recordCount();
        baseOffset = batch.baseOffset();
        baseTimestamp = batch.baseTimestamp();
        logAppendTime = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
        maxTimestamp = batch.maxTimestamp();
        index = -1;
    }

    /// Forgets the batch and its buffer.
    void stop() {
        decoder = Decoder.ENDED;
        window = Decoder.END;
        position = 0;
        limit = 0;
        count = 0;
        index = -1;
    }

    /// Moves to the next record; false after the last one. Bytes beyond the declared number of
    /// records are refused, like all broken framing, with [MalformedRecordsException]; see
    /// [RecordReader] for the limit.
    public boolean next() {
        if (index + 1 >= count) {
            if (position < limit || refill()) {
                throw new MalformedRecordsException(
                        "bytes follow the last of %d records".formatted(count));
            }
            return false;
        }
        index++;
        recordStart = consumed();
        recordEnd = Long.MAX_VALUE;
        int length = readVarint();
        if (length < 0) {
            throw malformed("declares %d bytes".formatted(length));
        }
        recordEnd = consumed() + length;
        readFields();
        return true;
    }

    private void readFields() {
        readByte(); // Record attributes: no bit has a meaning.
        timestampDelta = readVarlong();
        offsetDelta = readVarint();
        keySize = readFieldSize("key");
        skip(keySize);
        valueSize = readFieldSize("value");
        skip(valueSize);
        int headerCount = readVarint();
        // Each header takes at least two bytes.
        if (headerCount < 0 || headerCount > remainingInRecord() / 2) {
            throw malformed(
                    "declares %d headers in %d bytes".formatted(headerCount, remainingInRecord()));
        }
        for (int i = 0; i < headerCount; i++) {
            int headerKeySize = readFieldSize("header key");
            if (headerKeySize < 0) {
                throw malformed("has a header without key, number " + i);
            }
            skip(headerKeySize);
            skip(readFieldSize("header value"));
        }
        if (remainingInRecord() != 0) {
            throw malformed(
                    "declares %d bytes more than its fields take".formatted(remainingInRecord()));
        }
    }

    /// Number of the current record in the batch, from 0.
    public int index() {
        return index;
    }

    public int offsetDelta() {
        return offsetDelta;
    }

    public long offset() {
        return baseOffset + offsetDelta;
    }

    public long timestamp() {
        return logAppendTime ? maxTimestamp : baseTimestamp + timestampDelta;
    }

    /// The time the producer gave the record, even if the batch is of log-append time.
    public long createTimestamp() {
        return baseTimestamp + timestampDelta;
    }

    public boolean hasKey() {
        return keySize >= 0;
    }

    /// -1 for a null key.
    public int keySize() {
        return keySize;
    }

    /// -1 for a null value.
    public int valueSize() {
        return valueSize;
    }

    /// Size of the record with its length field.
    public int sizeBytes() {
        return (int) (recordEnd - recordStart);
    }

    /// Uncompressed bytes read so far.
    public long consumed() {
        return windowBase + position;
    }

    private long remainingInRecord() {
        return recordEnd - consumed();
    }

    private boolean refill() {
        windowBase += limit;
        window = decoder.next();
        position = window.position();
        limit = window.limit();
        windowBase -= position;
        if (windowBase + limit > maxBytes) {
            throw new DecompressionLimitException(maxBytes);
        }
        return position < limit;
    }

    private int readFieldSize(String field) {
        int size = readVarint();
        if (size < -1 || size > remainingInRecord()) {
            throw malformed(
                    "declares a %s of %d bytes, %d are left"
                            .formatted(field, size, remainingInRecord()));
        }
        return size;
    }

    private void skip(int size) {
        int rest = size;
        while (rest > limit - position) {
            rest -= limit - position;
            position = limit;
            if (!refill()) {
                throw malformed("is cut off by the end of the batch");
            }
        }
        position += Math.max(rest, 0);
    }

    private byte readByte() {
        if (consumed() >= recordEnd) {
            throw malformed("ends inside a field");
        }
        if (position == limit && !refill()) {
            throw malformed("is cut off by the end of the batch");
        }
        return window.get(position++);
    }

    private int readVarint() {
        int raw = 0;
        for (int shift = 0; shift <= 28; shift += 7) {
            byte b = readByte();
            raw |= (b & 0x7f) << shift;
            if (b >= 0) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw malformed("has a varint of more than 5 bytes");
    }

    private long readVarlong() {
        long raw = 0;
        for (int shift = 0; shift <= 63; shift += 7) {
            byte b = readByte();
            raw |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw malformed("has a varlong of more than 10 bytes");
    }

    private MalformedRecordsException malformed(String what) {
        return new MalformedRecordsException("record %d of the batch %s".formatted(index, what));
    }
}

package dev.ottla.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Walks the uncompressed records of one batch without an object per record: after [#next] the accessors tell of the
/// current record. Owned by one thread; valid as long as the bytes beneath.
///
///     | length varint | attributes int8 (0) | timestamp delta varlong | offset delta varint |
///     | key length varint (-1: null) | key | value length varint (-1: null) | value |
///     | header count varint | for each header: key length varint | key | value length varint (-1: null) | value |
///
/// The length counts what follows it; varints are zig-zag encoded. Framing is checked as it is read, and broken framing
/// throws [MalformedRecordsException]. Source: Kafka documentation, "Record".
public final class RecordCursor {
    private final ByteBuffer records;
    private final int count;
    private final long baseOffset;
    private final long baseTimestamp;
    private final int baseSequence;
    private final boolean logAppendTime;
    private final long maxTimestamp;

    private int index = -1;
    private int position;
    private int recordStart;
    private int recordEnd;
    private long timestampDelta;
    private int offsetDelta;
    private int keyAt;
    private int keySize;
    private int valueAt;
    private int valueSize;
    private int headerCount;
    private int headersAt;

    RecordCursor(RecordBatch batch, ByteBuffer uncompressedRecords) {
        records = uncompressedRecords;
        position = uncompressedRecords.position();
        count = batch.recordCount();
        baseOffset = batch.baseOffset();
        baseTimestamp = batch.baseTimestamp();
        baseSequence = batch.baseSequence();
        logAppendTime = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
        maxTimestamp = batch.maxTimestamp();
    }

    /// Moves to the next record; false after the last one. Bytes beyond the declared number of
    /// records are refused.
    public boolean next() {
        if (index + 1 >= count) {
            if (position != records.limit()) {
                throw new MalformedRecordsException(
                        "%d bytes follow the last of %d records"
                                .formatted(records.limit() - position, count));
            }
            return false;
        }
        index++;
        recordStart = position;
        int length = readVarint(records.limit());
        if (length < 0 || length > records.limit() - position) {
            throw malformed(
                    "declares %d bytes, the batch has %d left"
                            .formatted(length, records.limit() - position));
        }
        recordEnd = position + length;
        readFields();
        return true;
    }

    private void readFields() {
        readByte(); // Record attributes: no bit has a meaning.
        timestampDelta = readVarlong(recordEnd);
        offsetDelta = readVarint(recordEnd);
        keySize = readFieldSize("key");
        keyAt = position;
        skip(keySize);
        valueSize = readFieldSize("value");
        valueAt = position;
        skip(valueSize);
        headerCount = readVarint(recordEnd);
        headersAt = position;
        // Each header takes at least two bytes.
        if (headerCount < 0 || headerCount > (recordEnd - position) / 2) {
            throw malformed(
                    "declares %d headers in %d bytes".formatted(headerCount, recordEnd - position));
        }
        for (int i = 0; i < headerCount; i++) {
            int headerKeySize = readFieldSize("header key");
            if (headerKeySize < 0) {
                throw malformed("has a header without key, number " + i);
            }
            skip(headerKeySize);
            skip(readFieldSize("header value"));
        }
        if (position != recordEnd) {
            throw malformed(
                    "declares %d bytes more than its fields take".formatted(recordEnd - position));
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

    /// Sequence of the record, or [RecordBatch#NO_SEQUENCE].
    public int sequence() {
        return baseSequence == RecordBatch.NO_SEQUENCE
                ? RecordBatch.NO_SEQUENCE
                : RecordBatch.incrementSequence(baseSequence, offsetDelta);
    }

    /// Size of the record with its length field.
    public int sizeBytes() {
        return recordEnd - recordStart;
    }

    public boolean hasKey() {
        return keySize >= 0;
    }

    /// -1 for a null key.
    public int keySize() {
        return keySize;
    }

    /// The key's bytes, shared; empty for a null key too, see [#hasKey].
    public ByteBuffer key() {
        return records.slice(keyAt, Math.max(keySize, 0));
    }

    public boolean hasValue() {
        return valueSize >= 0;
    }

    /// -1 for a null value.
    public int valueSize() {
        return valueSize;
    }

    /// The value's bytes, shared; empty for a null value too, see [#hasValue].
    public ByteBuffer value() {
        return records.slice(valueAt, Math.max(valueSize, 0));
    }

    public int headerCount() {
        return headerCount;
    }

    /// The headers as objects, made anew by each call.
    public List<RecordHeader> headers() {
        if (headerCount == 0) {
            return List.of();
        }
        int resume = position;
        position = headersAt;
        List<RecordHeader> headers = new ArrayList<>(headerCount);
        for (int i = 0; i < headerCount; i++) {
            int keyBytes = readVarint(recordEnd);
            String key =
                    StandardCharsets.UTF_8.decode(records.slice(position, keyBytes)).toString();
            skip(keyBytes);
            int valueBytes = readVarint(recordEnd);
            headers.add(new RecordHeader(key, slice(position, valueBytes)));
            skip(valueBytes);
        }
        position = resume;
        return headers;
    }

    /// The current record as an object.
    public LogRecord record() {
        return new LogRecord(
                offset(), timestamp(), slice(keyAt, keySize), slice(valueAt, valueSize), headers());
    }

    private Optional<ByteBuffer> slice(int at, int size) {
        return size < 0 ? Optional.empty() : Optional.of(records.slice(at, size));
    }

    private int readFieldSize(String field) {
        int size = readVarint(recordEnd);
        if (size < -1 || size > recordEnd - position) {
            throw malformed(
                    "declares a %s of %d bytes, %d are left"
                            .formatted(field, size, recordEnd - position));
        }
        return size;
    }

    private void skip(int size) {
        position += Math.max(size, 0);
    }

    private int readByte() {
        if (position >= recordEnd) {
            throw malformed("ends inside a field");
        }
        return records.get(position++);
    }

    private int readVarint(int end) {
        int raw = 0;
        for (int shift = 0; shift <= 28; shift += 7) {
            if (position >= end) {
                throw malformed("ends inside a varint");
            }
            byte b = records.get(position++);
            raw |= (b & 0x7f) << shift;
            if (b >= 0) {
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw malformed("has a varint of more than 5 bytes");
    }

    private long readVarlong(int end) {
        long raw = 0;
        for (int shift = 0; shift <= 63; shift += 7) {
            if (position >= end) {
                throw malformed("ends inside a varlong");
            }
            byte b = records.get(position++);
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

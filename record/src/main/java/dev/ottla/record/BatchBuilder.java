package dev.ottla.record;

import static dev.ottla.wire.Check.check;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Builds one record batch on the heap. Settings come before the first record. Owned by one thread,
/// used once.
public final class BatchBuilder {
    private static final int INITIAL_CAPACITY = 512;

    private final GrowableBytes bytes;

    private Compression compression = Compression.NONE;
    private int compressionLevel;
    private long baseOffset;
    private int leaderEpoch = RecordBatch.NO_LEADER_EPOCH;
    private long producerId = RecordBatch.NO_PRODUCER_ID;
    private short producerEpoch = RecordBatch.NO_PRODUCER_EPOCH;
    private int baseSequence = RecordBatch.NO_SEQUENCE;
    private boolean transactional;
    private boolean control;
    private OptionalLong logAppendTimeMs = OptionalLong.empty();
    private OptionalLong deleteHorizonMs = OptionalLong.empty();

    private int recordCount;
    private long baseTimestamp = RecordBatch.NO_TIMESTAMP;
    private long maxTimestamp = RecordBatch.NO_TIMESTAMP;
    private int lastOffsetDelta = -1;
    private boolean built;

    public BatchBuilder() {
        this(INITIAL_CAPACITY);
    }

    /// Starts with room for `capacity` bytes, header included.
    public BatchBuilder(int capacity) {
        bytes = new GrowableBytes(RecordBatch.HEADER_BYTES, capacity);
    }

    public BatchBuilder baseOffset(long offset) {
        checkNoRecords();
        check(offset >= 0, "base offset %d is negative", offset);
        baseOffset = offset;
        return this;
    }

    /// Compresses the records with the codec's default level.
    public BatchBuilder compression(Compression codec) {
        return compression(codec, codec.defaultLevel());
    }

    public BatchBuilder compression(Compression codec, int level) {
        check(codec.acceptsLevel(level), "%s has no level %d", codec, level);
        compression = codec;
        compressionLevel = level;
        return this;
    }

    public BatchBuilder leaderEpoch(int epoch) {
        leaderEpoch = epoch;
        return this;
    }

    /// Idempotent or transactional producer; the sequence is that of the first record.
    public BatchBuilder producer(long id, short epoch, int firstSequence) {
        producerId = id;
        producerEpoch = epoch;
        baseSequence = firstSequence;
        return this;
    }

    public BatchBuilder transactional(boolean isTransactional) {
        transactional = isTransactional;
        return this;
    }

    public BatchBuilder control(boolean isControl) {
        control = isControl;
        return this;
    }

    /// Makes a batch of type [TimestampType#LOG_APPEND_TIME] whose records all have this time.
    public BatchBuilder logAppendTime(long timestampMs) {
        checkNoRecords();
        logAppendTimeMs = OptionalLong.of(timestampMs);
        return this;
    }

    /// Sets the delete horizon; see [RecordBatch#deleteHorizonMs].
    public BatchBuilder deleteHorizonMs(long horizonMs) {
        checkNoRecords();
        deleteHorizonMs = OptionalLong.of(horizonMs);
        return this;
    }

    /// Appends a record at the next offset, without headers. A null key or value is a null in the
    /// record.
    public BatchBuilder append(
            long timestamp, @Nullable ByteBuffer key, @Nullable ByteBuffer value) {
        return append(timestamp, key, value, List.of());
    }

    public BatchBuilder append(
            long timestamp,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value,
            List<RecordHeader> headers) {
        return appendAt(baseOffset + lastOffsetDelta + 1, timestamp, key, value, headers);
    }

    /// Appends a record at an offset of its own, beyond the last one: compaction leaves gaps.
    public BatchBuilder appendAt(
            long offset,
            long timestamp,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value,
            List<RecordHeader> headers) {
        check(!built, "the batch is built already");
        long delta = offset - baseOffset;
        check(
                delta > lastOffsetDelta && delta <= Integer.MAX_VALUE,
                "offset %d does not follow",
                offset);
        if (recordCount == 0) {
            baseTimestamp = deleteHorizonMs.orElse(timestamp);
        }
        long timestampDelta = timestamp - baseTimestamp;
        int size = bodySize(timestampDelta, (int) delta, key, value, headers);
        bytes.ensure(size + GrowableBytes.varintSize(size));
        bytes.writeVarint(size);
        bytes.writeByte(0);
        bytes.writeVarlong(timestampDelta);
        bytes.writeVarint((int) delta);
        writeNullable(key);
        writeNullable(value);
        bytes.writeVarint(headers.size());
        for (RecordHeader header : headers) {
            byte[] headerKey = header.key().getBytes(StandardCharsets.UTF_8);
            bytes.writeVarint(headerKey.length);
            bytes.write(headerKey, 0, headerKey.length);
            writeNullable(header.value().orElse(null));
        }
        recordCount++;
        lastOffsetDelta = (int) delta;
        maxTimestamp = Math.max(maxTimestamp, timestamp);
        return this;
    }

    /// Appends a copy of a record at its own offset and time.
    public BatchBuilder append(LogRecord record) {
        return appendAt(
                record.offset(),
                record.timestamp(),
                record.key().orElse(null),
                record.value().orElse(null),
                record.headers());
    }

    /// Extends the offset range beyond the last record: compaction keeps the range of the batch it
    /// thins out.
    public BatchBuilder lastOffset(long offset) {
        long delta = offset - baseOffset;
        check(
                delta >= lastOffsetDelta && delta <= Integer.MAX_VALUE,
                "last offset %d is before the records",
                offset);
        lastOffsetDelta = (int) delta;
        return this;
    }

    public int recordCount() {
        return recordCount;
    }

    public boolean isEmpty() {
        return recordCount == 0;
    }

    /// Size of the batch so far, before compression.
    public int sizeBytes() {
        return bytes.size();
    }

    /// Size of the batch, before compression, if a record were appended now.
    public int sizeBytesWith(
            long timestamp,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value,
            List<RecordHeader> headers) {
        long timestampDelta = recordCount == 0 ? 0 : timestamp - baseTimestamp;
        int size = bodySize(timestampDelta, lastOffsetDelta + 1, key, value, headers);
        return bytes.size() + GrowableBytes.varintSize(size) + size;
    }

    /// The finished batch in a heap buffer of its own. A batch without records is legal in a log,
    /// never in a request.
    public ByteBuffer build() {
        check(!built, "the batch is built already");
        built = true;
        GrowableBytes packed =
                compression == Compression.NONE || recordCount == 0 ? bytes : compressed();
        ByteBuffer batch = ByteBuffer.wrap(packed.array(), 0, packed.size()).slice();
        writeHeader(batch);
        return batch;
    }

    private GrowableBytes compressed() {
        int recordBytes = bytes.size() - RecordBatch.HEADER_BYTES;
        GrowableBytes packed = new GrowableBytes(RecordBatch.HEADER_BYTES, bytes.size() / 2);
        Encoder.encode(
                packed,
                compression,
                compressionLevel,
                bytes.array(),
                RecordBatch.HEADER_BYTES,
                recordBytes);
        return packed;
    }

    private void writeHeader(ByteBuffer batch) {
        batch.putLong(RecordBatch.BASE_OFFSET, baseOffset);
        batch.putInt(RecordBatch.LENGTH, batch.limit() - RecordBatch.LENGTH_PREFIX_BYTES);
        batch.putInt(RecordBatch.LEADER_EPOCH, leaderEpoch);
        batch.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
        batch.putShort(RecordBatch.ATTRIBUTES, attributes());
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA, lastOffsetDelta);
        batch.putLong(RecordBatch.BASE_TIMESTAMP, baseTimestamp);
        batch.putLong(RecordBatch.MAX_TIMESTAMP, logAppendTimeMs.orElse(maxTimestamp));
        batch.putLong(RecordBatch.PRODUCER_ID, producerId);
        batch.putShort(RecordBatch.PRODUCER_EPOCH, producerEpoch);
        batch.putInt(RecordBatch.BASE_SEQUENCE, baseSequence);
        batch.putInt(RecordBatch.RECORD_COUNT, recordCount);
        CRC32C crc = new CRC32C();
        crc.update(
                batch.array(),
                batch.arrayOffset() + RecordBatch.ATTRIBUTES,
                batch.limit() - RecordBatch.ATTRIBUTES);
        batch.putInt(RecordBatch.CRC, (int) crc.getValue());
    }

    private short attributes() {
        int attributes = recordCount == 0 ? 0 : compression.id();
        attributes |= logAppendTimeMs.isPresent() ? TimestampType.MASK : 0;
        attributes |= transactional ? RecordBatch.TRANSACTIONAL_MASK : 0;
        attributes |= control ? RecordBatch.CONTROL_MASK : 0;
        attributes |= deleteHorizonMs.isPresent() ? RecordBatch.DELETE_HORIZON_MASK : 0;
        return (short) attributes;
    }

    private void writeNullable(@Nullable ByteBuffer field) {
        if (field == null) {
            bytes.writeVarint(-1);
        } else {
            bytes.writeVarint(field.remaining());
            bytes.write(field);
        }
    }

    private static int bodySize(
            long timestampDelta,
            int offsetDelta,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value,
            List<RecordHeader> headers) {
        int size =
                1
                        + GrowableBytes.varlongSize(timestampDelta)
                        + GrowableBytes.varintSize(offsetDelta);
        size += nullableSize(key) + nullableSize(value) + GrowableBytes.varintSize(headers.size());
        for (RecordHeader header : headers) {
            int keyBytes = header.key().getBytes(StandardCharsets.UTF_8).length;

            size +=
                    GrowableBytes.varintSize(keyBytes)
                            + keyBytes
                            + nullableSize(header.value().orElse(null));
        }
        return size;
    }

    private static int nullableSize(@Nullable ByteBuffer field) {
        return field == null ? 1 : GrowableBytes.varintSize(field.remaining()) + field.remaining();
    }

    private void checkNoRecords() {
        check(recordCount == 0, "the batch has %d records already", recordCount);
    }
}

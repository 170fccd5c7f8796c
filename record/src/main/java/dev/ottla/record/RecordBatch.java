package dev.ottla.record;

import static dev.ottla.wire.Check.check;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/// One record batch of format version 2, seen in the buffer that holds it: no byte is copied, and the few fields that a
/// broker may change are patched in place. Not thread-safe: owned by whoever owns the buffer, whose position and limit
/// are neither used nor moved after creation.
///
///     | base offset int64 | batch length int32 | partition leader epoch int32 | magic int8 (2) | crc uint32 |
///     | attributes int16 | last offset delta int32 | base timestamp int64 | max timestamp int64 |
///     | producer id int64 | producer epoch int16 | base sequence int32 | record count int32 |   61 bytes, big-endian
///     | records: one after the other, or all of them compressed as one block |
///
///     attributes: 0-2 codec, 3 timestamp type, 4 transactional, 5 control, 6 base timestamp is the delete horizon
///
/// The batch length counts from the partition leader epoch on; the CRC-32C covers everything from the attributes on, so
/// base offset and leader epoch can change without it. Source: Kafka documentation, "Message Format".
public final class RecordBatch {
    public static final byte MAGIC = 2;

    /// Bytes before the first record.
    public static final int HEADER_BYTES = 61;

    /// Bytes of base offset and batch length, which the batch length does not count.
    public static final int LENGTH_PREFIX_BYTES = 12;

    public static final long NO_PRODUCER_ID = -1;
    public static final short NO_PRODUCER_EPOCH = -1;
    public static final int NO_SEQUENCE = -1;
    public static final long NO_TIMESTAMP = -1;
    public static final int NO_LEADER_EPOCH = -1;

    static final int BASE_OFFSET = 0;
    static final int LENGTH = 8;
    static final int LEADER_EPOCH = 12;
    static final int MAGIC_AT = 16;
    static final int CRC = 17;
    static final int ATTRIBUTES = 21;
    static final int LAST_OFFSET_DELTA = 23;
    static final int BASE_TIMESTAMP = 27;
    static final int MAX_TIMESTAMP = 35;
    static final int PRODUCER_ID = 43;
    static final int PRODUCER_EPOCH = 51;
    static final int BASE_SEQUENCE = 53;
    static final int RECORD_COUNT = 57;

    static final int TRANSACTIONAL_MASK = 0x10;
    static final int CONTROL_MASK = 0x20;
    static final int DELETE_HORIZON_MASK = 0x40;

    private final ByteBuffer buffer;
    private final int start;
    private final int sizeBytes;

    RecordBatch(ByteBuffer buffer, int start, int sizeBytes) {
        this.buffer = buffer;
        this.start = start;
        this.sizeBytes = sizeBytes;
    }

    /// The batch that starts at an absolute position of the buffer; throws
    /// [MalformedRecordsException] when no complete batch of version 2 stands there. Neither the
    /// checksum nor the records are looked at.
    public static RecordBatch at(ByteBuffer buffer, int position) {
        return switch (RecordBatches.stepAt(buffer, position)) {
            case RecordBatches.Step.Batch(RecordBatch batch) -> batch;
            case RecordBatches.Step.End _ ->
                    throw new MalformedRecordsException(
                            "no record batch at position " + position + ": end of buffer");
            case RecordBatches.Step.Partial partial ->
                    throw new MalformedRecordsException(partial.describe());
            case RecordBatches.Step.Malformed malformed ->
                    throw new MalformedRecordsException(malformed.message());
        };
    }

    /// Where the batch starts in its buffer.
    public int position() {
        return start;
    }

    /// Size of the whole batch, header included.
    public int sizeBytes() {
        return sizeBytes;
    }

    /// The bytes of the batch, sharing content with the underlying buffer.
    public ByteBuffer bytes() {
        return buffer.slice(start, sizeBytes);
    }

    /// The bytes after the header, as they are: compressed when [#compression] says so.
    public ByteBuffer recordBytes() {
        return buffer.slice(start + HEADER_BYTES, sizeBytes - HEADER_BYTES);
    }

    public long baseOffset() {
        return buffer.getLong(start + BASE_OFFSET);
    }

    /// Offset of the last record, inclusive. Compaction may have removed the record itself.
    public long lastOffset() {
        return baseOffset() + lastOffsetDelta();
    }

    /// The offset after the batch.
    public long nextOffset() {
        return lastOffset() + 1;
    }

    public int lastOffsetDelta() {
        return buffer.getInt(start + LAST_OFFSET_DELTA);
    }

    public int leaderEpoch() {
        return buffer.getInt(start + LEADER_EPOCH);
    }

    /// The stored checksum; see [#computeCrc].
    public int crc() {
        return buffer.getInt(start + CRC);
    }

    public int attributes() {
        return buffer.getShort(start + ATTRIBUTES);
    }

    /// Codec number, known or not.
    public int compressionId() {
        return attributes() & Compression.MASK;
    }

    /// Throws [MalformedRecordsException] for a number that no codec has.
    public Compression compression() {
        int id = compressionId();
        return Compression.forId(id)
                .orElseThrow(() ->
                        new MalformedRecordsException(
                                "unknown compression id " + id + " in record batch"));
    }

    public boolean isCompressed() {
        return compressionId() != 0;
    }

    public TimestampType timestampType() {
        return (attributes() & TimestampType.MASK) == 0
                ? TimestampType.CREATE_TIME
                : TimestampType.LOG_APPEND_TIME;
    }

    public boolean isTransactional() {
        return (attributes() & TRANSACTIONAL_MASK) != 0;
    }

    public boolean isControl() {
        return (attributes() & CONTROL_MASK) != 0;
    }

    /// When tombstones and transaction markers of the batch may be removed; set by compaction, kept
    /// in place of the base timestamp.
    public OptionalLong deleteHorizonMs() {
        return (attributes() & DELETE_HORIZON_MASK) != 0
                ? OptionalLong.of(baseTimestamp())
                : OptionalLong.empty();
    }

    /// What the records' timestamp deltas count from.
    public long baseTimestamp() {
        return buffer.getLong(start + BASE_TIMESTAMP);
    }

    public long maxTimestamp() {
        return buffer.getLong(start + MAX_TIMESTAMP);
    }

    public long producerId() {
        return buffer.getLong(start + PRODUCER_ID);
    }

    public boolean hasProducerId() {
        return producerId() > NO_PRODUCER_ID;
    }

    public short producerEpoch() {
        return buffer.getShort(start + PRODUCER_EPOCH);
    }

    public int baseSequence() {
        return buffer.getInt(start + BASE_SEQUENCE);
    }

    /// Sequence of the last record; sequences wrap from 2^31 - 1 to 0.
    public int lastSequence() {
        int baseSequence = baseSequence();
        return baseSequence == NO_SEQUENCE
                ? NO_SEQUENCE
                : incrementSequence(baseSequence, lastOffsetDelta());
    }

    /// Number of records in the batch. Smaller than the offset range once compaction removed some.
    public int recordCount() {
        return buffer.getInt(start + RECORD_COUNT);
    }

    /// CRC-32C over attributes to end.
    public int computeCrc() {
        CRC32C crc = new CRC32C();
        crc.update(buffer.slice(start + ATTRIBUTES, sizeBytes - ATTRIBUTES));
        return (int) crc.getValue();
    }

    public boolean isCrcValid() {
        return crc() == computeCrc();
    }

    /// Gives the batch its place in the log. Both fields lie outside the checksum.
    public void assignOffsets(long baseOffset, int leaderEpoch) {
        check(baseOffset >= 0, "base offset %d is negative", baseOffset);
        buffer.putLong(start + BASE_OFFSET, baseOffset);
        buffer.putInt(start + LEADER_EPOCH, leaderEpoch);
    }

    /// Sets timestamp type and max timestamp, and the checksum when one of them changed. The base
    /// timestamp and the records stay: with log-append time every record has the batch's max
    /// timestamp.
    public void setMaxTimestamp(TimestampType type, long maxTimestamp) {
        if (type == timestampType() && maxTimestamp == maxTimestamp()) {
            return;
        }
        int cleared = attributes() & ~TimestampType.MASK;
        int attributes =
                type == TimestampType.LOG_APPEND_TIME ? cleared | TimestampType.MASK : cleared;
        buffer.putShort(start + ATTRIBUTES, (short) attributes);
        buffer.putLong(start + MAX_TIMESTAMP, maxTimestamp);
        buffer.putInt(start + CRC, computeCrc());
    }

    /// Stamps the batch with the broker's time.
    public void setLogAppendTime(long nowMs) {
        setMaxTimestamp(TimestampType.LOG_APPEND_TIME, nowMs);
    }

    /// Walks the records of an uncompressed batch.
    public RecordCursor uncompressedRecords() {
        check(!isCompressed(), "the batch at offset %d is compressed", baseOffset());
        return new RecordCursor(this, recordBytes());
    }

    /// Sequences count 0 to 2^31 - 1 and start again at 0.
    public static int incrementSequence(int sequence, int increment) {
        return (int) (((long) sequence + increment) & Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
        return "RecordBatch(offsets %d to %d, %d records, %d bytes, leader epoch %d, codec %d, producer %d:%d sequence %d%s%s)"
                .formatted(
                        baseOffset(),
                        lastOffset(),
                        recordCount(),
                        sizeBytes,
                        leaderEpoch(),
                        compressionId(),
                        producerId(),
                        producerEpoch(),
                        baseSequence(),
                        isTransactional() ? ", transactional" : "",
                        isControl() ? ", control" : "");
    }

    static ByteBuffer bigEndian(ByteBuffer buffer) {
        return buffer.order() == ByteOrder.BIG_ENDIAN ? buffer : buffer.duplicate();
    }
}

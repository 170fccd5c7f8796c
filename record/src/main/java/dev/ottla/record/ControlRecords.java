package dev.ottla.record;

import static dev.ottla.wire.Check.check;

import java.nio.ByteBuffer;

/// Control records: markers in the log that consumers never see. A control batch has the control bit and holds one record
/// or more of this shape:
///
///     key   | version int16 (0) | type int16 |
///     value of COMMIT and ABORT | version int16 (0) | coordinator epoch int32 |
///     value of the others: the message of that name, as `wire` encodes it
///
/// Source: Kafka documentation, "Control Batches"; KIP-98, KIP-595, KIP-853.
public final class ControlRecords {
    private static final int KEY_BYTES = 4;
    private static final int END_TRANSACTION_VALUE_BYTES = 6;

    private ControlRecords() {}

    /// Key of a control record.
    public static ByteBuffer key(ControlType type) {
        check(type != ControlType.UNKNOWN, "an unknown control type cannot be written");
        return ByteBuffer.allocate(KEY_BYTES).putShort((short) 0).putShort(type.id()).flip();
    }

    /// Reads a control record's key; versions to come must keep the type in its place.
    public static ControlType parseKey(ByteBuffer key) {
        if (key.remaining() < KEY_BYTES) {
            throw new MalformedRecordsException(
                    "control record key of %d bytes, expected at least %d"
                            .formatted(key.remaining(), KEY_BYTES));
        }
        ByteBuffer bigEndian = RecordBatch.bigEndian(key);
        short version = bigEndian.getShort(key.position());
        if (version < 0) {
            throw new MalformedRecordsException("control record key has the version " + version);
        }
        return ControlType.forId(bigEndian.getShort(key.position() + 2));
    }

    /// Type of the first record of a control batch, which is never compressed.
    public static ControlType typeOf(RecordBatch batch) {
        RecordCursor cursor = first(batch);
        return parseKey(cursor.key());
    }

    /// Reads the marker of a control batch that ends a transaction.
    public static EndTransactionMarker endTransactionMarker(RecordBatch batch) {
        RecordCursor cursor = first(batch);
        ControlType type = parseKey(cursor.key());
        ByteBuffer value = cursor.value();
        if (type != ControlType.COMMIT && type != ControlType.ABORT) {
            throw new MalformedRecordsException(
                    "control record is a " + type + ", not the end of a transaction");
        }
        if (value.remaining() < END_TRANSACTION_VALUE_BYTES) {
            throw new MalformedRecordsException(
                    "end of transaction has %d bytes, expected %d"
                            .formatted(value.remaining(), END_TRANSACTION_VALUE_BYTES));
        }
        return new EndTransactionMarker(type == ControlType.COMMIT, value.getInt(2));
    }

    /// A batch of one record that ends the open transaction of a producer.
    public static ByteBuffer endTransactionBatch(
            EndTransactionMarker marker, long producerId, short producerEpoch, long timestampMs) {
        ByteBuffer value = ByteBuffer.allocate(END_TRANSACTION_VALUE_BYTES);
        value.putShort((short) 0).putInt(marker.coordinatorEpoch()).flip();
        return new BatchBuilder()
                .producer(producerId, producerEpoch, RecordBatch.NO_SEQUENCE)
                .transactional(true)
                .control(true)
                .append(
                        timestampMs,
                        key(marker.commit() ? ControlType.COMMIT : ControlType.ABORT),
                        value)
                .build();
    }

    /// A batch of one record of another control type, with its encoded message.
    public static ByteBuffer batch(ControlType type, ByteBuffer value, long timestampMs) {
        return new BatchBuilder().control(true).append(timestampMs, key(type), value).build();
    }

    private static RecordCursor first(RecordBatch batch) {
        check(batch.isControl(), "the batch at offset %d is no control batch", batch.baseOffset());
        if (batch.isCompressed()) {
            throw new MalformedRecordsException(
                    "the control batch at offset %d is compressed".formatted(batch.baseOffset()));
        }
        RecordCursor cursor = batch.uncompressedRecords();
        if (!cursor.next()) {
            throw new MalformedRecordsException(
                    "the control batch at offset %d is empty".formatted(batch.baseOffset()));
        }
        return cursor;
    }
}

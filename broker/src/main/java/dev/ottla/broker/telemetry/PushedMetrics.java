package dev.ottla.broker.telemetry;

import dev.ottla.record.Compression;
import dev.ottla.record.DecompressionLimitException;
import dev.ottla.record.Decompressor;
import dev.ottla.record.MalformedRecordsException;
import dev.ottla.wire.ErrorCode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/// Checks that a push is what it says: OTLP metrics, compressed. Thread-safe; takes time, so it runs
/// where nobody waits.
///
/// Looked at are the messages from the outermost down to the single metric; what is inside a metric
/// is left to whoever reads it. A field that is not known is stepped over, as protobuf wants.
///
///     MetricsData { 1: ResourceMetrics { 2: ScopeMetrics { 2: Metric }}}
///     message: | tag varint: field number, 3 bits wire type | value | … one after the other
///
/// Source: opentelemetry-proto, `metrics.proto`; protobuf documentation, "Encoding".
public final class PushedMetrics {
    /// The field that holds the next inner message, by depth.
    private static final int[] PATH = {1, 2, 2};

    private static final int WIRE_TYPE_BITS = 3;
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED_32 = 5;
    private static final int MAX_VARINT_BYTES = 10;
    private static final long MAX_FIELD = (1 << 29) - 1;

    private final int maxUncompressedBytes;

    public PushedMetrics(int maxUncompressedBytes) {
        this.maxUncompressedBytes = maxUncompressedBytes;
    }

    /// Returns [ErrorCode#NONE], INVALID_RECORD for what cannot be read, or TELEMETRY_TOO_LARGE for
    /// what unpacks to more than is allowed.
    public ErrorCode check(Compression compression, ByteBuffer pushed) {
        try {
            ByteBuffer metrics = Decompressor.decompress(compression, pushed, maxUncompressedBytes);
            return isMessage(metrics, 0) ? ErrorCode.NONE : ErrorCode.INVALID_RECORD;
        } catch (MalformedRecordsException _) {
            return ErrorCode.INVALID_RECORD;
        } catch (DecompressionLimitException _) {
            return ErrorCode.TELEMETRY_TOO_LARGE;
        }
    }

    private static boolean isMessage(ByteBuffer bytes, int depth) {
        try {
            readMessage(bytes, depth);
            return true;
        } catch (BufferUnderflowException | IllegalArgumentException _) {
            return false;
        }
    }

    private static void readMessage(ByteBuffer message, int depth) {
        while (message.hasRemaining()) {
            long tag = varint(message);
            long field = tag >>> WIRE_TYPE_BITS;
            if (field == 0 || field > MAX_FIELD) {
                throw new IllegalArgumentException("field " + field);
            }
            switch ((int) tag & (1 << WIRE_TYPE_BITS) - 1) {
                case VARINT -> varint(message);
                case FIXED_64 -> skip(message, Long.BYTES);
                case FIXED_32 -> skip(message, Integer.BYTES);
                case BYTES -> {
                    ByteBuffer value = skip(message, varint(message));
                    if (depth < PATH.length && field == PATH[depth]) {
                        readMessage(value, depth + 1);
                    }
                }
                default -> throw new IllegalArgumentException("wire type of tag " + tag);
            }
        }
    }

    private static ByteBuffer skip(ByteBuffer message, long length) {
        if (length < 0 || length > message.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer skipped = message.slice(message.position(), (int) length);
        message.position(message.position() + (int) length);
        return skipped;
    }

    private static long varint(ByteBuffer message) {
        long value = 0;
        for (int i = 0; i < MAX_VARINT_BYTES; i++) {
            byte next = message.get();
            value |= (next & 0x7fL) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("varint without end");
    }
}

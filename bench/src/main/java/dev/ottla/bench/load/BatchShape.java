package dev.ottla.bench.load;

import dev.ottla.record.BatchBuilder;
import dev.ottla.record.Compression;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/// What the batches of a load look like. A value starts with what the checker needs; the rest is
/// random bytes, every second one of them zero where a codec shall find something to do.
///
///     | stream int32 | index in the batch int32 | filling |   value of a record
///
/// The timestamp of a record is [#EPOCH_MS] plus its sequence in (stream, partition): it stands in
/// the batch header, so a prepared batch carries new sequences, compressed or not, when its header
/// is patched.
public record BatchShape(int valueBytes, int recordCount, Compression compression) {
    /// Timestamp of sequence 0. Any past moment does; topics of a load have no retention by time.
    public static final long EPOCH_MS = 1_700_000_000_000L;

    /// Smallest value, so that there is room for the stream and the index.
    public static final int MIN_VALUE_BYTES = 8;

    /// Record length, attributes, deltas and header count: what a record costs beside its value, at
    /// most, in batches of up to a few thousand records.
    private static final int RECORD_OVERHEAD = 12;

    public BatchShape {
        if (valueBytes < MIN_VALUE_BYTES || recordCount < 1) {
            throw new IllegalArgumentException(
                    "%d records of %d bytes".formatted(recordCount, valueBytes));
        }
    }

    /// As many records of `valueBytes` as a producer with `batch.size=batchBytes` would put into a
    /// batch; at least one.
    public static BatchShape filling(int batchBytes, int valueBytes, Compression compression) {
        int fitting = (batchBytes - 61) / (valueBytes + RECORD_OVERHEAD);
        return new BatchShape(valueBytes, Math.max(1, fitting), compression);
    }

    /// Bytes of values, which is what throughput counts.
    public long payloadBytes() {
        return (long) valueBytes * recordCount;
    }

    /// A batch of `stream` whose first record has sequence 0.
    public ByteBuffer build(int stream, RandomGenerator random) {
        BatchBuilder builder =
                new BatchBuilder(recordCount * (valueBytes + RECORD_OVERHEAD) + 128)
                        .compression(compression);
        byte[] filling = new byte[valueBytes];
        for (int index = 0; index < recordCount; index++) {
            random.nextBytes(filling);
            if (compression != Compression.NONE) {
                for (int i = 0; i < filling.length; i += 2) filling[i] = 0;
            }
            ByteBuffer value = ByteBuffer.wrap(filling);
            value.putInt(0, stream).putInt(4, index);
            builder.append(EPOCH_MS + index, null, value);
        }
        return builder.build();
    }
}

package dev.ottla.record;

import static dev.ottla.wire.Check.check;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/// Rewrites a batch with another codec, for topics that set `compression.type`. The records stay as
/// they are, byte for byte, and so does everything in the header but codec, length and checksum.
public final class Recompressor {
    private Recompressor() {}

    /// A copy of the batch on the heap, compressed with `target`; empty when it would have more
    /// than `maxBatchBytes`. Piece by piece: memory is bounded by that limit, whatever the batch
    /// unpacks to. Takes the time of unpacking and packing all of it: not for network loops.
    public static Optional<ByteBuffer> recompress(
            RecordReader reader,
            RecordBatch batch,
            Compression target,
            int level,
            int maxBatchBytes) {
        check(target.acceptsLevel(level), "%s has no level %d", target, level);
        GrowableBytes packed =
                new GrowableBytes(
                        RecordBatch.HEADER_BYTES, Math.min(batch.sizeBytes(), maxBatchBytes));
        try (Encoder encoder = Encoder.to(packed, target, level)) {
            boolean whole =
                    reader.unpack(
                            batch,
                            window -> {
                                encoder.write(window);
                                return packed.size() <= maxBatchBytes;
                            });
            if (!whole) {
                return Optional.empty();
            }
            encoder.finish();
        }
        return packed.size() > maxBatchBytes
                ? Optional.empty()
                : Optional.of(withHeader(batch, target, packed));
    }

    private static ByteBuffer withHeader(
            RecordBatch batch, Compression target, GrowableBytes packed) {
        ByteBuffer result = ByteBuffer.wrap(packed.array(), 0, packed.size()).slice();
        result.put(0, batch.bytes(), 0, RecordBatch.HEADER_BYTES);
        result.putInt(RecordBatch.LENGTH, result.limit() - RecordBatch.LENGTH_PREFIX_BYTES);
        result.putShort(
                RecordBatch.ATTRIBUTES,
                (short) ((batch.attributes() & ~Compression.MASK) | target.id()));
        CRC32C crc = new CRC32C();
        crc.update(packed.array(), RecordBatch.ATTRIBUTES, packed.size() - RecordBatch.ATTRIBUTES);
        return result.putInt(RecordBatch.CRC, (int) crc.getValue());
    }
}

package dev.ottla.record;

import static dev.ottla.wire.Check.check;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Rewrites a batch with another codec, for topics that set `compression.type`. The records stay as
/// they are, byte for byte, and so does everything in the header but codec, length and checksum.
public final class Recompressor {
    private Recompressor() {}

    /// A copy of the batch on the heap, compressed with `target`. Takes the time and memory of
    /// unpacking and packing the whole batch: not for network loops.
    public static ByteBuffer recompress(
            RecordReader reader, RecordBatch batch, Compression target, int level) {
        check(target.acceptsLevel(level), "%s has no level %d", target, level);
        ByteBuffer records = reader.uncompressed(batch);
        byte[] bytes = new byte[records.remaining()];
        records.get(bytes);
        GrowableBytes packed =
                new GrowableBytes(
                        RecordBatch.HEADER_BYTES,
                        RecordBatch.HEADER_BYTES
                                + (target == Compression.NONE ? bytes.length : bytes.length / 2));
        Encoders.encode(target, level, bytes, 0, bytes.length, packed);
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

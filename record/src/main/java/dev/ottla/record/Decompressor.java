package dev.ottla.record;

import java.nio.ByteBuffer;

/// Unpacks what was compressed as a whole and is no batch, such as pushed metrics. For batches
/// there is [RecordReader], which keeps its decoders.
public final class Decompressor {
    private static final int FIRST_BYTES = 8 << 10;

    private Decompressor() {}

    /// The uncompressed bytes between position and limit of `compressed`, which stays as it is.
    /// Throws [MalformedRecordsException] for what the codec cannot read, and
    /// [DecompressionLimitException] for more than `maxBytes`.
    public static ByteBuffer decompress(
            Compression compression, ByteBuffer compressed, int maxBytes) {
        if (compression == Compression.NONE) {
            if (compressed.remaining() > maxBytes) {
                throw new DecompressionLimitException(maxBytes);
            }
            return compressed.duplicate();
        }
        GrowableBytes bytes = new GrowableBytes(0, FIRST_BYTES);
        try (Decoder decoder = Decoder.of(compression)) {
            decoder.start(compressed.slice(), maxBytes);
            for (ByteBuffer window = decoder.next();
                    window.hasRemaining();
                    window = decoder.next()) {
                if (window.remaining() > maxBytes - bytes.size()) {
                    throw new DecompressionLimitException(maxBytes);
                }
                bytes.write(window);
            }
        }
        return ByteBuffer.wrap(bytes.array(), 0, bytes.size());
    }
}

package dev.ottla.record;

import java.nio.ByteBuffer;

/// Unpacks compressed records window by window. Owned by one thread, used for one batch after the
/// other; keeps its buffers and native state in between, within [#RETAINED_BYTES].
abstract class Decoder implements AutoCloseable {
    /// Buffers that grew beyond this for one batch are given up after it.
    static final int RETAINED_BYTES = 1 << 20;

    static final ByteBuffer END = ByteBuffer.allocate(0);

    /// Stands behind the records of uncompressed batches: nothing follows.
    static final Decoder ENDED =
            new Decoder() {
                @Override
                void start(ByteBuffer compressed, long maxBytes) {}

                @Override
                ByteBuffer next() {
                    return END;
                }
            };

    /// A fresh one.
    static Decoder of(Compression compression) {
        return switch (compression) {
            case NONE -> Decoder.ENDED;
            case GZIP -> new GzipDecoder();
            case SNAPPY -> new SnappyDecoder();
            case LZ4 -> new Lz4Decoder();
            case ZSTD -> new ZstdDecoder();
        };
    }

    /// Begins with the bytes between position and limit, which this decoder may move; from here on
    /// at most `maxBytes` are wanted, and no buffer need be larger.
    abstract void start(ByteBuffer compressed, long maxBytes);

    /// The next uncompressed bytes, from position to limit, valid until the next call; without
    /// remaining bytes at the end. Throws [MalformedRecordsException] for data the codec cannot
    /// read, and [DecompressionLimitException] when one indivisible block exceeds the limit.
    abstract ByteBuffer next();

    /// Lets go of the batch and of oversized buffers.
    void finish() {}

    @Override
    public void close() {}

    static int littleEndianInt(ByteBuffer source, int at) {
        return Integer.reverseBytes(source.getInt(at));
    }
}

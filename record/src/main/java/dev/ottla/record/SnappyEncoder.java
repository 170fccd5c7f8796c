package dev.ottla.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/// Blocks of snappy behind a header, drawn in [SnappyDecoder].
final class SnappyEncoder extends BlockEncoder {
    private static final int BLOCK_BYTES = 32 * 1024;

    SnappyEncoder(GrowableBytes target) {
        super(target, BLOCK_BYTES);
        ByteBuffer header = ByteBuffer.allocate(SnappyDecoder.HEADER_BYTES);
        header.putLong(SnappyDecoder.MAGIC)
                .putInt(SnappyDecoder.VERSION)
                .putInt(SnappyDecoder.VERSION)
                .flip();
        target.write(header);
    }

    @Override
    void writeBlock(byte[] source, int offset, int length) {
        target.ensure(Integer.BYTES + Snappy.maxCompressedLength(length));
        int lengthAt = target.size();
        target.advance(Integer.BYTES);
        try {
            int compressed = Snappy.compress(source, offset, length, target.array(), target.size());
            ByteBuffer.wrap(target.array()).putInt(lengthAt, compressed);
            target.advance(compressed);
        } catch (IOException e) {
            throw new UncheckedIOException("snappy could not compress", e);
        }
    }
}

package dev.ottla.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHashFactory;

/// An LZ4 frame of independent blocks, drawn in [Lz4Decoder].
final class Lz4Encoder extends BlockEncoder {
    private static final int BLOCK_BYTES = 64 * 1024;
    private static final byte BLOCK_SIZE_CODE = 4 << 4;

    private final LZ4Compressor compressor;

    Lz4Encoder(GrowableBytes target, int level) {
        super(target, BLOCK_BYTES);
        compressor = compressor(level);
        byte[] descriptor = {Lz4Decoder.VERSION_1 | Lz4Decoder.INDEPENDENT_BLOCKS, BLOCK_SIZE_CODE};
        writeLittleEndian(Lz4Decoder.MAGIC);
        target.write(descriptor, 0, descriptor.length);
        target.writeByte(
                XXHashFactory.fastestInstance().hash32().hash(descriptor, 0, descriptor.length, 0)
                        >> 8);
    }

    /// The default level stands for the fast compressor, every other for the high-compression one.
    private static LZ4Compressor compressor(int level) {
        LZ4Factory factory = LZ4Factory.fastestInstance();
        return level == Compression.LZ4.defaultLevel()
                ? factory.fastCompressor()
                : factory.highCompressor(level);
    }

    @Override
    void writeBlock(byte[] source, int offset, int length) {
        int bound = compressor.maxCompressedLength(length);
        target.ensure(Integer.BYTES + bound);
        int lengthAt = target.size();
        target.advance(Integer.BYTES);
        int compressed =
                compressor.compress(source, offset, length, target.array(), target.size(), bound);
        int lengthWord = compressed;
        if (compressed < length) {
            target.advance(compressed);
        } else {
            target.write(source, offset, length);
            lengthWord = length | Lz4Decoder.UNCOMPRESSED_BLOCK;
        }
        ByteBuffer.wrap(target.array()).order(ByteOrder.LITTLE_ENDIAN).putInt(lengthAt, lengthWord);
    }

    @Override
    void finish() {
        super.finish();
        writeLittleEndian(0);
    }
}

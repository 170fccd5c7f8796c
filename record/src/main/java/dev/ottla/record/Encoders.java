package dev.ottla.record;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHashFactory;
import org.xerial.snappy.Snappy;

/// Compresses whole record sections, framed as Kafka frames them. The formats are drawn in the
/// decoders. Native state lives for one call.
final class Encoders {
    private static final int SNAPPY_BLOCK_BYTES = 32 * 1024;
    private static final int LZ4_BLOCK_BYTES = 64 * 1024;
    private static final byte LZ4_BLOCK_SIZE_CODE = 4 << 4;
    private static final byte[] GZIP_HEADER = {
        0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff
    };
    private static final int GZIP_STEP_BYTES = 8 * 1024;

    private Encoders() {}

    /// Appends the compressed form of a range to `target`.
    static void encode(
            Compression compression,
            int level,
            byte[] source,
            int offset,
            int length,
            GrowableBytes target) {
        switch (compression) {
            case NONE -> target.write(source, offset, length);
            case GZIP -> gzip(level, source, offset, length, target);
            case SNAPPY -> snappy(source, offset, length, target);
            case LZ4 -> lz4(level, source, offset, length, target);
            case ZSTD -> zstd(level, source, offset, length, target);
        }
    }

    private static void gzip(
            int level, byte[] source, int offset, int length, GrowableBytes target) {
        target.write(GZIP_HEADER, 0, GZIP_HEADER.length);
        Deflater deflater = new Deflater(level, true);
        try {
            deflater.setInput(source, offset, length);
            deflater.finish();
            while (!deflater.finished()) {
                target.ensure(GZIP_STEP_BYTES);
                target.advance(deflater.deflate(target.array(), target.size(), GZIP_STEP_BYTES));
            }
        } finally {
            deflater.end();
        }
        CRC32 crc = new CRC32();
        crc.update(source, offset, length);
        writeLittleEndian((int) crc.getValue(), target);
        writeLittleEndian(length, target);
    }

    private static void snappy(byte[] source, int offset, int length, GrowableBytes target) {
        ByteBuffer header = ByteBuffer.allocate(SnappyDecoder.HEADER_BYTES);
        header.putLong(SnappyDecoder.MAGIC)
                .putInt(SnappyDecoder.VERSION)
                .putInt(SnappyDecoder.VERSION)
                .flip();
        target.write(header);
        for (int done = 0; done < length; done += SNAPPY_BLOCK_BYTES) {
            int block = Math.min(SNAPPY_BLOCK_BYTES, length - done);
            target.ensure(4 + Snappy.maxCompressedLength(block));
            int lengthAt = target.size();
            target.advance(4);
            try {
                int compressed =
                        Snappy.compress(
                                source, offset + done, block, target.array(), target.size());
                ByteBuffer.wrap(target.array()).putInt(lengthAt, compressed);
                target.advance(compressed);
            } catch (IOException e) {
                throw new UncheckedIOException("snappy could not compress", e);
            }
        }
    }

    private static void lz4(
            int level, byte[] source, int offset, int length, GrowableBytes target) {
        LZ4Compressor compressor = lz4Compressor(level);
        byte[] descriptor = {
            Lz4Decoder.VERSION_1 | Lz4Decoder.INDEPENDENT_BLOCKS, LZ4_BLOCK_SIZE_CODE
        };
        writeLittleEndian(Lz4Decoder.MAGIC, target);
        target.write(descriptor, 0, descriptor.length);
        target.writeByte(
                XXHashFactory.fastestInstance().hash32().hash(descriptor, 0, descriptor.length, 0)
                        >> 8);
        for (int done = 0; done < length; done += LZ4_BLOCK_BYTES) {
            int block = Math.min(LZ4_BLOCK_BYTES, length - done);
            target.ensure(4 + compressor.maxCompressedLength(block));
            int lengthAt = target.size();
            target.advance(4);
            int compressed =
                    compressor.compress(
                            source,
                            offset + done,
                            block,
                            target.array(),
                            target.size(),
                            compressor.maxCompressedLength(block));
            int lengthWord = compressed;
            if (compressed < block) {
                target.advance(compressed);
            } else {
                target.write(source, offset + done, block);
                lengthWord = block | Lz4Decoder.UNCOMPRESSED_BLOCK;
            }
            ByteBuffer.wrap(target.array())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(lengthAt, lengthWord);
        }
        writeLittleEndian(0, target);
    }

    /// The default level stands for the fast compressor, every other for the high-compression one.
    private static LZ4Compressor lz4Compressor(int level) {
        LZ4Factory factory = LZ4Factory.fastestInstance();
        return level == Compression.LZ4.defaultLevel()
                ? factory.fastCompressor()
                : factory.highCompressor(level);
    }

    private static void zstd(
            int level, byte[] source, int offset, int length, GrowableBytes target) {
        int bound = (int) Zstd.compressBound(length);
        target.ensure(bound);
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setLevel(level);
            target.advance(
                    context.compressByteArray(
                            target.array(), target.size(), bound, source, offset, length));
        }
    }

    private static void writeLittleEndian(int value, GrowableBytes target) {
        for (int shift = 0; shift < 32; shift += 8) {
            target.writeByte(value >>> shift);
        }
    }
}

package dev.ottla.record;

import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/// Reads one LZ4 frame of independent blocks, which is what Kafka clients write; anything after the frame is ignored, and
/// so is a checksum of the whole content, since the batch has one.
///
///     | magic int32 0x184d2204 | flags int8 | block size int8 | content size int64, if flagged | header checksum int8 |
///     | block length int32, highest bit: stored as it is | block | block checksum int32, if flagged | ... | int32 0 |
///
/// Little-endian. The header checksum is the second byte of the xxHash32 of flags to content size. Source: LZ4 Frame
/// Format Description.
final class Lz4Decoder extends Decoder {
    static final int MAGIC = 0x184d2204;
    static final int VERSION_1 = 0x40;
    static final int INDEPENDENT_BLOCKS = 0x20;
    static final int UNCOMPRESSED_BLOCK = 0x80000000;

    private static final int VERSION_MASK = 0xc0;
    private static final int BLOCK_CHECKSUMS = 0x10;
    private static final int CONTENT_SIZE = 0x08;
    private static final int RESERVED_OR_DICTIONARY = 0x03;
    private static final int BLOCK_SIZE_RESERVED = 0x8f;

    /// The best that the format can do: each byte of a match length stands for 255 bytes.
    private static final int MAX_RATIO = 255;

    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();
    private final XXHash32 hash = XXHashFactory.fastestInstance().hash32();

    private ByteBuffer output = END;
    private ByteBuffer source = END;
    private int maxBlockBytes;
    private boolean blockChecksums;
    private boolean ended;

    @Override
    void start(ByteBuffer compressed, long maxBytes) {
        source = compressed;
        ended = !compressed.hasRemaining();
        if (!ended) {
            readFrameHeader();
        }
    }

    private void readFrameHeader() {
        int start = source.position();
        if (source.remaining() < 7) {
            throw malformed("is cut off in its header");
        }
        if (littleEndianInt(source, start) != MAGIC) {
            throw malformed("does not start with the magic of a frame");
        }
        int flags = source.get(start + 4);
        int descriptor = source.get(start + 5);
        if ((flags & VERSION_MASK) != VERSION_1 || (flags & RESERVED_OR_DICTIONARY) != 0) {
            throw malformed("has unsupported flags 0x" + Integer.toHexString(flags & 0xff));
        }
        if ((flags & INDEPENDENT_BLOCKS) == 0) {
            throw malformed("has blocks that depend on each other, which Kafka does not allow");
        }
        int sizeCode = (descriptor >> 4) & 0x07;
        if ((descriptor & BLOCK_SIZE_RESERVED) != 0 || sizeCode < 4) {
            throw malformed(
                    "has an unknown block size 0x" + Integer.toHexString(descriptor & 0xff));
        }
        maxBlockBytes = 1 << (2 * sizeCode + 8);
        blockChecksums = (flags & BLOCK_CHECKSUMS) != 0;
        int descriptorBytes = (flags & CONTENT_SIZE) != 0 ? 10 : 2;
        if (source.remaining() < 4 + descriptorBytes + 1) {
            throw malformed("is cut off in its header");
        }
        int checksum = (hash.hash(source, start + 4, descriptorBytes, 0) >> 8) & 0xff;
        if (checksum != (source.get(start + 4 + descriptorBytes) & 0xff)) {
            throw malformed("does not match the checksum of its header");
        }
        source.position(start + 4 + descriptorBytes + 1);
    }

    @Override
    ByteBuffer next() {
        while (!ended) {
            int word = readInt();
            int length = word & ~UNCOMPRESSED_BLOCK;
            if (word == 0) {
                ended = true;
                return END;
            }
            if (length > source.remaining() || length > maxBlockBytes) {
                throw malformed(
                        "declares a block of %d bytes, %d are left"
                                .formatted(length, source.remaining()));
            }
            int at = source.position();
            source.position(at + length);
            if (blockChecksums && readInt() != hash.hash(source, at, length, 0)) {
                throw malformed("has a block that does not match its checksum");
            }
            ByteBuffer block =
                    (word & UNCOMPRESSED_BLOCK) != 0
                            ? source.slice(at, length)
                            : decompress(at, length);
            if (block.hasRemaining()) {
                return block;
            }
        }
        return END;
    }

    private ByteBuffer decompress(int at, int length) {
        int capacity = (int) Math.min(maxBlockBytes, (length + 1L) * MAX_RATIO);
        if (output.capacity() < capacity) {
            output = ByteBuffer.allocate(capacity);
        }
        try {
            int size = decompressor.decompress(source, at, length, output, 0, capacity);
            return output.clear().limit(size);
        } catch (LZ4Exception e) {
            throw new MalformedRecordsException("lz4 data is broken: " + e.getMessage(), e);
        }
    }

    private int readInt() {
        if (source.remaining() < 4) {
            throw malformed("is cut off");
        }
        return Integer.reverseBytes(source.getInt());
    }

    private static MalformedRecordsException malformed(String what) {
        return new MalformedRecordsException("lz4 data " + what);
    }

    @Override
    void finish() {
        source = END;
        if (output.capacity() > RETAINED_BYTES) {
            output = END;
        }
    }
}

package dev.ottla.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/// Reads snappy in the two ways Kafka clients write it: the blocks of the Java library, or one bare block as librdkafka
/// writes it.
///
///     | 0x82 'S' 'N' 'A' 'P' 'P' 'Y' 0x00 | version int32 | lowest compatible version int32 |   16 bytes, big-endian
///     | block length int32 | block | ...                        a further header may stand between blocks
///
/// Sources: snappy `format_description.txt`; the framing of xerial's snappy-java.
final class SnappyDecoder extends Decoder {
    static final long MAGIC = 0x82534e4150505900L;
    static final int HEADER_BYTES = 16;
    static final int VERSION = 1;

    /// The first half of the magic, where a block length would stand.
    private static final int MAGIC_HEAD = (int) (MAGIC >>> 32);

    private byte[] input = new byte[0];
    private byte[] output = new byte[0];
    private ByteBuffer window = END;
    private ByteBuffer source = END;
    private boolean framed;
    private long maxBytes;

    @Override
    void start(ByteBuffer compressed, long limitBytes) {
        source = compressed;
        maxBytes = limitBytes;
        framed = startsWithHeader();
        if (framed) {
            readHeader();
        }
    }

    @Override
    ByteBuffer next() {
        while (source.hasRemaining()) {
            int length = framed ? readBlockLength() : source.remaining();
            int uncompressed = uncompress(length);
            if (uncompressed > 0) {
                return window.clear().limit(uncompressed);
            }
        }
        return END;
    }

    private boolean startsWithHeader() {
        return source.remaining() >= HEADER_BYTES && source.getLong(source.position()) == MAGIC;
    }

    private void readHeader() {
        // The Java library never looks at the versions, so neither may be relied on.
        source.position(source.position() + HEADER_BYTES);
    }

    private int readBlockLength() {
        while (startsWithHeader()) {
            readHeader();
        }
        if (source.remaining() < 4) {
            throw malformed("is cut off in a block length");
        }
        int length = source.getInt();
        if (length < 0 || length > source.remaining()) {
            throw length == MAGIC_HEAD
                    ? malformed("is cut off in a header")
                    : malformed(
                            "declares a block of %d bytes, %d are left"
                                    .formatted(length, source.remaining()));
        }
        return length;
    }

    private int uncompress(int length) {
        if (input.length < length) {
            input = new byte[length];
        }
        source.get(input, 0, length);
        try {
            // The library refuses lengths that a block of this size cannot stand for.
            int uncompressed = Snappy.uncompressedLength(input, 0, length);
            if (uncompressed > maxBytes) {
                throw new DecompressionLimitException(maxBytes);
            }
            if (output.length < uncompressed) {
                output = new byte[uncompressed];
                window = ByteBuffer.wrap(output);
            }
            return Snappy.uncompress(input, 0, length, output, 0);
        } catch (IOException e) {
            throw new MalformedRecordsException("snappy data is broken: " + e.getMessage(), e);
        }
    }

    private static MalformedRecordsException malformed(String what) {
        return new MalformedRecordsException("snappy data " + what);
    }

    @Override
    void finish() {
        source = END;
        if (input.length + output.length > RETAINED_BYTES) {
            input = new byte[0];
            output = new byte[0];
            window = END;
        }
    }
}

package dev.ottla.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Reads gzip members, one or several. Source: RFC 1952.
final class GzipDecoder extends Decoder {
    private static final int WINDOW_BYTES = 32 * 1024;
    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    private static final int DEFLATED = 8;
    private static final int HEADER_CRC_FLAG = 0x02;
    private static final int EXTRA_FLAG = 0x04;
    private static final int NAME_FLAG = 0x08;
    private static final int COMMENT_FLAG = 0x10;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    private ByteBuffer source = END;
    private boolean inMember;

    @Override
    void start(ByteBuffer compressed, long maxBytes) {
        source = compressed;
        inMember = false;
    }

    @Override
    ByteBuffer next() {
        while (true) {
            if (!inMember) {
                if (!source.hasRemaining()) {
                    return END;
                }
                readMemberHeader();
            }
            window.clear();
            inflate();
            boolean ended = inflater.finished();
            window.flip();
            crc.update(window.duplicate());
            if (ended) {
                readMemberTrailer();
            }
            if (window.hasRemaining()) {
                return window;
            }
        }
    }

    private void inflate() {
        try {
            int count = inflater.inflate(window);
            if (count == 0 && !inflater.finished()) {
                throw malformed(inflater.needsDictionary() ? "needs a dictionary" : "is cut off");
            }
        } catch (DataFormatException e) {
            throw new MalformedRecordsException("gzip data is broken: " + e.getMessage(), e);
        }
    }

    private void readMemberHeader() {
        if (source.remaining() < HEADER_BYTES) {
            throw malformed("is cut off in its header");
        }
        int start = source.position();
        if ((source.get(start) & 0xff) != 0x1f || (source.get(start + 1) & 0xff) != 0x8b) {
            throw malformed("does not start with the gzip magic");
        }
        if (source.get(start + 2) != DEFLATED) {
            throw malformed("uses the unknown method " + source.get(start + 2));
        }
        int flags = source.get(start + 3);
        source.position(start + HEADER_BYTES);
        if ((flags & EXTRA_FLAG) != 0) {
            skip(2);
            int at = source.position() - 2;
            skip((source.get(at) & 0xff) | (source.get(at + 1) & 0xff) << 8);
        }
        if ((flags & NAME_FLAG) != 0) {
            skipString();
        }
        if ((flags & COMMENT_FLAG) != 0) {
            skipString();
        }
        if ((flags & HEADER_CRC_FLAG) != 0) {
            skip(2);
        }
        inflater.reset();
        inflater.setInput(source);
        crc.reset();
        inMember = true;
    }

    private void readMemberTrailer() {
        // The inflater moves the position of the buffer it was given by what it consumed.
        if (source.remaining() < TRAILER_BYTES) {
            throw malformed("is cut off in its trailer");
        }
        int start = source.position();
        if (littleEndianInt(source, start) != (int) crc.getValue()
                || littleEndianInt(source, start + 4) != (int) inflater.getBytesWritten()) {
            throw malformed("does not match its own checksum or size");
        }
        source.position(start + TRAILER_BYTES);
        inMember = false;
    }

    private void skip(int count) {
        if (source.remaining() < count) {
            throw malformed("is cut off in its header");
        }
        source.position(source.position() + count);
    }

    private void skipString() {
        byte b;
        do {
            skip(1);
            b = source.get(source.position() - 1);
        } while (b != 0);
    }

    private static MalformedRecordsException malformed(String what) {
        return new MalformedRecordsException("gzip data " + what);
    }

    @Override
    void finish() {
        source = END;
        inflater.reset();
    }

    @Override
    public void close() {
        inflater.end();
    }
}

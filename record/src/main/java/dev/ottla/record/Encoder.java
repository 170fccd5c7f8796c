package dev.ottla.record;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Compresses one record section piece by piece, framed as Kafka frames it, to the end of a
/// [GrowableBytes]: `write` any number of times, `finish` once. The formats are drawn in the
/// decoders. Owned by one thread; [#close] frees native memory.
abstract class Encoder implements AutoCloseable {
    private static final int PIECE_BYTES = 16 * 1024;

    /// Where the compressed bytes go.
    final GrowableBytes target;

    private byte[] piece = {};

    Encoder(GrowableBytes target) {
        this.target = target;
    }

    static Encoder to(GrowableBytes target, Compression compression, int level) {
        return switch (compression) {
            case NONE -> new Plain(target);
            case GZIP -> new Gzip(target, level);
            case SNAPPY -> new SnappyEncoder(target);
            case LZ4 -> new Lz4Encoder(target, level);
            case ZSTD -> new ZstdEncoder(target, level);
        };
    }

    /// All of it at once.
    static void encode(
            GrowableBytes target,
            Compression compression,
            int level,
            byte[] source,
            int offset,
            int length) {
        try (Encoder encoder = to(target, compression, level)) {
            encoder.write(source, offset, length);
            encoder.finish();
        }
    }

    abstract void write(byte[] source, int offset, int length);

    /// Writes what was held back and the end of the frame.
    abstract void finish();

    @Override
    public void close() {}

    /// The bytes between position and limit; neither moves.
    final void write(ByteBuffer source) {
        if (source.hasArray()) {
            write(source.array(), source.arrayOffset() + source.position(), source.remaining());
            return;
        }
        if (piece.length == 0) {
            piece = new byte[PIECE_BYTES];
        }
        for (int at = source.position(); at < source.limit(); at += PIECE_BYTES) {
            int length = Math.min(PIECE_BYTES, source.limit() - at);
            source.get(at, piece, 0, length);
            write(piece, 0, length);
        }
    }

    final void writeLittleEndian(int value) {
        for (int shift = 0; shift < 32; shift += 8) {
            target.writeByte(value >>> shift);
        }
    }

    private static final class Plain extends Encoder {
        Plain(GrowableBytes target) {
            super(target);
        }

        @Override
        void write(byte[] source, int offset, int length) {
            target.write(source, offset, length);
        }

        @Override
        void finish() {}
    }

    private static final class Gzip extends Encoder {
        private static final byte[] HEADER = {
            0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff
        };
        private static final int STEP_BYTES = 8 * 1024;

        private final Deflater deflater;
        private final CRC32 crc = new CRC32();

        Gzip(GrowableBytes target, int level) {
            super(target);
            deflater = new Deflater(level, true);
            target.write(HEADER, 0, HEADER.length);
        }

        @Override
        void write(byte[] source, int offset, int length) {
            crc.update(source, offset, length);
            deflater.setInput(source, offset, length);
            while (!deflater.needsInput()) {
                deflate();
            }
        }

        private void deflate() {
            target.ensure(STEP_BYTES);
            target.advance(deflater.deflate(target.array(), target.size(), STEP_BYTES));
        }

        @Override
        void finish() {
            deflater.finish();
            while (!deflater.finished()) {
                deflate();
            }
            writeLittleEndian((int) crc.getValue());
            writeLittleEndian((int) deflater.getBytesRead());
        }

        @Override
        public void close() {
            deflater.end();
        }
    }

    /// As a stream, so the frame does not tell the size of what it holds; Kafka's do not either.
    private static final class ZstdEncoder extends Encoder {
        private final ZstdOutputStreamNoFinalizer stream;

        ZstdEncoder(GrowableBytes target, int level) {
            super(target);
            try {
                stream = new ZstdOutputStreamNoFinalizer(new Sink(target), level);
            } catch (IOException e) {
                throw new UncheckedIOException("zstd could not start", e);
            }
        }

        @Override
        void write(byte[] source, int offset, int length) {
            try {
                stream.write(source, offset, length);
            } catch (IOException e) {
                throw new UncheckedIOException("zstd could not compress", e);
            }
        }

        /// Closing the stream is its only way to write the end of the frame.
        @Override
        void finish() {
            close();
        }

        @Override
        public void close() {
            try {
                stream.close();
            } catch (IOException e) {
                throw new UncheckedIOException("zstd could not finish", e);
            }
        }
    }

    private static final class Sink extends OutputStream {
        private final GrowableBytes target;

        Sink(GrowableBytes target) {
            this.target = target;
        }

        @Override
        public void write(int value) {
            target.writeByte(value);
        }

        @Override
        public void write(byte[] source, int offset, int length) {
            target.write(source, offset, length);
        }
    }
}

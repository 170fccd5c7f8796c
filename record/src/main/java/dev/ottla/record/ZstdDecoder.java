package dev.ottla.record;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads zstd frames, one or several, as a stream. The library reserves native memory for the
/// window that a frame asks for, up to 128 MiB as in Kafka, but touches no more of it than is
/// unpacked; after a large batch it is given back. Source: RFC 8878.
final class ZstdDecoder extends Decoder {
    private static final int WINDOW_BYTES = 64 * 1024;
    private static final int MAX_WINDOW_LOG = 27;
    private static final long LARGE_BYTES = 8L << 20;

    private final ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES);
    private @Nullable ByteBuffer staging;
    private @Nullable ZstdDecompressCtx context;
    private ByteBuffer source = END;
    private ByteBuffer directSource = END;
    private long unpackedBytes;
    private boolean frameEnded;

    @Override
    void start(ByteBuffer compressed, long maxBytes) {
        source = compressed;
        directSource = compressed.isDirect() ? compressed : staging().limit(0);
        unpackedBytes = 0;
        frameEnded = true;
        context().reset();
    }

    @Override
    ByteBuffer next() {
        window.clear();
        ZstdDecompressCtx stream = context();
        while (window.position() == 0) {
            refillStaging();
            boolean hasInput = directSource.hasRemaining();
            if (frameEnded && !hasInput) {
                return END;
            }
            int before = directSource.position();
            try {
                frameEnded = stream.decompressDirectByteBufferStream(window, directSource);
            } catch (ZstdException e) {
                throw new MalformedRecordsException("zstd data is broken: " + e.getMessage(), e);
            }
            if (!frameEnded && window.position() == 0 && directSource.position() == before) {
                throw new MalformedRecordsException("zstd data is cut off");
            }
        }
        unpackedBytes += window.position();
        return window.flip();
    }

    /// The library reads direct buffers only, so a heap buffer passes through one.
    private void refillStaging() {
        if (source.isDirect() || directSource.hasRemaining() || !source.hasRemaining()) {
            return;
        }
        directSource.clear();
        int count = Math.min(directSource.remaining(), source.remaining());
        directSource.put(0, source, source.position(), count).limit(count);
        source.position(source.position() + count);
    }

    private ByteBuffer staging() {
        if (staging == null) {
            staging = ByteBuffer.allocateDirect(WINDOW_BYTES);
        }
        return staging.clear();
    }

    private ZstdDecompressCtx context() {
        if (context == null) {
            context = new ZstdDecompressCtx();
            context.setLongMax(MAX_WINDOW_LOG);
        }
        return context;
    }

    @Override
    void finish() {
        source = END;
        directSource = END;
        if (unpackedBytes > LARGE_BYTES) {
            close();
        }
    }

    @Override
    public void close() {
        if (context != null) {
            context.close();
            context = null;
        }
    }
}

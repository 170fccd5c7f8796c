package dev.ottla.record;

import java.io.Serial;

/// A compressed batch that holds more bytes than its reader may unpack: a decompression bomb, or a
/// limit too low.
public final class DecompressionLimitException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final long limitBytes;

    public DecompressionLimitException(long limitBytes) {
        super("a compressed record batch holds more than %d bytes".formatted(limitBytes));
        this.limitBytes = limitBytes;
    }

    public long limitBytes() {
        return limitBytes;
    }
}

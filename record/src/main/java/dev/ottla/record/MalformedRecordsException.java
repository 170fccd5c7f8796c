package dev.ottla.record;

import java.io.Serial;

/// Bytes that claim to be record batches but break the format. Whoever reads bytes it does not
/// trust catches it.
public final class MalformedRecordsException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    public MalformedRecordsException(String message) {
        super(message);
    }

    public MalformedRecordsException(String message, Throwable cause) {
        super(message, cause);
    }
}

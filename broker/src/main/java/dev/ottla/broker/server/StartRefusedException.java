package dev.ottla.broker.server;

/// The broker cannot start, for a reason that the operator can mend. The message says which and
/// how.
public final class StartRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartRefusedException(String message, Throwable cause) {
        super(message, cause);
    }

    public StartRefusedException(String message) {
        super(message);
    }
}

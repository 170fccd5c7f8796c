package dev.ottla.broker.partition;

/// A log cannot say or do now what its follower needs: it is read again, or has gone offline. To be
/// tried again later.
public final class LogNotReadyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LogNotReadyException(String reason) {
        super(reason);
    }
}

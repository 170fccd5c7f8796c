package dev.ottla.wire;

/// Bytes that are not what the protocol prescribes: the sender's fault. The connection they came
/// from cannot be trusted any further, because the reader no longer knows where the next field
/// starts.
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WireException(String message) {
        super(message);
    }
}

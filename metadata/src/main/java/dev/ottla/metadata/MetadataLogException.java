package dev.ottla.metadata;

/// The metadata log cannot be read, so this node cannot start. The message is for the operator.
public final class MetadataLogException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MetadataLogException(String message) {
        super(message);
    }

    public MetadataLogException(String message, Throwable cause) {
        super(message, cause);
    }
}

package dev.ottla.metadata;

/// This node is not, or no longer, the active controller, so the command was not done here: it may
/// be tried again once there is one.
public final class NotControllerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public NotControllerException(String message) {
        super(message);
    }

    public NotControllerException(String message, Throwable cause) {
        super(message, cause);
    }
}

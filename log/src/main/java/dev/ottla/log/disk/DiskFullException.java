package dev.ottla.log.disk;

/// The file system has no room for a write. The write may be tried again once there is.
public final class DiskFullException extends ShortageException {
    private static final long serialVersionUID = 1;

    public DiskFullException(String message) {
        super(message);
    }

    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }
}

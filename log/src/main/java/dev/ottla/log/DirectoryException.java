package dev.ottla.log;

import java.io.IOException;

/// A data directory cannot be opened. The message is a sentence for the operator.
public final class DirectoryException extends IOException {
    private static final long serialVersionUID = 1;

    public DirectoryException(String message) {
        super(message);
    }

    public DirectoryException(String message, Throwable cause) {
        super(message, cause);
    }
}

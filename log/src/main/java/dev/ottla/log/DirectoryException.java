package dev.ottla.log;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A data directory cannot be opened. The message is a sentence for the operator.
public final class DirectoryException extends IOException {
    private static final long serialVersionUID = 1;

    public DirectoryException(String message) {
        super(message);
    }

    public DirectoryException(String message, Throwable cause) {
        super(message, cause);
    }

    /// What the operating system said about `path`, which often is no more than a file name.
    static DirectoryException of(Path path, IOException fault) {
        return new DirectoryException(
                "The data directory %s cannot be used: %s. Choose another one, or mend it."
                        .formatted(path, reason(fault)),
                fault);
    }

    private static String reason(IOException fault) {
        return switch (fault) {
            case FileAlreadyExistsException e -> e.getFile() + " is a file, not a directory";
            case AccessDeniedException e -> "this user may not write " + e.getFile();
            case NoSuchFileException e -> "there is no " + e.getFile() + " and none can be made";
            default -> String.valueOf(fault.getMessage());
        };
    }
}

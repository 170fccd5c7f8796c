package dev.ottla.log.disk;

import java.io.IOException;

/// Something that the operation needs is used up for the moment. Nothing is broken: the operation
/// is refused and may be tried again later.
public abstract sealed class ShortageException extends IOException
        permits DiskFullException, NameInUseException, NoDescriptorException {
    private static final long serialVersionUID = 1;

    ShortageException(String message) {
        super(message);
    }

    ShortageException(String message, Throwable cause) {
        super(message, cause);
    }
}

package dev.ottla.log.disk;

import java.nio.file.Path;

/// The process, or the whole system, has as many files and connections open as it may: this one was
/// not opened, and nothing else happened.
public final class NoDescriptorException extends ShortageException {
    private static final long serialVersionUID = 1;

    public NoDescriptorException(Path path) {
        super(text(path));
    }

    public NoDescriptorException(Path path, Throwable cause) {
        super(text(path), cause);
    }

    private static String text(Path path) {
        return path
                + " cannot be opened: the limit of open files is reached. It is tried again; raise the limit (ulimit -n, or LimitNOFILE of the service), or let clients close connections";
    }
}

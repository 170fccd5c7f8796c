package dev.ottla.log.disk;

import java.nio.file.Path;

/// What had this name before is deleted, but somebody is still at work in it, so that the name is
/// not free yet.
public final class NameInUseException extends ShortageException {
    private static final long serialVersionUID = 1;

    public NameInUseException(Path path) {
        super(path + " is still being removed: try again");
    }
}

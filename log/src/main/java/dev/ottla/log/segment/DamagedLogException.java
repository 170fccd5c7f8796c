package dev.ottla.log.segment;

import java.io.IOException;

/// The bytes on disk are not what was written there. Concerns one partition, not the disk.
public final class DamagedLogException extends IOException {
    private static final long serialVersionUID = 1;

    public DamagedLogException(String message) {
        super(message);
    }
}

package dev.ottla.log.disk;

import java.io.IOException;

/// Makes all files and names of one file system durable in one call. Thread-safe.
public interface FileSystemSync extends AutoCloseable {
    /// Waits until all that was written before the call is durable. Throws when anything written
    /// since this was opened could not be, even if nobody waited for it then.
    void sync() throws IOException;

    @Override
    void close();
}

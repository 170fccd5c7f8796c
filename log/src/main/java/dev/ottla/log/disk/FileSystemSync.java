package dev.ottla.log.disk;

import java.io.IOException;

/// Makes all files and names of one file system durable in one call. Thread-safe.
public interface FileSystemSync extends AutoCloseable {
    /// Waits until all that was written before the call is durable. Throws when anything written
    /// since this was opened could not be, even if nobody waited for it then.
    void sync() throws IOException;

    /// About how many bytes [#sync] would have to wait for now, those of other programs included; 0
    /// when that cannot be told. Takes some microseconds.
    long unwrittenBytes();

    @Override
    void close();
}

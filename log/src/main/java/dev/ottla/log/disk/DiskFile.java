package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/// One open file. Reads, [#sync] and [#size] may come from any thread at any time; writes and
/// [#truncate] from one thread at a time. No thread that uses it may be interrupted: that closes
/// the file for everyone.
public interface DiskFile extends AutoCloseable {
    /// Fills the buffer from `position` on, as far as the file goes; the number of bytes read, 0 at
    /// the end of file.
    int read(ByteBuffer target, long position) throws IOException;

    /// Writes all that remains in the first `count` buffers, one after the other from `position`
    /// on. Throws [DiskFullException] when there is no room; a part may be written then.
    void write(ByteBuffer[] sources, int count, long position) throws IOException;

    /// Writes all that remains in the buffer.
    default void write(ByteBuffer source, long position) throws IOException {
        write(new ByteBuffer[] {source}, 1, position);
    }

    void truncate(long size) throws IOException;

    /// Makes content and size durable. After a failure nothing is known about what was written
    /// since the last success.
    void sync() throws IOException;

    long size() throws IOException;

    /// Asks the system to read a range into its cache, which goes on when this returns; a part
    /// behind the end of the file is left out. Only a hint: it never fails, and does nothing where
    /// there is no such call. Takes up to some milliseconds.
    default void readAhead(long position, long sizeBytes) {}

    /// Asks the system to begin to write a range that only its cache has, which goes on when this
    /// returns. Only a hint, which makes nothing durable: it never fails, and does nothing where
    /// there is no such call. Takes up to some milliseconds, longer when the disk has much to do.
    default void startWriting(long position, long sizeBytes) {}

    /// For `sendfile`; empty when the file is not one of the operating system.
    Optional<FileChannel> channel();

    @Override
    void close() throws IOException;
}

package dev.ottla.log;

import dev.ottla.log.disk.SharedFile;
import dev.ottla.wire.RecordsPayload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/// A range of a segment file that holds whole batches, except that the last may be cut off. It pins
/// the file: bytes stay readable after retention deletes the segment, until the last [#release].
/// Thread-safe.
public final class LogSlice implements RecordsPayload {
    private final SharedFile file;
    private final long position;
    private final int sizeBytes;

    LogSlice(SharedFile file, long position, int sizeBytes) {
        this.file = file.retain();
        this.position = position;
        this.sizeBytes = sizeBytes;
    }

    @Override
    public int sizeBytes() {
        return sizeBytes;
    }

    /// Where the range starts in the file.
    public long position() {
        return position;
    }

    /// The file for `sendfile`, if it is one of the operating system.
    public Optional<FileChannel> channel() {
        return file.file().channel();
    }

    /// Fills the buffer from `offsetInSlice` on, as far as the slice goes; the number of bytes
    /// read.
    public int read(ByteBuffer target, int offsetInSlice) throws IOException {
        int wanted = Math.min(target.remaining(), sizeBytes - offsetInSlice);
        int limit = target.limit();
        target.limit(target.position() + wanted);
        try {
            return file.file().read(target, position + offsetInSlice);
        } finally {
            target.limit(limit);
        }
    }

    /// All bytes, on the heap.
    public ByteBuffer readAll() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
        read(bytes, 0);
        return bytes.flip();
    }

    /// Whether all of the range is in the page cache now, so that reading it does not wait for the
    /// disk. Cheap, some microseconds for a MiB: it asks and reads nothing. False when it cannot be
    /// told.
    public boolean isResident() {
        try (Arena arena = Arena.ofConfined()) {
            Optional<MemorySegment> pages = pages(arena);
            return pages.isPresent() && pages.get().isLoaded();
        } catch (IOException _) {
            return false;
        }
    }

    /// Brings the range into the page cache and returns when it is there, so that `sendfile` need
    /// not wait for the disk. Takes as long as the disk does.
    public void warm() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            pages(arena).ifPresent(MemorySegment::load);
        }
    }

    /// A task that asks the system to read bytes of the same file ahead, from `from` on, whether
    /// they belong to the slice or not. It holds the file until it has run, once, on any thread but
    /// a shard's: it may take some milliseconds.
    public Runnable readAhead(long from, long aheadBytes) {
        SharedFile held = file.retain();
        return () -> {
            try {
                held.file().readAhead(from, aheadBytes);
            } finally {
                held.release();
            }
        };
    }

    private Optional<MemorySegment> pages(Arena arena) throws IOException {
        Optional<FileChannel> channel = channel();
        if (channel.isEmpty() || sizeBytes == 0) {
            return Optional.empty();
        }
        return Optional.of(
                channel.get().map(FileChannel.MapMode.READ_ONLY, position, sizeBytes, arena));
    }

    public void release() {
        file.release();
    }
}

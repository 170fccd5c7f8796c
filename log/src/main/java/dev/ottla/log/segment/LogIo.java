package dev.ottla.log.segment;

import dev.ottla.log.disk.Disk;
import java.nio.ByteBuffer;

/// The means by which one thread works on segments: the disk, open files, index pages, a header
/// scan. Owned by that thread: a shard for the logs it serves, a lane during the recovery of one.
public final class LogIo {
    private final Disk disk;
    private final OpenFiles openFiles;
    private final IndexPages indexPages;
    private final BatchScan scan = new BatchScan();
    private ByteBuffer chunk = ByteBuffer.allocate(0);

    public LogIo(Disk disk, int maxOpenFiles, int maxIndexPages) {
        this.disk = disk;
        openFiles = new OpenFiles(disk, maxOpenFiles);
        indexPages = new IndexPages(disk, maxIndexPages);
    }

    public Disk disk() {
        return disk;
    }

    public OpenFiles openFiles() {
        return openFiles;
    }

    IndexPages indexPages() {
        return indexPages;
    }

    /// The one scan of this thread, free between two calls of the log.
    public BatchScan scan() {
        return scan;
    }

    /// A buffer of at least `bytes` to read large pieces into; valid until the next call.
    ByteBuffer chunk(int bytes) {
        if (chunk.capacity() < bytes) {
            chunk = ByteBuffer.allocateDirect(bytes);
        }
        return chunk.clear();
    }

    /// Gives back a chunk that is larger than usual.
    void trimChunk(int maxBytes) {
        if (chunk.capacity() > maxBytes) {
            chunk = ByteBuffer.allocate(0);
        }
    }
}

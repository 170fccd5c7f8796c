package dev.ottla.quorum.store;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.metadata.MetadataRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// A snapshot that another node sends, part by part. It gets its name when it is whole, has been
/// read through and is on the disk. Used by one task of the lane at a time.
public final class IncomingSnapshot {
    private final Disk disk;
    private final Path directory;
    private final SnapshotId id;
    private final Path part;
    private long sizeBytes;

    IncomingSnapshot(Disk disk, Path directory, SnapshotId id) {
        this.disk = disk;
        this.directory = directory;
        this.id = id;
        this.part = directory.resolve(id.fileName() + ".part");
    }

    public SnapshotId id() {
        return id;
    }

    /// Where the next part begins.
    public long sizeBytes() {
        return sizeBytes;
    }

    void append(ByteBuffer bytes) throws IOException {
        if (sizeBytes == 0) disk.delete(part);
        int more = bytes.remaining();
        try (DiskFile file = disk.open(part, Disk.OpenMode.CREATE)) {
            file.write(bytes, sizeBytes);
        }
        sizeBytes += more;
    }

    void complete() throws IOException {
        try (SnapshotReader reader = new SnapshotReader(disk, part)) {
            for (MetadataRecord _ : reader) {
                // To the end, so that damage shows now.
            }
        }
        try (DiskFile file = disk.open(part, Disk.OpenMode.WRITE)) {
            file.sync();
        }
        disk.rename(part, directory.resolve(id.fileName()));
        disk.syncDirectory(directory);
    }
}

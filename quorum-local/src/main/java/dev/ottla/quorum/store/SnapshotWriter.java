package dev.ottla.quorum.store;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.codec.MetadataCodec;
import dev.ottla.record.BatchBuilder;
import dev.ottla.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// Writes one snapshot in Kafka's format: record batches whose offsets count from 0, the first and
/// the last of them control batches.
///
///     | header: lastContainedLogTimestamp | records … | footer |
///
/// The file gets its name when it is complete and synced, so a file with the name of a snapshot is
/// a whole one, unless the disk has damaged it.
final class SnapshotWriter {
    private static final int BATCH_BYTES = 1 << 20;

    private final DiskFile file;
    private final int epoch;
    private long position;
    private long nextOffset;

    private SnapshotWriter(DiskFile file, int epoch) {
        this.file = file;
        this.epoch = epoch;
    }

    static void write(
            Disk disk,
            Path directory,
            SnapshotId id,
            long lastLogTimestampMs,
            Iterable<MetadataRecord> image)
            throws IOException {
        Path target = directory.resolve(id.fileName());
        Path temporary = directory.resolve(id.fileName() + ".tmp");
        disk.delete(temporary);
        try (DiskFile file = disk.open(temporary, Disk.OpenMode.CREATE)) {
            SnapshotWriter writer = new SnapshotWriter(file, id.epoch());
            writer.append(MetadataBatches.snapshotHeader(lastLogTimestampMs));
            writer.append(image, lastLogTimestampMs);
            writer.append(MetadataBatches.snapshotFooter(lastLogTimestampMs));
            file.sync();
        }
        disk.rename(temporary, target);
        disk.syncDirectory(directory);
    }

    private void append(Iterable<MetadataRecord> image, long timestampMs) throws IOException {
        BatchBuilder builder = new BatchBuilder();
        for (MetadataRecord record : image) {
            builder.append(timestampMs, null, MetadataCodec.encode(record));
            if (builder.sizeBytes() >= BATCH_BYTES) {
                append(builder.build());
                builder = new BatchBuilder();
            }
        }
        if (!builder.isEmpty()) append(builder.build());
    }

    private void append(ByteBuffer bytes) throws IOException {
        RecordBatch batch = RecordBatch.at(bytes, 0);
        batch.assignOffsets(nextOffset, epoch);
        nextOffset = batch.nextOffset();
        int size = bytes.remaining();
        file.write(bytes, position);
        position += size;
    }
}

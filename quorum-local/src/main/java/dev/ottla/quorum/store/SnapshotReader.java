package dev.ottla.quorum.store;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.record.ControlRecords;
import dev.ottla.record.ControlType;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// Reads the records of one snapshot, one batch at a time, and checks that it is whole: checksums,
/// a header first, a footer last. Whatever is wrong comes as an [UncheckedIOException] out of the
/// iteration. Used once, by one thread.
final class SnapshotReader implements Iterable<MetadataRecord>, AutoCloseable {
    private final Path path;
    private final DiskFile file;
    private long position;

    SnapshotReader(Disk disk, Path path) throws IOException {
        this.path = path;
        this.file = disk.open(path, Disk.OpenMode.READ);
    }

    @Override
    public Iterator<MetadataRecord> iterator() {
        expectControl(ControlType.SNAPSHOT_HEADER);
        return new Records();
    }

    private final class Records implements Iterator<MetadataRecord> {
        private Iterator<MetadataRecord> batch = List.<MetadataRecord>of().iterator();
        private boolean ended;

        @Override
        public boolean hasNext() {
            while (!ended && !batch.hasNext()) {
                RecordBatch next = nextBatch();
                if (next.isControl()) {
                    expect(next, ControlType.SNAPSHOT_FOOTER);
                    ended = true;
                } else {
                    batch = MetadataBatches.decode(next).records().iterator();
                }
            }
            return batch.hasNext();
        }

        @Override
        public MetadataRecord next() {
            if (!hasNext()) throw new NoSuchElementException();
            return batch.next();
        }
    }

    private void expectControl(ControlType type) {
        expect(nextBatch(), type);
    }

    private void expect(RecordBatch batch, ControlType type) {
        if (!batch.isControl() || ControlRecords.typeOf(batch) != type) {
            throw damaged("a " + type + " is missing at position " + position);
        }
    }

    private RecordBatch nextBatch() {
        int size =
                switch (RecordBatches.in(read(RecordBatch.HEADER_BYTES)).next()) {
                    case RecordBatches.Step.Batch(RecordBatch batch) -> batch.sizeBytes();
                    case RecordBatches.Step.Partial partial -> partial.neededBytes();
                    case RecordBatches.Step.End _ -> throw damaged("it ends without a footer");
                    case RecordBatches.Step.Malformed malformed ->
                            throw damaged(malformed.message());
                };
        if (RecordBatches.in(read(size)).next()
                        instanceof RecordBatches.Step.Batch(RecordBatch batch)
                && batch.isCrcValid()) {
            position += size;
            return batch;
        }
        throw damaged("the batch at position " + position + " is damaged");
    }

    private ByteBuffer read(int bytes) {
        try {
            int available = (int) Math.min(bytes, file.size() - position);
            ByteBuffer buffer = ByteBuffer.allocate(Math.max(0, available));
            file.read(buffer, position);
            return buffer.flip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private UncheckedIOException damaged(String what) {
        return new UncheckedIOException(
                new IOException("the snapshot " + path + " is damaged: " + what));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

package dev.ottla.quorum.raft;

import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.codec.MetadataCodec;
import dev.ottla.quorum.store.MetadataBatches;
import dev.ottla.record.RecordBatch;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.zip.CRC32C;

/// A snapshot as the engine keeps it and sends it to voters that are far behind: where the log
/// stands, and the records that make the image there.
///
///     | magic int32 | version int8 | base end offset int64 | base epoch int32 |
///     | end offset int64 | epoch int32 | timestamp int64 | CRC-32C of all before int32 |
///     { length int32 | record batch } … | 0 int32 |
///
/// What is wrong with it comes as an [UncheckedIOException] out of the iteration. A file that was
/// opened stays readable when its name is gone.
final class SnapshotFile implements Iterable<MetadataRecord>, AutoCloseable {
    private static final int MAGIC = 0x4f74_5373;
    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 41;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int MAX_BATCH_BYTES = 64 << 20;

    private final Path path;
    private final FileChannel file;
    private final Header header;

    /// Where the log stands.
    ///
    /// @param endOffset exclusive end of what the snapshot contains
    /// @param epoch of the last record
    /// @param timestampMs of the last record
    record Header(Base base, long endOffset, int epoch, long timestampMs) {}

    private SnapshotFile(Path path, FileChannel file, Header header) {
        this.path = path;
        this.file = file;
        this.header = header;
    }

    Header header() {
        return header;
    }

    /// Writes and syncs a file of this name.
    static void write(Path path, Header header, Iterable<MetadataRecord> image) throws IOException {
        try (FileChannel file =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            writeFully(file, bytes(header));
            List<MetadataRecord> batch = new ArrayList<>();
            int batchBytes = 0;
            for (MetadataRecord record : image) {
                batch.add(record);
                batchBytes += MetadataCodec.sizeBytes(record);
                if (batchBytes >= BATCH_BYTES) {
                    write(file, batch, header.timestampMs());
                    batch.clear();
                    batchBytes = 0;
                }
            }
            if (!batch.isEmpty()) write(file, batch, header.timestampMs());
            writeFully(file, ByteBuffer.allocate(Integer.BYTES));
            file.force(true);
        }
    }

    private static void write(FileChannel file, List<MetadataRecord> records, long timestampMs)
            throws IOException {
        ByteBuffer batch = MetadataBatches.encode(records, timestampMs);
        writeFully(file, ByteBuffer.allocate(Integer.BYTES).putInt(batch.remaining()).flip());
        writeFully(file, batch);
    }

    private static ByteBuffer bytes(Header header) {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES);
        bytes.putInt(MAGIC)
                .put(VERSION)
                .putLong(header.base().endOffset())
                .putInt(header.base().epoch())
                .putLong(header.endOffset())
                .putInt(header.epoch())
                .putLong(header.timestampMs());
        return bytes.putInt(crc(bytes.duplicate().flip())).flip();
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static void writeFully(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) file.write(bytes);
    }

    static SnapshotFile open(Path path) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return new SnapshotFile(path, file, readHeader(path, file));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Header readHeader(Path path, FileChannel file) throws IOException {
        ByteBuffer bytes = read(path, file, 0, HEADER_BYTES);
        int crc = crc(bytes.slice(0, HEADER_BYTES - Integer.BYTES));
        if (bytes.getInt() != MAGIC || crc != bytes.getInt(HEADER_BYTES - Integer.BYTES)) {
            throw damaged(path, "its beginning is not that of a snapshot");
        }
        byte version = bytes.get();
        if (version != VERSION) {
            throw new IOException(
                    "the snapshot %s has version %d: a newer Ottla wrote it"
                            .formatted(path, version));
        }
        Base base = new Base(bytes.getLong(), bytes.getInt());
        return new Header(base, bytes.getLong(), bytes.getInt(), bytes.getLong());
    }

    private static ByteBuffer read(Path path, FileChannel file, long position, int count)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, position + bytes.position()) < 0) {
                throw new EOFException("the snapshot " + path + " is cut off");
            }
        }
        return bytes.flip();
    }

    private static IOException damaged(Path path, String what) {
        return new IOException("the snapshot " + path + " is damaged: " + what);
    }

    @Override
    public Iterator<MetadataRecord> iterator() {
        return new Records();
    }

    private final class Records implements Iterator<MetadataRecord> {
        private Iterator<MetadataRecord> batch = List.<MetadataRecord>of().iterator();
        private long position = HEADER_BYTES;
        private boolean ended;

        @Override
        public boolean hasNext() {
            while (!ended && !batch.hasNext()) {
                List<MetadataRecord> next = nextBatch();
                ended = next.isEmpty();
                batch = next.iterator();
            }
            return batch.hasNext();
        }

        @Override
        public MetadataRecord next() {
            if (!hasNext()) throw new NoSuchElementException();
            return batch.next();
        }

        private List<MetadataRecord> nextBatch() {
            try {
                int size = read(path, file, position, Integer.BYTES).getInt();
                if (size == 0) return List.of();
                if (size < RecordBatch.HEADER_BYTES || size > MAX_BATCH_BYTES) {
                    throw damaged(path, "a batch of " + size + " bytes");
                }
                ByteBuffer bytes = read(path, file, position + Integer.BYTES, size);
                RecordBatch next = RecordBatch.at(bytes, 0);
                if (next.sizeBytes() != size || !next.isCrcValid()) {
                    throw damaged(path, "a batch does not have its checksum");
                }
                position += Integer.BYTES + size;
                return MetadataBatches.decode(next).records();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

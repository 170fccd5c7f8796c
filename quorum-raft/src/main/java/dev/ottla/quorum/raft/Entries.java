package dev.ottla.quorum.raft;

import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.quorum.store.MetadataBatches;
import dev.ottla.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/// The bytes of the engine's entries.
///
///     | kind int8: 1 | record batch with the base offset and the epoch that the leader gave it |
///     | kind int8: 2 |                                                                no records
final class Entries {
    static final byte RECORDS = 1;
    static final byte EMPTY = 2;

    static final ByteString NONE = ByteString.copyFrom(new byte[] {EMPTY});

    private Entries() {}

    /// A batch at its place in the log.
    static ByteString records(
            List<MetadataRecord> records, long timestampMs, long baseOffset, int epoch) {
        ByteBuffer batch = MetadataBatches.encode(records, timestampMs);
        RecordBatch.at(batch, batch.position()).assignOffsets(baseOffset, epoch);
        ByteBuffer entry = ByteBuffer.allocate(1 + batch.remaining());
        entry.put(RECORDS).put(batch).flip();
        return UnsafeByteOperations.unsafeWrap(entry);
    }

    /// What an entry holds, in memory of its own.
    static Batch batch(ByteString entry) {
        ByteBuffer bytes = ByteBuffer.allocate(entry.size() - 1);
        entry.substring(1).copyTo(bytes);
        bytes.flip();
        return new Batch(bytes, MetadataBatches.decode(RecordBatch.at(bytes, 0)));
    }

    /// One batch as bytes and as records.
    record Batch(ByteBuffer bytes, MetadataBatch records) {}
}

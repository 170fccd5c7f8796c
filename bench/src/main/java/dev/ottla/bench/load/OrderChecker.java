package dev.ottla.bench.load;

import static dev.ottla.wire.Check.check;

import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/// Reads everything that a load stored and fails unless every record is there once and in order:
/// offsets without gaps, checksums right, and in each partition every stream's sequences from 0 on,
/// one by one. What stands in a record: see [BatchShape]. Owned by one thread.
public final class OrderChecker implements BatchSink {
    private final Map<Integer, Long> nextOffsets = new HashMap<>();

    /// Partition and stream, as one number, to the next sequence.
    private final Map<Long, Long> nextSequences = new HashMap<>();

    private long recordCount;

    @Override
    public void accept(int partition, long fetchOffset, ByteBuffer batches, long nowNs) {
        for (RecordBatch batch : RecordBatches.in(batches)) {
            // A fetch from within a batch gives the whole batch; what was seen is not new.
            long expected = nextOffsets.getOrDefault(partition, 0L);
            if (batch.lastOffset() < expected) continue;
            check(
                    batch.baseOffset() == expected,
                    "partition %d: offset %d follows, expected %d",
                    partition,
                    batch.baseOffset(),
                    expected);
            check(batch.isCrcValid(), "partition %d: bad checksum at %d", partition, expected);
            if (batch.isCompressed()) {
                accept(partition, batch);
            } else {
                acceptEach(partition, batch);
            }
            nextOffsets.put(partition, batch.nextOffset());
            recordCount += batch.recordCount();
        }
    }

    /// Records that were seen, all of them good.
    public long recordCount() {
        return recordCount;
    }

    private void acceptEach(int partition, RecordBatch batch) {
        RecordCursor cursor = batch.uncompressedRecords();
        int stream = -1;
        long sequence = 0;
        while (cursor.next()) {
            ByteBuffer value = cursor.value();
            check(
                    value.getInt(4) == cursor.index(),
                    "partition %d, offset %d: record %d of the batch that was sent",
                    partition,
                    cursor.offset(),
                    value.getInt(4));
            if (cursor.index() == 0) {
                stream = value.getInt(0);
                sequence = nextSequence(partition, stream);
            }
            check(
                    value.getInt(0) == stream,
                    "partition %d, offset %d: stream %d in a batch of stream %d",
                    partition,
                    cursor.offset(),
                    value.getInt(0),
                    stream);
            follow(partition, cursor.offset(), cursor.timestamp(), sequence++);
        }
        nextSequences.put(key(partition, stream), sequence);
    }

    /// Compressed records are covered by the checksum; the header has the sequences of the first
    /// and the last. Only loads with one stream a partition are compressed.
    private void accept(int partition, RecordBatch batch) {
        long sequence = nextSequence(partition, 0);
        follow(partition, batch.baseOffset(), batch.baseTimestamp(), sequence);
        sequence += batch.recordCount();
        follow(partition, batch.lastOffset(), batch.maxTimestamp(), sequence - 1);
        nextSequences.put(key(partition, 0), sequence);
    }

    private long nextSequence(int partition, int stream) {
        return nextSequences.getOrDefault(key(partition, stream), 0L);
    }

    private static void follow(int partition, long offset, long timestamp, long sequence) {
        check(
                timestamp - BatchShape.EPOCH_MS == sequence,
                "partition %d, offset %d: record %d of its stream follows, expected %d",
                partition,
                offset,
                timestamp - BatchShape.EPOCH_MS,
                sequence);
    }

    private static long key(int partition, int stream) {
        return ((long) partition << 32) | Integer.toUnsignedLong(stream);
    }
}

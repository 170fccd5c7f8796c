package dev.ottla.bench.load;

import static dev.ottla.wire.Check.check;

import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import java.nio.ByteBuffer;

/// Reads one partition that somebody else filled: checksums right, offsets without gaps. Owned by
/// one thread.
public final class GapChecker implements BatchSink {
    private long nextOffset;
    private long recordCount;

    @Override
    public void accept(int partition, long fetchOffset, ByteBuffer batches, long nowNs) {
        for (RecordBatch batch : RecordBatches.in(batches)) {
            if (batch.lastOffset() < nextOffset) continue;
            check(
                    batch.baseOffset() == nextOffset,
                    "offset %d follows, expected %d",
                    batch.baseOffset(),
                    nextOffset);
            check(batch.isCrcValid(), "bad checksum at offset %d", nextOffset);
            nextOffset = batch.nextOffset();
            recordCount += batch.recordCount();
        }
    }

    public long recordCount() {
        return recordCount;
    }
}

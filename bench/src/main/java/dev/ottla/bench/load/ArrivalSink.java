package dev.ottla.bench.load;

import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import java.nio.ByteBuffer;
import java.util.function.LongUnaryOperator;

/// Measures from the intended send time of a batch to its arrival at a consumer, for a load of one
/// stream on one partition. Owned by the loop's thread.
public final class ArrivalSink implements BatchSink {
    private final LatencyLog latency = new LatencyLog();
    private final LongUnaryOperator intendedNs;

    /// `intendedNs` tells from the sequence of a batch's first record when it was meant to leave.
    public ArrivalSink(LongUnaryOperator intendedNs) {
        this.intendedNs = intendedNs;
    }

    @Override
    public void accept(int partition, long fetchOffset, ByteBuffer batches, long nowNs) {
        for (RecordBatch batch : RecordBatches.in(batches)) {
            if (batch.lastOffset() < fetchOffset) continue;
            long sequence = batch.baseTimestamp() - BatchShape.EPOCH_MS;
            latency.record(intendedNs.applyAsLong(sequence), nowNs);
        }
    }

    public LatencyLog latency() {
        return latency;
    }
}

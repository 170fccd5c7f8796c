package dev.ottla.record;

import java.nio.ByteBuffer;

/// A check with a bug. Chance alone does not find it: it takes a fuzzer that sees which comparisons
/// are made.
final class PlantedBug {
    static final String MESSAGE = "planted bug found";
    private static final long PRODUCER_ID = 0x6f74_746c_6131_3233L;

    private PlantedBug() {}

    static void check(byte[] input) {
        ByteBuffer records = ByteBuffer.wrap(input);
        BatchFuzz.makeFrameGood(records);
        if (RecordBatches.in(records).next() instanceof RecordBatches.Step.Batch(RecordBatch batch)
                && batch.producerId() == PRODUCER_ID) {
            throw new IllegalStateException(MESSAGE);
        }
    }
}

package dev.ottla.bench.scenario;

import dev.ottla.bench.load.BatchShape;
import dev.ottla.record.Compression;

/// Batches that several scenarios send.
final class Shapes {
    static final int KIB_16 = 16 * 1024;

    /// The middle of the matrix: 1 KiB records in the batches of Kafka's default size.
    static final BatchShape KIB_IN_16K = BatchShape.filling(KIB_16, 1024, Compression.NONE);

    static final BatchShape SMALL_IN_16K = BatchShape.filling(KIB_16, 100, Compression.NONE);

    /// One record a request, as a producer that does not wait sends them.
    static final BatchShape SINGLE_100 = new BatchShape(100, 1, Compression.NONE);

    private Shapes() {}
}

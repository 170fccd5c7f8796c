package dev.ottla.bench.micro;

import dev.ottla.bench.load.BatchShape;
import dev.ottla.record.BatchValidator;
import dev.ottla.record.Compression;
import dev.ottla.record.ValidationResult;
import dev.ottla.record.ValidationRules;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// What is checked of every batch that a client sends: 16 KiB of 1 KiB records.
@State(Scope.Thread)
public class BatchValidation {
    private static final short PRODUCE_VERSION = 13;
    private static final int MAX_UNCOMPRESSED_BYTES = 1 << 20;
    private static final long NOW_MS = BatchShape.EPOCH_MS + 1_000_000;

    private final BatchValidator validator = new BatchValidator(MAX_UNCOMPRESSED_BYTES);
    private final ValidationRules rules = ValidationRules.defaults("t");
    private final ByteBuffer plain = batch(1024, Compression.NONE);
    private final ByteBuffer small = batch(100, Compression.NONE);
    private final ByteBuffer lz4 = batch(1024, Compression.LZ4);
    private final ByteBuffer zstd = batch(1024, Compression.ZSTD);

    @Benchmark
    public ValidationResult plain() {
        return validator.validate(rules, 0, PRODUCE_VERSION, plain, NOW_MS);
    }

    @Benchmark
    public ValidationResult plainOf100Bytes() {
        return validator.validate(rules, 0, PRODUCE_VERSION, small, NOW_MS);
    }

    @Benchmark
    public ValidationResult lz4() {
        return validator.validate(rules, 0, PRODUCE_VERSION, lz4, NOW_MS);
    }

    @Benchmark
    public ValidationResult zstd() {
        return validator.validate(rules, 0, PRODUCE_VERSION, zstd, NOW_MS);
    }

    private static ByteBuffer batch(int valueBytes, Compression compression) {
        BatchShape shape = BatchShape.filling(16 * 1024, valueBytes, compression);
        ByteBuffer batch = shape.build(0, new SplittableRandom(1));
        return ByteBuffer.allocateDirect(batch.remaining()).put(batch).flip();
    }
}

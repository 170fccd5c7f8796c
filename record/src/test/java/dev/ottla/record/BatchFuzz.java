package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.record.ValidationResult.OverLimit;
import dev.ottla.record.ValidationResult.Rejected;
import dev.ottla.record.ValidationResult.Valid;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Any bytes as the records of a produce request. The first byte sets the rules, and whether length
/// and checksum are made good, since no fuzzer finds its way past a checksum. A class of its own:
/// the class of the fuzz target gives Jazzer no feedback.
final class BatchFuzz {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final int MAX_UNCOMPRESSED_BYTES = 1 << 20;
    private static final BatchValidator VALIDATOR = new BatchValidator(MAX_UNCOMPRESSED_BYTES);
    private static final RecordReader READER = new RecordReader(MAX_UNCOMPRESSED_BYTES);

    private BatchFuzz() {}

    /// A good batch for each codec, to start from.
    static Stream<byte[]> goodBatches() {
        return Stream.of(Compression.values())
                .map(codec -> {
                    ByteBuffer batch =
                            new BatchBuilder()
                                    .compression(codec)
                                    .producer(5, (short) 1, 7)
                                    .append(NOW_MS, ByteBuffer.allocate(2), ByteBuffer.allocate(30))
                                    .append(
                                            NOW_MS,
                                            null,
                                            null,
                                            List.of(new RecordHeader("h", Optional.empty())))
                                    .build();
                    byte[] input = new byte[batch.limit() + 1];
                    input[0] = 1;
                    batch.get(0, input, 1, batch.limit());
                    return input;
                });
    }

    /// Fails when something is accepted that cannot be read.
    static void check(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int mode = input[0];
        ByteBuffer records = ByteBuffer.wrap(input, 1, input.length - 1).slice();
        if ((mode & 1) != 0) {
            makeFrameGood(records);
        }
        walk(records);
        switch (VALIDATOR.validate(rules(mode), 0, (mode & 8) != 0 ? 3 : 13, records, NOW_MS)) {
            case Valid valid -> assertReadable(valid);
            case Rejected rejected -> assertThat(rejected.message()).isNotBlank();
            case OverLimit over -> assertThat(over.rejection().message()).isNotBlank();
        }
    }

    static void makeFrameGood(ByteBuffer records) {
        if (records.limit() >= RecordBatch.HEADER_BYTES) {
            records.putInt(RecordBatch.LENGTH, records.limit() - RecordBatch.LENGTH_PREFIX_BYTES);
            records.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
            records.putInt(RecordBatch.CRC, RecordBatch.at(records, 0).computeCrc());
        }
    }

    private static void walk(ByteBuffer records) {
        RecordBatches batches = RecordBatches.in(records);
        while (batches.next() instanceof RecordBatches.Step.Batch(RecordBatch batch)) {
            assertThat(batch.sizeBytes()).isGreaterThanOrEqualTo(RecordBatch.HEADER_BYTES);
            assertThat(batch.toString()).isNotBlank();
            assertThat(batches.position()).isEqualTo(batch.position() + batch.sizeBytes());
        }
        assertThat(batches.position()).isLessThanOrEqualTo(records.limit());
    }

    private static void assertReadable(Valid valid) {
        RecordBatch batch = valid.batch();
        assertThat(batch.isCrcValid()).isTrue();
        RecordCursor cursor = READER.read(batch);
        long maxTimestamp = RecordBatch.NO_TIMESTAMP;
        int count = 0;
        while (cursor.next()) {
            assertThat(cursor.offsetDelta()).isEqualTo(count);
            assertThat(cursor.record().offset()).isEqualTo(count);
            maxTimestamp = Math.max(maxTimestamp, cursor.timestamp());
            count++;
        }
        assertThat(count).isEqualTo(batch.recordCount()).isPositive();
        if (batch.timestampType() == TimestampType.CREATE_TIME) {
            assertThat(valid.maxTimestamp()).isEqualTo(maxTimestamp);
        }
    }

    private static ValidationRules rules(int mode) {
        return new ValidationRules(
                "fuzzed",
                1 << 20,
                1 << 30,
                (mode & 2) != 0 ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
                Long.MAX_VALUE,
                3_600_000,
                (mode & 4) != 0,
                Optional.empty());
    }
}

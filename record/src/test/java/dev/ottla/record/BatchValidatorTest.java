package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.record.ValidationResult.OverLimit;
import dev.ottla.record.ValidationResult.RecordError;
import dev.ottla.record.ValidationResult.Rejected;
import dev.ottla.record.ValidationResult.Valid;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The error codes are those that a Kafka 4.4 broker answered to the same bytes, but for the two
/// differences that [BatchValidator] names.
class BatchValidatorTest {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final int PRODUCE_VERSION = 12;
    private static final ValidationRules DEFAULTS = ValidationRules.defaults("orders");

    private final BatchValidator validator = new BatchValidator(1 << 20);

    @AfterEach
    void close() {
        validator.close();
    }

    @ParameterizedTest
    @EnumSource
    void goodBatchesAreValid(Compression codec) {
        ByteBuffer batch =
                new BatchBuilder()
                        .compression(codec)
                        .append(NOW_MS, bytes("a"), bytes("1"))
                        .append(NOW_MS + 7, bytes("b"), null)
                        .append(NOW_MS + 7, null, bytes("3"))
                        .build();

        Valid valid = valid(batch, DEFAULTS);

        assertThat(valid.batch().recordCount()).isEqualTo(3);
        assertThat(valid.maxTimestamp()).isEqualTo(NOW_MS + 7);
        assertThat(valid.maxTimestampOffsetDelta()).isEqualTo(1);
        assertThat(valid.needsRecompression()).isFalse();
    }

    @Test
    void requestHasExactlyOneBatch() {
        ByteBuffer twice = RecordBatchesTest.concatenated(two().build(), two().build());
        ByteBuffer cutSecond =
                RecordBatchesTest.concatenated(two().build(), two().build().slice(0, 70));
        ByteBuffer zeroes = RecordBatchesTest.concatenated(two().build(), ByteBuffer.allocate(30));

        assertRejected(ByteBuffer.allocate(0), ErrorCode.INVALID_RECORD, "no records");
        assertRejected(ByteBuffer.allocate(5), ErrorCode.INVALID_RECORD, "5 bytes of 61");
        assertRejected(two().build().slice(0, 70), ErrorCode.INVALID_RECORD, "70 bytes of");
        assertRejected(twice, ErrorCode.INVALID_RECORD, "exactly one");
        assertRejected(zeroes, ErrorCode.CORRUPT_MESSAGE, "length 0");
        assertThat(valid(cutSecond, DEFAULTS).batch().recordCount()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "0, INVALID_RECORD, upgrade the client",
        "1, INVALID_RECORD, upgrade the client",
        "3, CORRUPT_MESSAGE, magic 3",
        "-1, CORRUPT_MESSAGE, magic -1"
    })
    void otherFormatsAreRefused(byte magic, ErrorCode error, String message) {
        assertRejected(two().build().put(RecordBatch.MAGIC_AT, magic), error, message);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 14, 48})
    void shortLengthsAreCorrupt(int length) {
        assertRejected(
                two().build().putInt(RecordBatch.LENGTH, length),
                ErrorCode.CORRUPT_MESSAGE,
                "length");
    }

    @Test
    void wrongChecksumIsCorrupt() {
        assertRejected(two().build().put(70, (byte) 9), ErrorCode.CORRUPT_MESSAGE, "checksum");
        assertRejected(
                two().build().putInt(RecordBatch.CRC, 1),
                ErrorCode.CORRUPT_MESSAGE,
                "checksum is 00000001");
    }

    @ParameterizedTest
    @CsvSource({
        "0, -1",
        "0, 1",
        "-1, 1",
        "3, 2",
        "1, 0",
        "2, 5",
        "2, -1",
        "2, -5",
        "2147483647, 2147483646"
    })
    void countsAgreeWithTheRecords(int count, int lastOffsetDelta) {
        for (Compression codec : Compression.values()) {
            ByteBuffer batch =
                    patched(
                            two().compression(codec).build(),
                            header -> {
                                header.putInt(RecordBatch.RECORD_COUNT, count);
                                header.putInt(RecordBatch.LAST_OFFSET_DELTA, lastOffsetDelta);
                            });

            assertRejected(batch, ErrorCode.INVALID_RECORD, "record");
        }
    }

    @ParameterizedTest
    @EnumSource
    void offsetDeltasHaveNoGaps(Compression codec) {
        BatchBuilder gap = new BatchBuilder().compression(codec).append(NOW_MS, null, null);
        ByteBuffer batch =
                patched(
                        gap.appendAt(3, NOW_MS, null, null, List.of()).build(),
                        header -> header.putInt(RecordBatch.LAST_OFFSET_DELTA, 1));

        assertRejected(batch, ErrorCode.INVALID_RECORD, "record 1 has the offset delta 3");
    }

    @Test
    void brokerAssignsOffsets() {
        assertRejected(
                two().build().putLong(RecordBatch.BASE_OFFSET, 7),
                ErrorCode.INVALID_RECORD,
                "base offset is 7");
        assertThat(valid(two().leaderEpoch(5).build(), DEFAULTS).batch().leaderEpoch())
                .isEqualTo(5);
    }

    @Test
    void clientsWriteNoControlBatches() {
        ByteBuffer marker =
                ControlRecords.endTransactionBatch(
                        new EndTransactionMarker(true, 0), 5, (short) 0, NOW_MS);

        assertRejected(marker, ErrorCode.INVALID_RECORD, "control batch");
    }

    @ParameterizedTest
    @CsvSource({
        "77, 0, -1, false",
        "77, 0, -2, false",
        "77, 0, 5, true",
        "77, -1, 0, false",
        "-1, 0, 0, true",
        "-5, 0, 0, false"
    })
    void idempotentProducersCountSequences(long id, short epoch, int sequence, boolean accepted) {
        ByteBuffer batch = two().producer(id, epoch, sequence).build();

        if (accepted) {
            assertThat(valid(batch, DEFAULTS).batch().baseSequence()).isEqualTo(sequence);
        } else {
            assertRejected(
                    batch,
                    ErrorCode.INVALID_RECORD,
                    "epoch %d and base sequence %d".formatted(epoch, sequence));
        }
    }

    @Test
    void zstdNeedsProduceSeven() {
        ByteBuffer zstd = two().compression(Compression.ZSTD).build();

        Rejected rejected = (Rejected) validator.validate(DEFAULTS, 3, 6, zstd, NOW_MS);

        assertThat(rejected.error()).isEqualTo(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE);
        assertThat(validator.validate(DEFAULTS, 3, 7, zstd, NOW_MS)).isInstanceOf(Valid.class);
        assertThat(validator.validate(DEFAULTS, 3, 3, two().build(), NOW_MS))
                .isInstanceOf(Valid.class);
    }

    @ParameterizedTest
    @ValueSource(shorts = {1, 2, 3, 4, 5, 6, 7})
    void whatTheCodecCannotReadIsInvalid(short codec) {
        ByteBuffer batch =
                patched(two().build(), header -> header.putShort(RecordBatch.ATTRIBUTES, codec));

        assertRejected(
                batch, ErrorCode.INVALID_RECORD, codec > 4 ? "unknown compression id" : "data");
    }

    @Test
    void unusedAttributesAreAccepted() {
        ByteBuffer batch =
                patched(
                        two().build(),
                        header -> header.putShort(RecordBatch.ATTRIBUTES, (short) 0xc0));

        assertThat(valid(batch, DEFAULTS).batch().attributes() & 0xff).isEqualTo(0xc0);
    }

    @ParameterizedTest
    @EnumSource
    void compactedTopicsNeedKeys(Compression codec) {
        ValidationRules compacted = rules(Long.MAX_VALUE, 3_600_000, true, Optional.empty());
        BatchBuilder builder =
                new BatchBuilder().compression(codec).append(NOW_MS, bytes("k"), null);
        builder.append(NOW_MS, null, null)
                .append(NOW_MS, ByteBuffer.allocate(0), null)
                .append(NOW_MS, null, null);

        Rejected rejected = rejected(builder.build(), compacted);

        assertThat(rejected.error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(rejected.message())
                .contains("orders-3")
                .contains("2 records")
                .contains("compacted");
        assertThat(rejected.recordErrors())
                .extracting(RecordError::batchIndex)
                .containsExactly(1, 3);
    }

    @ParameterizedTest
    @CsvSource({
        "-10000, true",
        "-10001, false",
        "20000, true",
        "20001, false",
        "-1700000000001, true",
        "-1700000000005, false"
    })
    void createTimesKeepWithinBounds(long sinceNow, boolean accepted) {
        ValidationRules bounded = rules(10_000, 20_000, false, Optional.empty());
        ByteBuffer batch =
                new BatchBuilder()
                        .append(NOW_MS, null, null)
                        .append(NOW_MS + sinceNow, null, null)
                        .build();

        if (accepted) {
            valid(batch, bounded);
        } else {
            Rejected rejected = rejected(batch, bounded);
            assertThat(rejected.error()).isEqualTo(ErrorCode.INVALID_TIMESTAMP);
            assertThat(rejected.recordErrors())
                    .extracting(RecordError::batchIndex)
                    .containsExactly(1);
            assertThat(rejected.message())
                    .contains("orders-3")
                    .contains("message.timestamp.before.max.ms");
        }
    }

    @Test
    void oneErrorIsToldPerRecordAndTimestampsDecideTheCode() {
        ValidationRules strict = rules(10_000, 20_000, true, Optional.empty());
        ByteBuffer noKey = new BatchBuilder().append(NOW_MS + 60_000, null, null).build();
        ByteBuffer both =
                new BatchBuilder()
                        .append(NOW_MS + 60_000, bytes("k"), null)
                        .append(NOW_MS, null, null)
                        .build();

        assertThat(rejected(noKey, strict).error()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(rejected(noKey, strict).recordErrors()).hasSize(1);
        assertThat(rejected(both, strict).error()).isEqualTo(ErrorCode.INVALID_TIMESTAMP);
        assertThat(rejected(both, strict).recordErrors()).hasSize(2);
    }

    @Test
    void recordErrorsAreBounded() {
        ValidationRules compacted = rules(Long.MAX_VALUE, 3_600_000, true, Optional.empty());
        BatchBuilder builder = new BatchBuilder();
        for (int i = 0; i < 5_000; i++) {
            builder.append(NOW_MS, null, null);
        }

        Rejected rejected = rejected(builder.build(), compacted);

        assertThat(rejected.message()).contains("5000 records");
        assertThat(rejected.recordErrors()).hasSize(BatchValidator.MAX_RECORD_ERRORS);
    }

    @Test
    void headerMaxTimestampIsCorrected() {
        ByteBuffer wrong =
                patched(
                        two().build(),
                        header -> {
                            header.putLong(RecordBatch.MAX_TIMESTAMP, 12345);
                            header.putShort(RecordBatch.ATTRIBUTES, (short) TimestampType.MASK);
                        });

        Valid valid = valid(wrong, DEFAULTS);

        assertThat(valid.maxTimestamp()).isEqualTo(NOW_MS + 1);
        assertThat(RecordBatch.at(wrong, 0).maxTimestamp()).isEqualTo(NOW_MS + 1);
        assertThat(RecordBatch.at(wrong, 0).timestampType()).isEqualTo(TimestampType.CREATE_TIME);
        assertThat(RecordBatch.at(wrong, 0).isCrcValid()).isTrue();
    }

    @Test
    void logAppendTimeLeavesTimestampsToTheAppend() {
        ValidationRules rules =
                new ValidationRules(
                        "orders",
                        1000,
                        1000,
                        TimestampType.LOG_APPEND_TIME,
                        0,
                        0,
                        false,
                        Optional.empty());
        ByteBuffer future = new BatchBuilder().append(NOW_MS * 2, null, null).build();
        ByteBuffer before = ByteBuffer.allocate(future.limit()).put(future.duplicate()).flip();

        valid(future, rules);

        assertThat(future).isEqualTo(before);
    }

    @Test
    void sizesAreBounded() {
        ByteBuffer batch =
                new BatchBuilder().append(NOW_MS, null, ByteBuffer.allocate(200)).build();
        int size = batch.limit();

        assertThat(valid(batch, sized(size, size)).batch().sizeBytes()).isEqualTo(size);
        assertThat(rejected(batch, sized(size - 1, size)).error())
                .isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(rejected(batch, sized(size - 1, size)).message()).contains("max.message.bytes");
        assertThat(rejected(batch, sized(size, size - 1)).error())
                .isEqualTo(ErrorCode.RECORD_LIST_TOO_LARGE);
        assertThat(rejected(batch, sized(size, size - 1)).message()).contains("segment.bytes");
    }

    @Test
    void bombsAreOverTheLimit() {
        ByteBuffer bomb =
                new BatchBuilder()
                        .compression(Compression.ZSTD)
                        .append(NOW_MS, null, ByteBuffer.allocate(50 << 20))
                        .build();

        ValidationResult result = validator.validate(DEFAULTS, 3, PRODUCE_VERSION, bomb, NOW_MS);

        assertThat(bomb.limit()).isLessThan(10_000);
        assertThat(result)
                .isInstanceOfSatisfying(
                        OverLimit.class,
                        over ->
                                assertThat(over.rejection().error())
                                        .isEqualTo(ErrorCode.MESSAGE_TOO_LARGE));
        try (BatchValidator larger = new BatchValidator(100 << 20)) {
            assertThat(larger.validate(DEFAULTS, 3, PRODUCE_VERSION, bomb, NOW_MS))
                    .isInstanceOf(Valid.class);
        }
    }

    @Test
    void cheapnessIsGuessedFromTheHeader() {
        ByteBuffer large =
                new BatchBuilder()
                        .append(NOW_MS, null, RandomRecords.bytes(Seed.next("").round(0), 90_000))
                        .build();

        assertThat(BatchValidator.isCheap(ByteBuffer.allocate(3))).isTrue();
        assertThat(BatchValidator.isCheap(two().compression(Compression.ZSTD).build())).isTrue();
        assertThat(BatchValidator.isCheap(large)).isTrue();
        assertThat(BatchValidator.isCheap(large.putShort(RecordBatch.ATTRIBUTES, (short) 1)))
                .isFalse();
        assertThat(BatchValidator.isCheap(two().build().putInt(RecordBatch.RECORD_COUNT, 1 << 20)))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void topicCompressionRewritesTheBatch(Compression target) {
        ValidationRules rules =
                rules(
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        false,
                        Optional.of(new TopicCompression(target)));
        for (Compression source : Compression.values()) {
            ByteBuffer batch =
                    two().compression(source)
                            .producer(9, (short) 2, 40)
                            .transactional(true)
                            .build();

            Valid valid = valid(batch, rules);
            assertThat(valid.needsRecompression()).isEqualTo(source != target);
            Valid packed = (Valid) validator.recompress(rules, 3, valid);

            assertThat(packed.needsRecompression()).isFalse();
            assertThat(packed.batch().compression()).isEqualTo(target);
            assertThat(packed.batch().isCrcValid()).isTrue();
            assertThat(packed.batch().isTransactional()).isTrue();
            assertThat(packed.batch().producerId()).isEqualTo(9);
            assertThat(packed.batch().lastSequence()).isEqualTo(41);
            assertThat(KafkaRecords.read(packed.batch().bytes()))
                    .isEqualTo(KafkaRecords.read(batch));
        }
    }

    @Test
    void rewrittenBatchMustFitToo() {
        ValidationRules rules =
                new ValidationRules(
                        "orders",
                        1_000,
                        1_000,
                        TimestampType.CREATE_TIME,
                        Long.MAX_VALUE,
                        0,
                        false,
                        Optional.of(new TopicCompression(Compression.NONE)));
        ByteBuffer small =
                new BatchBuilder()
                        .compression(Compression.GZIP)
                        .append(0, null, ByteBuffer.allocate(2_000))
                        .build();

        ValidationResult result = validator.recompress(rules, 3, valid(small, rules));

        assertThat(((Rejected) result).error()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
    }

    private static BatchBuilder two() {
        return new BatchBuilder()
                .append(NOW_MS, bytes("k"), bytes("1"))
                .append(NOW_MS + 1, bytes("k"), bytes("2"));
    }

    private void assertRejected(ByteBuffer batch, ErrorCode error, String message) {
        Rejected rejected = rejected(batch, DEFAULTS);
        assertThat(rejected.error()).as(rejected.message()).isEqualTo(error);
        assertThat(rejected.message()).contains(message).contains("orders-3");
        assertThat(rejected.recordErrors()).isEmpty();
    }

    private Rejected rejected(ByteBuffer batch, ValidationRules rules) {
        return (Rejected) validator.validate(rules, 3, PRODUCE_VERSION, batch, NOW_MS);
    }

    private Valid valid(ByteBuffer batch, ValidationRules rules) {
        ValidationResult result = validator.validate(rules, 3, PRODUCE_VERSION, batch, NOW_MS);
        assertThat(result).isInstanceOf(Valid.class);
        return (Valid) result;
    }

    private static ValidationRules sized(int maxMessageBytes, int segmentBytes) {
        return new ValidationRules(
                "orders",
                maxMessageBytes,
                segmentBytes,
                TimestampType.CREATE_TIME,
                Long.MAX_VALUE,
                0,
                false,
                Optional.empty());
    }

    private static ValidationRules rules(
            long beforeMaxMs,
            long afterMaxMs,
            boolean keysRequired,
            Optional<TopicCompression> compression) {
        return new ValidationRules(
                "orders",
                1 << 20,
                1 << 30,
                TimestampType.CREATE_TIME,
                beforeMaxMs,
                afterMaxMs,
                keysRequired,
                compression);
    }

    static ByteBuffer patched(ByteBuffer batch, Consumer<ByteBuffer> patch) {
        patch.accept(batch);
        return batch.putInt(RecordBatch.CRC, new RecordBatch(batch, 0, batch.limit()).computeCrc());
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}

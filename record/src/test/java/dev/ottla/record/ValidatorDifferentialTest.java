package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.record.ValidationResult.Rejected;
import dev.ottla.record.ValidationResult.Valid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.PrimitiveRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.SnappyError;

/// Verdicts on good, bent and broken batches against those of Kafka's own classes, in the order a
/// Kafka broker calls them.
class ValidatorDifferentialTest {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 10_000_000 : 4_000;
    private static final int PRODUCE_VERSION = 12;

    /// Two implementations of a codec pack a small batch to sizes at most this far apart: 3 seen.
    private static final int CODEC_SLACK_BYTES = 8;

    /// Refusals where we are stricter than Kafka on purpose; [BatchValidator] lists them.
    private static final List<String> STRICTER =
            List.of(
                    "has the offset delta",
                    "are left",
                    "of -",
                    "ends inside a field",
                    " headers in ",
                    "bytes more than its fields take",
                    "transactional but",
                    "all three count from 0");

    @Test
    void verdictsAreKafkas() {
        Seed seed = Seed.next("verdictsAreKafkas");
        int accepted = 0;
        try (BatchValidator validator = new BatchValidator(64 << 20)) {
            for (int round = 0; round < ROUNDS; round++) {
                SplittableRandom random = seed.round(round);
                ValidationRules rules = rules(random);
                ByteBuffer ours = bent(random, goodBatch(random));
                ByteBuffer theirs = copy(ours);

                ValidationResult verdict =
                        validator.validate(rules, 0, PRODUCE_VERSION, ours, NOW_MS);
                boolean recompressed = verdict instanceof Valid good && good.needsRecompression();
                if (recompressed) {
                    verdict = validator.recompress(rules, 0, (Valid) verdict);
                }
                KafkaVerdict expected = kafkas(rules, theirs);
                if (recompressed && expected.isOfTheCodecs(rules)) {
                    continue;
                }

                assertSame(verdict, expected, "round " + round);
                if (verdict instanceof Valid valid && expected.validated().isPresent()) {
                    accepted++;
                    assertSameLog(valid.batch(), recompressed, rules, expected, "round " + round);
                }
            }
        }
        assertThat(accepted).isBetween(ROUNDS / 10, ROUNDS * 9 / 10);
    }

    private static void assertSame(ValidationResult verdict, KafkaVerdict expected, String round) {
        switch (verdict) {
            case Valid _ ->
                    assertThat(expected.error()).as("%s: %s", round, expected).isEqualTo("NONE");
            case Rejected rejected -> {
                boolean stricter = STRICTER.stream().anyMatch(rejected.message()::contains);
                if (!stricter) {
                    assertThat(rejected.error().name())
                            .as("%s: %s, Kafka: %s", round, rejected, expected)
                            .isEqualTo(expected.error());
                    assertThat(rejected.recordErrors())
                            .as("%s: %s", round, rejected)
                            .extracting(ValidationResult.RecordError::batchIndex)
                            .isEqualTo(expected.recordErrors());
                }
            }
            case ValidationResult.OverLimit over -> assertThat(over).as(round).isNull();
        }
    }

    /// What enters the log is the same, byte for byte unless the batch was compressed anew.
    private static void assertSameLog(
            RecordBatch batch,
            boolean recompressed,
            ValidationRules rules,
            KafkaVerdict expected,
            String round) {
        MemoryRecords theirs = expected.validated().orElseThrow();
        batch.assignOffsets(1_000, 7);
        if (rules.timestampType() == TimestampType.LOG_APPEND_TIME) {
            batch.setLogAppendTime(NOW_MS);
        } else {
            assertThat(batch.maxTimestamp()).as(round).isEqualTo(expected.maxTimestamp());
        }
        if (recompressed) {
            assertThat(KafkaRecords.read(batch.bytes()))
                    .as(round)
                    .isEqualTo(KafkaRecords.read(theirs.buffer()));
        } else {
            assertThat(batch.bytes()).as(round).isEqualTo(theirs.buffer().slice());
        }
    }

    private static ValidationRules rules(SplittableRandom random) {
        Compression wanted = anyCodec(random);
        return new ValidationRules(
                "orders",
                random.nextInt(20) == 0 ? 150 : 1 << 20,
                1 << 30,
                random.nextInt(4) == 0 ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
                random.nextInt(4) == 0 ? 5_000 : Long.MAX_VALUE,
                3_600_000,
                random.nextInt(4) == 0,
                random.nextInt(4) == 0
                        ? Optional.of(new TopicCompression(wanted))
                        : Optional.empty());
    }

    private static Compression anyCodec(SplittableRandom random) {
        return Compression.forId(random.nextInt(5)).orElseThrow();
    }

    private static ByteBuffer goodBatch(SplittableRandom random) {
        BatchBuilder builder =
                new BatchBuilder()
                        .compression(anyCodec(random))
                        .transactional(random.nextInt(8) == 0);
        if (random.nextBoolean()) {
            builder.producer(random.nextInt(5), (short) random.nextInt(3), random.nextInt(-1, 5));
        }
        for (LogRecord record : RandomRecords.consecutive(random, random.nextInt(6), 30)) {
            long timestamp =
                    switch (random.nextInt(40)) {
                        case 0 -> -1;
                        case 1 -> NOW_MS + 4_000_000;
                        case 2 -> NOW_MS - 6_000;
                        default -> record.timestamp();
                    };
            builder.append(
                    timestamp,
                    record.key().orElse(null),
                    record.value().orElse(null),
                    record.headers());
        }
        return builder.build();
    }

    /// Leaves half of the batches alone, changes some fields of others with a good checksum, and
    /// cuts or extends some.
    private static ByteBuffer bent(SplittableRandom random, ByteBuffer batch) {
        int limit = batch.limit();
        return switch (random.nextInt(10)) {
            case 0 -> patchedBytes(random, batch, RecordBatch.HEADER_BYTES, limit);
            case 1, 2 ->
                    patchedBytes(
                            random, batch, RecordBatch.ATTRIBUTES + 1, RecordBatch.HEADER_BYTES);
            case 3 ->
                    RecordBatchesTest.concatenated(
                            batch, RandomRecords.bytes(random, random.nextInt(16)));
            case 4 -> batch.put(random.nextInt(8, limit), (byte) random.nextInt());
            default -> batch;
        };
    }

    private static ByteBuffer patchedBytes(
            SplittableRandom random, ByteBuffer batch, int from, int to) {
        return from >= to
                ? batch
                : BatchValidatorTest.patched(
                        batch,
                        b -> {
                            for (int i = random.nextInt(1, 3); i > 0; i--) {
                                b.put(random.nextInt(from, to), (byte) random.nextInt(-2, 10));
                            }
                            // Kafka takes the max timestamp of such a header for the time of every
                            // record.
                            int attributes =
                                    b.getShort(RecordBatch.ATTRIBUTES) & ~TimestampType.MASK;
                            b.putShort(RecordBatch.ATTRIBUTES, (short) attributes);
                        });
    }

    private static ByteBuffer copy(ByteBuffer buffer) {
        return ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
    }

    private record KafkaVerdict(
            String error,
            String message,
            List<Integer> recordErrors,
            Optional<MemoryRecords> validated,
            long maxTimestamp,
            int packedBytes) {
        static KafkaVerdict rejected(String error, String message) {
            return rejected(error, message, List.of());
        }

        static KafkaVerdict rejected(String error, String message, List<Integer> recordErrors) {
            return new KafkaVerdict(error, message, recordErrors, Optional.empty(), 0, 0);
        }

        static KafkaVerdict of(LogValidator.ValidationResult result, int maxMessageBytes) {
            MemoryRecords validated = result.validatedRecords();
            int packedBytes = validated.sizeInBytes();
            if (result.messageSizeMaybeChanged() && packedBytes > maxMessageBytes) {
                return new KafkaVerdict(
                        "MESSAGE_TOO_LARGE", "size", List.of(), Optional.empty(), 0, packedBytes);
            }
            return new KafkaVerdict(
                    "NONE",
                    "",
                    List.of(),
                    Optional.of(validated),
                    result.maxTimestampMs(),
                    packedBytes);
        }

        /// Whether compressing anew decided, where we differ: near the limit each implementation's
        /// own sizes count, and Kafka's builder alone refuses negative timestamps.
        boolean isOfTheCodecs(ValidationRules rules) {
            return Math.abs(packedBytes - rules.maxMessageBytes()) <= CODEC_SLACK_BYTES
                    || message.contains("Invalid negative timestamp");
        }
    }

    /// The request's own checks, those of the log before validation, and the validation.
    private static KafkaVerdict kafkas(ValidationRules rules, ByteBuffer bytes) {
        MemoryRecords records = MemoryRecords.readableRecords(bytes);
        try {
            ProduceRequest.validateRecords((short) PRODUCE_VERSION, records);
            MutableRecordBatch batch = records.batches().iterator().next();
            if (batch.baseOffset() != 0) {
                return KafkaVerdict.rejected("INVALID_RECORD", "base offset");
            }
            if (batch.sizeInBytes() > rules.maxMessageBytes()) {
                return KafkaVerdict.rejected("MESSAGE_TOO_LARGE", "size");
            }
            batch.ensureValid();
            LogValidator.ValidationResult result =
                    validate(rules, records.slice(0, batch.sizeInBytes()), batch);
            return KafkaVerdict.of(result, rules.maxMessageBytes());
        } catch (RecordValidationException e) {
            List<Integer> indexes = new ArrayList<>();
            e.recordErrors().forEach(error -> indexes.add(error.batchIndex));
            return KafkaVerdict.rejected(
                    Errors.forException(e.invalidException()).name(), e.toString(), indexes);
        } catch (ApiException e) {
            return KafkaVerdict.rejected(Errors.forException(e).name(), e.toString());
        } catch (RuntimeException | SnappyError e) {
            // What a Kafka broker does not expect it answers with UNKNOWN_SERVER_ERROR; we call the
            // record invalid.
            return KafkaVerdict.rejected("INVALID_RECORD", e.toString());
        }
    }

    private static LogValidator.ValidationResult validate(
            ValidationRules rules, MemoryRecords records, MutableRecordBatch batch) {
        CompressionType source = batch.compressionType();
        org.apache.kafka.common.compress.Compression target =
                rules.compression()
                        .map(c -> CodecDifferentialTest.kafkas(c.codec(), c.level()))
                        .orElseGet(() ->
                                org.apache.kafka.common.compress.Compression.of(source).build());
        return new LogValidator(
                        records,
                        new TopicPartition("orders", 0),
                        new StoppedClock(),
                        source,
                        target,
                        rules.keysRequired(),
                        RecordBatch.MAGIC,
                        rules.timestampType() == TimestampType.LOG_APPEND_TIME
                                ? org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME
                                : org.apache.kafka.common.record.TimestampType.CREATE_TIME,
                        rules.timestampBeforeMaxMs(),
                        rules.timestampAfterMaxMs(),
                        7,
                        AppendOrigin.CLIENT)
                .validateMessagesAndAssignOffsets(
                        PrimitiveRef.ofLong(1_000), new NoMetrics(), BufferSupplier.create());
    }

    private static final class NoMetrics implements LogValidator.MetricsRecorder {
        @Override
        public void recordInvalidMagic() {}

        @Override
        public void recordInvalidOffset() {}

        @Override
        public void recordInvalidSequence() {}

        @Override
        public void recordInvalidChecksums() {}

        @Override
        public void recordNoKeyCompactedTopic() {}
    }

    private static final class StoppedClock implements Time {
        @Override
        public long milliseconds() {
            return NOW_MS;
        }

        @Override
        public long nanoseconds() {
            return NOW_MS * 1_000_000;
        }

        @Override
        public void sleep(long ms) {
            throw new UnsupportedOperationException();
        }
    }
}

package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/// What a batch carries in its header besides its records.
record BatchSettings(
        long baseOffset,
        int leaderEpoch,
        long producerId,
        short producerEpoch,
        int baseSequence,
        boolean transactional,
        OptionalLong logAppendTimeMs,
        OptionalLong deleteHorizonMs) {
    static final BatchSettings PLAIN =
            new BatchSettings(
                    0, -1, -1, (short) -1, -1, false, OptionalLong.empty(), OptionalLong.empty());

    static BatchSettings random(SplittableRandom random) {
        boolean idempotent = random.nextBoolean();
        return new BatchSettings(
                random.nextBoolean() ? 0 : random.nextLong(Long.MAX_VALUE / 2),
                random.nextInt(-1, 100),
                idempotent ? random.nextLong(Long.MAX_VALUE) : -1,
                (short) (idempotent ? random.nextInt(Short.MAX_VALUE) : -1),
                idempotent ? Integer.MAX_VALUE - random.nextInt(80) : -1,
                idempotent && random.nextBoolean(),
                random.nextInt(4) == 0
                        ? OptionalLong.of(random.nextLong(Long.MAX_VALUE / 2))
                        : OptionalLong.empty(),
                random.nextInt(4) == 0
                        ? OptionalLong.of(random.nextLong(1_800_000_000_000L))
                        : OptionalLong.empty());
    }

    ByteBuffer ours(List<LogRecord> records) {
        return ours(records, Compression.NONE, 0);
    }

    ByteBuffer ours(List<LogRecord> records, Compression codec, int level) {
        BatchBuilder builder =
                new BatchBuilder()
                        .baseOffset(baseOffset)
                        .leaderEpoch(leaderEpoch)
                        .producer(producerId, producerEpoch, baseSequence)
                        .transactional(transactional)
                        .compression(codec, level);
        logAppendTimeMs.ifPresent(builder::logAppendTime);
        deleteHorizonMs.ifPresent(builder::deleteHorizonMs);
        for (LogRecord record : records) {
            int expected =
                    builder.sizeBytesWith(
                            record.timestamp(),
                            record.key().orElse(null),
                            record.value().orElse(null),
                            record.headers());
            builder.append(
                    record.timestamp(),
                    record.key().orElse(null),
                    record.value().orElse(null),
                    record.headers());
            if (deleteHorizonMs.isEmpty()) {
                assertThat(builder.sizeBytes()).isEqualTo(expected);
            }
        }
        return builder.build();
    }

    ByteBuffer theirs(List<LogRecord> records) {
        return theirs(records, org.apache.kafka.common.compress.Compression.NONE);
    }

    ByteBuffer theirs(List<LogRecord> records, org.apache.kafka.common.compress.Compression codec) {
        try (MemoryRecordsBuilder builder =
                new MemoryRecordsBuilder(
                        new ByteBufferOutputStream(64),
                        RecordBatch.MAGIC,
                        codec,
                        logAppendTimeMs.isPresent()
                                ? org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME
                                : org.apache.kafka.common.record.TimestampType.CREATE_TIME,
                        baseOffset,
                        logAppendTimeMs.orElse(-1),
                        producerId,
                        producerEpoch,
                        baseSequence,
                        transactional,
                        false,
                        leaderEpoch,
                        Integer.MAX_VALUE,
                        deleteHorizonMs.orElse(-1))) {
            for (LogRecord record : records) {
                builder.append(
                        record.timestamp(),
                        record.key().map(KafkaRecords::array).orElse(null),
                        record.value().map(KafkaRecords::array).orElse(null),
                        KafkaRecords.headers(record));
            }
            MemoryRecords built = builder.build();
            return built.buffer().slice();
        }
    }
}

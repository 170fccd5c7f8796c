package dev.ottla.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.CompressionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Compressed batches against Kafka's own classes, both ways.
class CodecDifferentialTest {
    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 1_000_000 : 20;

    @ParameterizedTest
    @MethodSource("codecsAndLevels")
    void kafkaReadsWhatWeCompress(Compression codec, int level) {
        Seed seed = Seed.next("kafkaReadsWhatWeCompress " + codec + " " + level);
        for (int round = 0; round < ROUNDS; round++) {
            List<LogRecord> records = records(seed.round(round), round);

            ByteBuffer ours = BatchSettings.PLAIN.ours(records, codec, level);

            assertThat(KafkaRecords.read(ours)).as("round %d", round).isEqualTo(records);
            assertThat(RecordsOf.batch(ours)).as("round %d", round).isEqualTo(records);
        }
    }

    @ParameterizedTest
    @MethodSource("codecsAndLevels")
    void weReadWhatKafkaCompresses(Compression codec, int level) {
        Seed seed = Seed.next("weReadWhatKafkaCompresses " + codec + " " + level);
        try (RecordReader reader = new RecordReader(64 << 20)) {
            for (int round = 0; round < ROUNDS; round++) {
                BatchSettings settings = BatchSettings.random(seed.round(round));
                ByteBuffer theirs =
                        settings.theirs(records(seed.round(round), round), kafkas(codec, level));
                ByteBuffer direct = direct(theirs);

                List<LogRecord> expected = KafkaRecords.read(theirs);

                assertThat(reader.records(RecordBatch.at(theirs, 0)))
                        .as("round %d", round)
                        .isEqualTo(expected);
                assertThat(reader.records(RecordBatch.at(direct, 0)))
                        .as("round %d", round)
                        .isEqualTo(expected);
                assertScan(reader.scan(RecordBatch.at(theirs, 0)), expected);
                assertScan(reader.scan(RecordBatch.at(direct, 0)), expected);
            }
        }
    }

    /// The frames of these two do not depend on how the bytes are handed to the library.
    @ParameterizedTest
    @EnumSource(names = {"GZIP", "LZ4"})
    void compressedBytesAreKafkas(Compression codec) {
        Seed seed = Seed.next("compressedBytesAreKafkas " + codec);
        for (int level : levels(codec)) {
            for (int round = 0; round < 10; round++) {
                List<LogRecord> records = records(seed.round(round), round);

                ByteBuffer ours = BatchSettings.PLAIN.ours(records, codec, level);

                assertThat(ours)
                        .as("level %d round %d", level, round)
                        .isEqualTo(BatchSettings.PLAIN.theirs(records, kafkas(codec, level)));
            }
        }
    }

    @Test
    void snappyBlocksAreKafkas() {
        Seed seed = Seed.next("snappyBlocksAreKafkas");
        for (int round = 0; round < ROUNDS; round++) {
            List<LogRecord> records = RandomRecords.consecutive(seed.round(round), 10, 200);

            ByteBuffer ours = BatchSettings.PLAIN.ours(records, Compression.SNAPPY, 0);

            assertThat(ours)
                    .as("round %d", round)
                    .isEqualTo(BatchSettings.PLAIN.theirs(records, kafkas(Compression.SNAPPY, 0)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void levelsAreKafkas(Compression codec) {
        CompressionType theirs = CompressionType.forId(codec.id());

        assertThat(codec.configName()).isEqualTo(theirs.name);
        if (codec != Compression.NONE && codec != Compression.SNAPPY) {
            assertThat(codec.minLevel()).isEqualTo(theirs.minLevel());
            assertThat(codec.maxLevel()).isEqualTo(theirs.maxLevel());
            assertThat(codec.defaultLevel()).isEqualTo(theirs.defaultLevel());
        }
    }

    static Stream<org.junit.jupiter.params.provider.Arguments> codecsAndLevels() {
        return Stream.of(Compression.values())
                .flatMap(codec ->
                        levels(codec).stream()
                                .map(l ->
                                        org.junit.jupiter.params.provider.Arguments.of(codec, l)));
    }

    private static List<Integer> levels(Compression codec) {
        return switch (codec) {
            case NONE, SNAPPY -> List.of(0);
            case GZIP -> List.of(-1, 1, 9);
            case LZ4 -> List.of(9, 1, 17);
            case ZSTD -> List.of(3, -131072, 1, 19);
        };
    }

    static org.apache.kafka.common.compress.Compression kafkas(Compression codec, int level) {
        return switch (codec) {
            case NONE -> org.apache.kafka.common.compress.Compression.NONE;
            case GZIP -> org.apache.kafka.common.compress.Compression.gzip().level(level).build();
            case SNAPPY -> org.apache.kafka.common.compress.Compression.snappy().build();
            case LZ4 -> org.apache.kafka.common.compress.Compression.lz4().level(level).build();
            case ZSTD -> org.apache.kafka.common.compress.Compression.zstd().level(level).build();
        };
    }

    /// Mostly small batches; every tenth is larger than any window of ours.
    private static List<LogRecord> records(SplittableRandom random, int round) {
        return round % 10 == 9
                ? RandomRecords.consecutive(random, 20, 60_000)
                : RandomRecords.consecutive(random, 1 + round % 40, 300);
    }

    static ByteBuffer direct(ByteBuffer heap) {
        return ByteBuffer.allocateDirect(heap.remaining()).put(heap.duplicate()).flip();
    }

    private static void assertScan(RecordScanner scanner, List<LogRecord> expected) {
        List<LogRecord> seen = new ArrayList<>();
        while (scanner.next()) {
            LogRecord record = expected.get(scanner.index());
            assertThat(scanner.offset()).isEqualTo(record.offset());
            assertThat(scanner.timestamp()).isEqualTo(record.timestamp());
            assertThat(scanner.keySize())
                    .isEqualTo(record.key().map(ByteBuffer::remaining).orElse(-1));
            assertThat(scanner.valueSize())
                    .isEqualTo(record.value().map(ByteBuffer::remaining).orElse(-1));
            seen.add(record);
        }
        assertThat(seen).hasSameSizeAs(expected);
    }
}

package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.server.TunedBroker.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which records are taken and how they are kept, as the keys say, which change while the logs are
/// open.
@Timeout(120)
final class RecordKeysTest {
    private static final String TAKEN = "";

    private static TunedBroker broker;

    @BeforeAll
    static void start() {
        broker = new TunedBroker(Map.of());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    @Test
    @Tag("config:message.max.bytes")
    @Tag("config:max.message.bytes")
    void batchIsRefusedAboveItsLargestSize() throws Exception {
        broker.assertBothDecide(
                new Keys("message.max.bytes", "max.message.bytes", "1048588", "1000"),
                Map.of(),
                (topic, change) -> {
                    broker.send(topic, now(), 800);
                    change.call();
                    broker.send(topic, now(), 800);
                    return broker.refusal(topic, now(), 2000);
                },
                TAKEN,
                "RecordTooLargeException");
    }

    @Test
    @Tag("config:max.decompressed.message.bytes")
    void batchIsRefusedWhenItUnpacksToMore() throws Exception {
        String key = "max.decompressed.message.bytes";
        try (KafkaProducer<byte[], byte[]> zipping =
                broker.producer(Map.of("compression.type", "gzip"))) {
            broker.assertBothDecide(
                    new Keys(key, key, "2147483639", "50000"),
                    Map.of(),
                    (topic, change) -> {
                        broker.send(topic, now(), 10);
                        change.call();
                        var record = new ProducerRecord<>(topic, new byte[] {1}, new byte[100_000]);
                        return TunedBroker.refusal(zipping, record).isEmpty();
                    },
                    true,
                    false);
        }
    }

    @Test
    @Tag("config:compression.type")
    void batchIsKeptInTheCodecOfItsTopic() throws Exception {
        broker.assertBothDecide(
                new Keys("compression.type", "compression.type", "producer", "snappy"),
                Map.of(),
                (topic, change) -> {
                    broker.send(topic, now(), 1000);
                    change.call();
                    broker.send(topic, now(), 1000);
                    return lastBatch(topic).codec();
                },
                "none",
                "snappy");
    }

    @Test
    @Tag("config:compression.gzip.level")
    void gzipTakesAsMuchEffortAsItsLevelSays() throws Exception {
        assertLevelDecides("gzip", "-1", "1");
    }

    @Test
    @Tag("config:compression.lz4.level")
    void lz4TakesAsMuchEffortAsItsLevelSays() throws Exception {
        assertLevelDecides("lz4", "9", "1");
    }

    @Test
    @Tag("config:compression.zstd.level")
    void zstdTakesAsMuchEffortAsItsLevelSays() throws Exception {
        assertLevelDecides("zstd", "3", "-5");
    }

    private static void assertLevelDecides(String codec, String usual, String changed)
            throws Exception {
        String key = "compression." + codec + ".level";
        byte[] text = text();
        List<Integer> sizes =
                broker.looks(
                        new Keys(key, key, usual, changed),
                        Map.of("compression.type", codec),
                        (topic, change) -> {
                            broker.send(topic, now(), 10);
                            change.call();
                            broker.send(topic, 0, now(), text);
                            return lastBatch(topic).sizeBytes();
                        });

        assertThat(sizes.get(1)).isNotEqualTo(sizes.get(0));
        assertThat(sizes.get(2)).isEqualTo(sizes.get(0));
        assertThat(sizes.get(3)).isEqualTo(sizes.get(1));
    }

    private static byte[] text() {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder();
        while (text.length() < 100_000) {
            text.append(Integer.toString(random.nextInt(3000), 36)).append(' ');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @Tag("config:log.message.timestamp.type")
    @Tag("config:message.timestamp.type")
    void recordsCarryTheProducersOrTheBrokersTime() throws Exception {
        broker.assertBothDecide(
                new Keys(
                        "log.message.timestamp.type",
                        "message.timestamp.type",
                        "CreateTime",
                        "LogAppendTime"),
                Map.of(),
                (topic, change) -> {
                    long past = now() - 3_600_000;
                    broker.send(topic, past, 10);
                    change.call();
                    long told = broker.send(topic, past, 10).timestamp();
                    assertThat(lastBatch(topic).maxTimestamp()).isEqualTo(told);
                    return told == past;
                },
                true,
                false);
    }

    @Test
    @Tag("config:log.message.timestamp.before.max.ms")
    @Tag("config:message.timestamp.before.max.ms")
    void recordIsRefusedTooFarInThePast() throws Exception {
        broker.assertBothDecide(
                new Keys(
                        "log.message.timestamp.before.max.ms",
                        "message.timestamp.before.max.ms",
                        Long.toString(Long.MAX_VALUE),
                        "1800000"),
                Map.of(),
                (topic, change) -> {
                    broker.send(topic, now(), 10);
                    change.call();
                    broker.send(topic, now(), 10);
                    return broker.refusal(topic, now() - 3_600_000, 10);
                },
                TAKEN,
                "InvalidTimestampException");
    }

    @Test
    @Tag("config:log.message.timestamp.after.max.ms")
    @Tag("config:message.timestamp.after.max.ms")
    void recordIsRefusedTooFarInTheFuture() throws Exception {
        broker.assertBothDecide(
                new Keys(
                        "log.message.timestamp.after.max.ms",
                        "message.timestamp.after.max.ms",
                        "3600000",
                        "600000"),
                Map.of(),
                (topic, change) -> {
                    broker.send(topic, now(), 10);
                    change.call();
                    broker.send(topic, now(), 10);
                    return broker.refusal(topic, now() + 1_800_000, 10);
                },
                TAKEN,
                "InvalidTimestampException");
    }

    @Test
    @Tag("config:log.cleanup.policy")
    @Tag("config:cleanup.policy")
    void recordOfACompactedTopicNeedsAKey() throws Exception {
        broker.assertBothDecide(
                new Keys("log.cleanup.policy", "cleanup.policy", "delete", "compact"),
                Map.of(),
                (topic, change) -> {
                    broker.send(topic, now(), 10);
                    change.call();
                    broker.send(topic, now(), 10);
                    return broker.refusalWithoutKey(topic);
                },
                TAKEN,
                "InvalidRecordException");
    }

    private record Stored(String codec, int sizeBytes, long maxTimestamp) {
        Stored(RecordBatch batch) {
            this(batch.compressionType().name, batch.sizeInBytes(), batch.maxTimestamp());
        }
    }

    private static Stored lastBatch(String topic) throws Exception {
        List<Stored> stored = new ArrayList<>();
        try (FileRecords records =
                FileRecords.open(broker.files(topic, ".log").getLast().toFile(), false)) {
            records.batches().forEach(batch -> stored.add(new Stored(batch)));
        }
        return stored.getLast();
    }
}

package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.server.TunedBroker.Keys;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When records are synced, when writes are refused for want of room and when producers are
/// forgotten, as the keys say, which change while the logs are open.
@Timeout(120)
final class DurabilityKeysTest {
    private static final String ENDLESS = Long.toString(Long.MAX_VALUE);

    private static TunedBroker broker;
    private static String synced = "";

    @BeforeAll
    static void start() throws Exception {
        broker =
                new TunedBroker(
                        Map.of(
                                "producer.id.expiration.check.interval.ms", "20",
                                "log.initial.task.delay.ms", "0"));
        synced = broker.topic(Map.of("flush.policy", "fsync"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static void send(String topic) throws Exception {
        broker.send(topic, System.currentTimeMillis(), 10);
    }

    /// Whether one more record of `topic` makes its log be synced.
    private static boolean isSyncedByOneMore(String topic) throws Exception {
        send(synced);
        long before = broker.syncs(topic);
        send(topic);
        send(synced); // What was asked for before this is done when this is.
        return broker.syncs(topic) > before;
    }

    @Test
    @Tag("config:log.flush.policy")
    @Tag("config:flush.policy")
    void policySaysWhetherAWriteWaitsForTheDisk() throws Exception {
        broker.assertBothDecide(
                new Keys("log.flush.policy", "flush.policy", "fsync", "page-cache"),
                Map.of(),
                (topic, change) -> {
                    send(topic);
                    change.call();
                    return isSyncedByOneMore(topic);
                },
                true,
                false);
    }

    @Test
    @Tag("config:log.flush.interval.messages")
    @Tag("config:flush.messages")
    void syncComesWithSoManyRecords() throws Exception {
        broker.assertBothDecide(
                new Keys("log.flush.interval.messages", "flush.messages", ENDLESS, "3"),
                Map.of("flush.policy", "page-cache"),
                (topic, change) -> {
                    send(topic);
                    change.call();
                    assertThat(isSyncedByOneMore(topic)).isFalse();
                    return isSyncedByOneMore(topic);
                },
                false,
                true);
    }

    @Test
    @Tag("config:log.flush.interval.ms")
    @Tag("config:flush.ms")
    void syncComesAfterSoLong() throws Exception {
        broker.assertBothDecide(
                new Keys("log.flush.interval.ms", "flush.ms", ENDLESS, "0"),
                Map.of("flush.policy", "page-cache"),
                (topic, change) -> {
                    send(topic);
                    change.call();
                    return isSyncedByOneMore(topic);
                },
                false,
                true);
    }

    @Test
    @Tag("config:producer.id.expiration.ms")
    @Tag("config:producer.id.expiration.check.interval.ms")
    void silentProducersAreForgotten() throws Exception {
        String topic = broker.topic(Map.of());
        try (KafkaProducer<byte[], byte[]> producer =
                broker.producer(
                        Map.of("enable.idempotence", "true", "retries", "10", "acks", "all"))) {
            assertThat(TunedBroker.refusal(producer, new ProducerRecord<>(topic, 0, null, null)))
                    .isEmpty();
        }
        assertThat(producers(topic)).isEqualTo(1);

        broker.setForAll("producer.id.expiration.ms", "1");

        TunedBroker.await("the producer is forgotten", () -> producers(topic) == 0);
        broker.resetForAll("producer.id.expiration.ms");
    }

    private static int producers(String topic) throws Exception {
        TopicPartition partition = new TopicPartition(topic, 0);
        return broker.admin()
                .describeProducers(java.util.List.of(partition))
                .partitionResult(partition)
                .get()
                .activeProducers()
                .size();
    }

    @Test
    @Tag("config:log.dir.min.free.bytes")
    @Tag("config:log.dir.resume.free.bytes")
    void writesEndBelowOneMarkAndGoOnAboveTheOther() throws Exception {
        String topic = broker.topic(Map.of());
        String tooMuch = Long.toString(Long.MAX_VALUE / 2);
        assertThat(refusal(topic)).isEmpty();

        broker.setForAll("log.dir.resume.free.bytes", tooMuch);
        awaitLane();
        assertThat(refusal(topic)).isEmpty();
        broker.setForAll("log.dir.min.free.bytes", tooMuch);
        awaitLane();
        assertThat(refusal(topic)).isEqualTo("KafkaStorageException");
        broker.setForAll("log.dir.min.free.bytes", "0");
        awaitLane();
        assertThat(refusal(topic)).isEqualTo("KafkaStorageException");
        broker.setForAll("log.dir.resume.free.bytes", "0");
        awaitLane();
        assertThat(refusal(topic)).isEmpty();
    }

    private static String refusal(String topic) throws Exception {
        return broker.refusal(topic, System.currentTimeMillis(), 10);
    }

    /// A new topic is answered for when it is on disk, behind everything that the directory's
    /// thread was given before.
    private static void awaitLane() throws Exception {
        var _ = broker.topic(Map.of());
    }
}

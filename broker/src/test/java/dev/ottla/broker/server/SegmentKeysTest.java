package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.server.TunedBroker.Keys;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When segments begin, what their indexes hold and when their files go, as the keys say, which
/// change while the logs are open.
@Timeout(120)
final class SegmentKeysTest {
    private static final long T = System.currentTimeMillis() - 3_600_000;

    private static TunedBroker broker;

    @BeforeAll
    static void start() {
        broker = new TunedBroker(Map.of());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    @Tag("config:log.segment.bytes")
    @Tag("config:segment.bytes")
    void segmentEndsAtItsSize() throws Exception {
        broker.assertBothDecide(
                new Keys("log.segment.bytes", "segment.bytes", "1073741824", "1048576"),
                Map.of(),
                (topic, change) -> {
                    broker.send(topic, T, 600_000);
                    change.call();
                    broker.send(topic, T, 600_000);
                    return broker.files(topic, ".log").size();
                },
                1,
                2);
    }

    @Test
    @Tag("config:internal.segment.bytes")
    void internalKeyMakesSegmentsSmallerThanUsersMay() throws Exception {
        String topic = broker.topic(Map.of());
        broker.send(topic, T, 300);
        broker.send(topic, T, 300);
        assertThat(broker.files(topic, ".log")).hasSize(1);

        broker.set(topic, "internal.segment.bytes", "500");

        broker.send(topic, T, 300);
        broker.send(topic, T, 300);
        assertThat(broker.files(topic, ".log")).hasSize(3);
    }

    @Test
    @Tag("config:log.roll.ms")
    @Tag("config:segment.ms")
    void segmentEndsAtItsAge() throws Exception {
        broker.assertBothDecide(
                new Keys("log.roll.ms", "segment.ms", "604800000", "5000"),
                Map.of(),
                (topic, change) -> {
                    broker.send(topic, T, 10);
                    change.call();
                    broker.send(topic, T + 6000, 10);
                    return broker.files(topic, ".log").size();
                },
                1,
                2);
    }

    @Test
    @Tag("config:log.roll.jitter.ms")
    @Tag("config:segment.jitter.ms")
    void jitterLetsSomeSegmentsEndEarlier() throws Exception {
        broker.assertBothDecide(
                new Keys("log.roll.jitter.ms", "segment.jitter.ms", "0", "999999"),
                Map.of("segment.ms", "1000000"),
                (topic, change) -> {
                    sendToAll(topic, T);
                    change.call();
                    sendToAll(topic, T + 500_000);
                    int segments = broker.files(topic, ".log").size();
                    return segments > 8 && segments < 16;
                },
                false,
                true);
    }

    private static void sendToAll(String topic, long timestamp) throws Exception {
        for (int partition = 0; partition < 8; partition++) {
            broker.send(topic, partition, timestamp, new byte[10]);
        }
    }

    @Test
    @Tag("config:log.index.size.max.bytes")
    @Tag("config:segment.index.bytes")
    void segmentEndsWhenItsIndexIsFull() throws Exception {
        broker.assertBothDecide(
                new Keys("log.index.size.max.bytes", "segment.index.bytes", "10485760", "64"),
                Map.of("index.interval.bytes", "1"),
                (topic, change) -> {
                    broker.send(topic, T, 10);
                    change.call();
                    for (int i = 1; i < 12; i++) {
                        broker.send(topic, T + i, 10);
                    }
                    return broker.files(topic, ".log").size() > 1;
                },
                false,
                true);
    }

    @Test
    @Tag("config:log.index.interval.bytes")
    @Tag("config:index.interval.bytes")
    void indexHasAnEntryForEachInterval() throws Exception {
        broker.assertBothDecide(
                new Keys("log.index.interval.bytes", "index.interval.bytes", "4096", "1"),
                Map.of("segment.ms", "5000"),
                (topic, change) -> {
                    broker.send(topic, T, 10);
                    change.call();
                    for (int i = 1; i < 6; i++) {
                        broker.send(topic, T + i, 10);
                    }
                    broker.send(topic, T + 6000, 10); // The index is written with the roll.
                    return Files.size(broker.files(topic, ".index").getFirst()) > 0;
                },
                false,
                true);
    }

    @Test
    @Tag("config:log.segment.delete.delay.ms")
    @Tag("config:file.delete.delay.ms")
    void filesOfADeletedSegmentStayForTheirDelay() throws Exception {
        broker.assertBothDecide(
                new Keys("log.segment.delete.delay.ms", "file.delete.delay.ms", "60000", "0"),
                Map.of("segment.ms", "5000"),
                (topic, change) -> {
                    broker.send(topic, T, 10);
                    broker.send(topic, T + 6000, 10);
                    change.call();
                    broker.deleteRecords(topic, 1);
                    awaitDeletions();
                    return broker.files(topic, ".deleted").size();
                },
                1,
                0);
    }

    /// Returns when everything that can be deleted now is deleted.
    private static void awaitDeletions() throws Exception {
        String topic = broker.topic(Map.of("segment.ms", "5000", "file.delete.delay.ms", "0"));
        broker.send(topic, T, 10);
        broker.send(topic, T + 6000, 10);
        broker.deleteRecords(topic, 1);
        TunedBroker.await("files are gone", () -> broker.files(topic, ".deleted").isEmpty());
    }
}

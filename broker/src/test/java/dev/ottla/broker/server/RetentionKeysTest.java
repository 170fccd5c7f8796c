package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.server.TunedBroker.Keys;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which records leave a log, and when, as the keys say.
@Timeout(120)
final class RetentionKeysTest {
    private static final long HOUR = 3_600_000;

    private TunedBroker broker;
    private long now;

    @BeforeEach
    void start() {
        broker =
                new TunedBroker(
                        Map.of(
                                "log.retention.check.interval.ms", "20",
                                "log.initial.task.delay.ms", "0"));
        now = System.currentTimeMillis();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    @Tag("config:log.retention.ms")
    @Tag("config:retention.ms")
    void recordsLeaveAtTheirAge() throws Exception {
        broker.assertBothDecide(
                new Keys("log.retention.ms", "retention.ms", "604800000", "1000"),
                Map.of(),
                (topic, change) -> {
                    broker.send(topic, now - HOUR, 10);
                    change.call();
                    return startOffsetAfterRetention(topic);
                },
                0L,
                1L);
    }

    @Test
    @Tag("config:log.retention.bytes")
    @Tag("config:retention.bytes")
    void recordsLeaveAboveTheSizeOfTheirLog() throws Exception {
        broker.assertBothDecide(
                new Keys("log.retention.bytes", "retention.bytes", "-1", "100"),
                Map.of("segment.ms", "5000"),
                (topic, change) -> {
                    broker.send(topic, now - HOUR, 1000);
                    broker.send(topic, now - HOUR + 6000, 1000);
                    change.call();
                    return startOffsetAfterRetention(topic);
                },
                0L,
                1L);
    }

    @Test
    @Tag("config:log.cleanup.policy")
    @Tag("config:cleanup.policy")
    void recordsLeaveOnlyUnderThePolicyThatDeletes() throws Exception {
        broker.assertBothDecide(
                new Keys("log.cleanup.policy", "cleanup.policy", "delete", "compact"),
                Map.of("retention.ms", "-1"),
                (topic, change) -> {
                    broker.send(topic, now - HOUR, 10);
                    change.call();
                    broker.set(topic, "retention.ms", "1000");
                    return startOffsetAfterRetention(topic);
                },
                1L,
                0L);
    }

    @Test
    @Tag("config:log.retention.hours")
    @Tag("config:log.retention.minutes")
    void coarserAgesCountWhenTheFinerAreNotSet() throws Exception {
        broker.restart(Map.of("log.retention.hours", "2"));
        String topic = broker.topic(Map.of());
        broker.send(topic, now - 3 * HOUR, 10);
        assertThat(startOffsetAfterRetention(topic)).isEqualTo(1);
        broker.send(topic, now - HOUR, 10);
        assertThat(startOffsetAfterRetention(topic)).isEqualTo(1);

        broker.restart(Map.of("log.retention.minutes", "30"));

        assertThat(startOffsetAfterRetention(topic)).isEqualTo(2);
        broker.send(topic, now - HOUR / 4, 10);
        assertThat(startOffsetAfterRetention(topic)).isEqualTo(2);
        broker.setForAll("log.retention.ms", "60000");
        assertThat(startOffsetAfterRetention(topic)).isEqualTo(3);
    }

    /// By default the first search comes after half a minute and the second five minutes later.
    @Test
    @Timeout(25)
    @Tag("config:log.initial.task.delay.ms")
    @Tag("config:log.retention.check.interval.ms")
    void searchesComeAsSoonAndAsOftenAsTheirKeysSay() throws Exception {
        String topic = broker.topic(Map.of("retention.ms", "1000"));
        for (long offset = 0; offset < 3; offset++) {
            broker.send(topic, now - HOUR, 10);
            long next = offset + 1;
            TunedBroker.await(
                    "offset " + offset + " is gone", () -> broker.startOffset(topic) == next);
        }
    }

    /// Where `topic` starts when the broker has looked for old records after this was called.
    private long startOffsetAfterRetention(String topic) throws Exception {
        String other =
                broker.topic(
                        Map.of(
                                "retention.ms", "1000",
                                "cleanup.policy", "delete",
                                "message.timestamp.type", "CreateTime"));
        broker.send(other, now - HOUR, 10);
        TunedBroker.await("retention was applied", () -> broker.startOffset(other) == 1);
        return broker.startOffset(topic);
    }
}

package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the log's keys that are read at start do.
@Timeout(120)
final class StaticLogKeysTest {
    private static final long HOUR = 3_600_000;
    private static final long T = System.currentTimeMillis() - 24 * HOUR;
    private static final String RECOVERY_POINTS = "recovery-point-offset-checkpoint";

    @TempDir Path directory;

    @Test
    @Tag("config:log.roll.hours")
    @Tag("config:log.roll.jitter.hours")
    void coarserAgesOfSegmentsCountWhenTheFinerAreNotSet() throws Exception {
        try (TunedBroker broker =
                new TunedBroker(Map.of("log.roll.hours", "10", "log.roll.jitter.hours", "9"))) {
            String topic = broker.topic(Map.of());
            sendToAll(broker, topic, T);
            sendToAll(broker, topic, T + 5 * HOUR);
            assertThat(broker.files(topic, ".log")).hasSizeBetween(9, 15);
            sendToAll(broker, topic, T + 16 * HOUR);
            assertThat(broker.files(topic, ".log")).hasSizeBetween(17, 24);

            broker.setForAll("log.roll.jitter.ms", "0");
            String even = broker.topic(Map.of());
            sendToAll(broker, even, T);
            sendToAll(broker, even, T + 9 * HOUR);
            assertThat(broker.files(even, ".log")).hasSize(8);
            sendToAll(broker, even, T + 11 * HOUR);
            assertThat(broker.files(even, ".log")).hasSize(16);
        }
    }

    private static void sendToAll(TunedBroker broker, String topic, long timestamp)
            throws Exception {
        for (int partition = 0; partition < 8; partition++) {
            broker.send(topic, partition, timestamp, new byte[10]);
        }
    }

    @Test
    @Tag("config:log.flush.scheduler.interval.ms")
    void syncComesAfterSoLongWhenNothingFinerIsSet() throws Exception {
        try (TunedBroker broker = new TunedBroker(Map.of("log.flush.policy", "page-cache"))) {
            String topic = broker.topic(Map.of());
            assertThat(isSyncedByOneMore(broker, topic)).isFalse();

            broker.restart(Map.of("log.flush.scheduler.interval.ms", "0"));

            assertThat(isSyncedByOneMore(broker, topic)).isTrue();
        }
    }

    private static boolean isSyncedByOneMore(TunedBroker broker, String topic) throws Exception {
        long before = broker.syncs(topic);
        broker.send(topic, T, 10);
        var _ = broker.topic(Map.of()); // On disk when what was asked for before it is.
        return broker.syncs(topic) > before;
    }

    @Test
    @Tag("config:log.dir")
    @Tag("config:log.dirs")
    void dataIsWhereTheKeysSay() throws Exception {
        String one = directory.resolve("one").toString();
        String two = directory.resolve("two").toString();
        String three = directory.resolve("three").toString();
        try (TestBroker broker = new TestBroker(Map.of("log.dir", one))) {
            assertThat(Path.of(one, "meta.properties")).exists();

            broker.restart(Map.of("log.dirs", two + "," + three), () -> {});

            assertThat(Path.of(two, "meta.properties")).exists();
            assertThat(Path.of(three, "meta.properties")).exists();
        }
    }

    @Test
    @Tag("config:log.dir.reserve.bytes")
    void reserveIsAsLargeAsItsKeySays() throws Exception {
        Path data = directory.resolve("data");
        Map<String, String> settings =
                Map.of("log.dirs", data.toString(), "log.dir.reserve.bytes", "100000");
        try (TestBroker _ = new TestBroker(settings)) {
            try (Stream<Path> files = Files.list(data)) {
                assertThat(files.map(file -> file.toFile().length())).contains(100_000L);
            }
        }
    }

    @Test
    @Tag("config:log.flush.offset.checkpoint.interval.ms")
    void recoveryPointsAreNotedAsOftenAsTheirKeySays() throws Exception {
        try (TunedBroker broker = new TunedBroker(Map.of())) {
            String topic = broker.topic(Map.of());
            broker.send(topic, T, 10);
            Path noted = broker.dataDirectory().resolve(RECOVERY_POINTS);
            Runnable forget = () -> noted.toFile().delete(); // So there is something to note.

            broker.restart(Map.of(), forget);
            assertThat(broker.startOffset(topic)).isZero();
            assertThat(isNoted(noted, topic)).isFalse();

            broker.restart(Map.of("log.flush.offset.checkpoint.interval.ms", "20"), forget);
            TunedBroker.await("recovery points are noted", () -> isNoted(noted, topic));
        }
    }

    private static boolean isNoted(Path noted, String topic) throws IOException {
        return Files.exists(noted) && Files.readString(noted).contains(topic);
    }

    /// Logs to be opened wait at a gate, so that the threads that open them can be counted.
    @Test
    @Tag("config:num.recovery.threads.per.data.dir")
    void logsAreOpenedByAsManyThreadsAsTheKeySays() throws Exception {
        Set<Thread> openers = ConcurrentHashMap.newKeySet();
        Thread starter = Thread.currentThread();
        CountDownLatch[] gate = {new CountDownLatch(0)};
        WatchedDisk disk =
                new WatchedDisk(file -> {
                    if (gate[0].getCount() > 0
                            && file.toString().contains("topic-")
                            && Thread.currentThread() != starter) {
                        openers.add(Thread.currentThread());
                        awaitOpen(gate[0]);
                    }
                });
        Map<String, String> settings = new HashMap<>();
        settings.put("num.recovery.threads.per.data.dir", "3");
        try (TunedBroker broker = new TunedBroker(settings, disk)) {
            String topic = broker.topic(Map.of());
            sendToAll(broker, topic, T);

            broker.restart(Map.of(), () -> gate[0] = new CountDownLatch(1));
            TunedBroker.await("three logs are being opened", () -> openers.size() == 3);
            broker.setForAll("num.recovery.threads.per.data.dir", "5");
            TunedBroker.await("five logs are being opened", () -> openers.size() == 5);
            gate[0].countDown();
            assertThat(broker.startOffset(topic)).isZero();
        } finally {
            gate[0].countDown();
        }
    }

    private static void awaitOpen(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

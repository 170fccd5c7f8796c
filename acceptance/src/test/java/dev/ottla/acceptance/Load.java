package dev.ottla.acceptance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;

/// One idempotent producer for each partition of a topic, writing 0, 1, 2, … with acks=all until it
/// is stopped, and a book of what was acknowledged at which offset. At a pace at which the book
/// stays small also when a test takes minutes. Thread-safe.
final class Load implements AutoCloseable {
    private static final int MAX_IN_FLIGHT_RECORDS = 300;

    /// What a record of one producer takes at least, on average.
    private static final long PACE_NS = 1_000_000;

    private final List<Thread> threads = new ArrayList<>();
    private final List<Map<Long, Long>> acknowledged = new ArrayList<>();
    private final AtomicLong acknowledgedCount = new AtomicLong();
    private final AtomicLong failedCount = new AtomicLong();

    // Written by the test, read by the writers; one that sees it late sends a few records more.
    private volatile boolean stopped;

    private final Map<String, Object> changed;

    Load(String bootstrap, String topic, int partitions) {
        this(bootstrap, topic, partitions, Map.of());
    }

    /// @param changed settings of the producers that are not to be the usual ones
    Load(String bootstrap, String topic, int partitions, Map<String, Object> changed) {
        this.changed = Map.copyOf(changed);
        for (int partition = 0; partition < partitions; partition++) {
            Map<Long, Long> book = new ConcurrentHashMap<>();
            acknowledged.add(book);
            int number = partition;
            Thread thread =
                    new Thread(() -> write(bootstrap, topic, number, book), "load-" + number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void write(String bootstrap, String topic, int partition, Map<Long, Long> book) {
        Map<String, Object> usual =
                Map.of(
                        "bootstrap.servers", bootstrap,
                        "acks", "all",
                        "enable.idempotence", true,
                        "batch.size", 2_000,
                        "linger.ms", 5,
                        "retry.backoff.ms", 50,
                        "reconnect.backoff.max.ms", 200,
                        "request.timeout.ms", 10_000,
                        "delivery.timeout.ms", 180_000,
                        "max.block.ms", 180_000);
        Map<String, Object> settings = new HashMap<>(usual);
        settings.putAll(changed);
        Semaphore inFlight = new Semaphore(MAX_IN_FLIGHT_RECORDS);
        try (Producer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            long beganNs = System.nanoTime();
            for (long value = 0; !stopped; value++) {
                LockSupport.parkNanos(beganNs + value * PACE_NS - System.nanoTime());
                inFlight.acquire();
                long sent = value;
                Future<RecordMetadata> _ =
                        producer.send(
                                new ProducerRecord<>(topic, partition, null, String.valueOf(value)),
                                (metadata, error) -> {
                                    if (error == null) {
                                        book.put(metadata.offset(), sent);
                                        acknowledgedCount.incrementAndGet();
                                    } else {
                                        failedCount.incrementAndGet();
                                    }
                                    inFlight.release();
                                });
            }
            producer.flush();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long acknowledged() {
        return acknowledgedCount.get();
    }

    long failed() {
        return failedCount.get();
    }

    /// Offset and value of each acknowledged record of a partition.
    Map<Long, Long> acknowledged(int partition) {
        return acknowledged.get(partition);
    }

    /// Stops writing and waits until everything sent is answered.
    void stop() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                if (!thread.join(Duration.ofSeconds(60))) {
                    throw new AssertionError("the load does not come to its end");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    @Override
    public void close() {
        stopped = true;
    }
}

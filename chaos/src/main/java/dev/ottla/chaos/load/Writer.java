package dev.ottla.chaos.load;

import dev.ottla.chaos.cluster.Pause;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.EventLog;
import dev.ottla.chaos.history.RecordValue;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// An idempotent producer that writes bursts of unique values to all partitions of a topic in turn.
/// One that waits for a partition goes on with the others. Its own thread sends, the producer's
/// thread answers.
final class Writer implements Runnable {
    private static final int BURST = 20;
    private static final int BURSTS_UNDER_WAY = 4;

    /// Behind its pace by more than this it gives up what is missing.
    private static final long MOST_BEHIND_NS = Duration.ofSeconds(2).toNanos();

    private final int id;
    private final String topic;
    private final EventLog history;
    private final Map<String, Object> settings;
    private final long burstNs;

    // Counted up by its own thread, down by the producer's.
    private final AtomicIntegerArray underWay = new AtomicIntegerArray(Topics.PARTITIONS);
    private final AtomicInteger allUnderWay = new AtomicInteger();

    private long nextNumber;
    private int nextPartition;

    // Written by the run, read by this writer; it may be seen some records late.
    private volatile boolean stopped;
    private volatile long clockShiftMs;

    /// @param recordsPerSecond its pace
    Writer(int id, String topic, String bootstrap, int recordsPerSecond, EventLog history) {
        this.id = id;
        this.topic = topic;
        this.history = history;
        burstNs = Duration.ofSeconds(BURST).toNanos() / recordsPerSecond;
        settings =
                Map.ofEntries(
                        Map.entry("bootstrap.servers", bootstrap),
                        Map.entry("client.id", "writer-" + id),
                        Map.entry("acks", "all"),
                        Map.entry("enable.idempotence", true),
                        Map.entry("linger.ms", 5),
                        Map.entry("retry.backoff.ms", 50),
                        Map.entry("reconnect.backoff.max.ms", 200),
                        Map.entry("request.timeout.ms", 3_000),
                        Map.entry("delivery.timeout.ms", 300_000),
                        Map.entry("max.block.ms", 300_000),
                        Map.entry("metadata.max.age.ms", 5_000));
    }

    @Override
    public void run() {
        Producer<byte[], byte[]> producer = open();
        long dueNs = System.nanoTime();
        while (!stopped) {
            long nowNs = System.nanoTime();
            if (nowNs < dueNs) {
                Pause.ofMs(Math.max(1, (dueNs - nowNs) / 1_000_000));
                continue;
            }
            int partition = freePartition();
            if (partition < 0) {
                Pause.ofMs(2);
            } else if (send(producer, partition)) {
                dueNs += burstNs;
            } else {
                producer.close(Duration.ZERO);
                producer = open();
            }
            dueNs = Math.max(dueNs, nowNs - MOST_BEHIND_NS);
        }
        while (allUnderWay.get() > 0 && !Thread.currentThread().isInterrupted()) {
            Pause.ofMs(20);
        }
        producer.close(Duration.ZERO);
    }

    private Producer<byte[], byte[]> open() {
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /// The next partition that does not owe too many answers; -1 when all do.
    private int freePartition() {
        for (int i = 0; i < Topics.PARTITIONS; i++) {
            int partition = (nextPartition + i) % Topics.PARTITIONS;
            if (underWay.get(partition) < BURSTS_UNDER_WAY) {
                nextPartition = partition + 1;
                return partition;
            }
        }
        return -1;
    }

    /// Returns false when the producer is of no use any more.
    private boolean send(Producer<byte[], byte[]> producer, int partition) {
        underWay.incrementAndGet(partition);
        allUnderWay.incrementAndGet();
        Burst burst =
                new Burst(
                        history,
                        new Event.Sent(id, topic + "-" + partition, nextNumber, BURST),
                        () -> {
                            underWay.decrementAndGet(partition);
                            allUnderWay.decrementAndGet();
                        });
        boolean usable = true;
        for (int i = 0; i < BURST; i++) {
            int index = i;
            try {
                Future<RecordMetadata> _ =
                        producer.send(
                                record(partition, nextNumber++),
                                (metadata, error) -> burst.onAnswer(index, metadata, error));
            } catch (KafkaException | IllegalStateException e) {
                burst.onAnswer(index, null, e);
                usable = false;
            }
        }
        return usable;
    }

    private ProducerRecord<byte[], byte[]> record(int partition, long number) {
        int keys = Topics.keys(topic);
        byte @Nullable [] key = keys == 0 ? null : new RecordValue(id, number % keys).bytes();
        long shiftMs = clockShiftMs;
        @Nullable Long timestamp = shiftMs == 0 ? null : System.currentTimeMillis() + shiftMs;
        return new ProducerRecord<>(
                topic, partition, timestamp, key, new RecordValue(id, number).bytes());
    }

    /// Its clock goes wrong by so much.
    void shiftClock(long ms) {
        clockShiftMs = ms;
    }

    /// It sends no more; its thread ends when all is answered.
    void stop() {
        stopped = true;
    }
}

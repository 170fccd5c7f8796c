package dev.ottla.chaos.load;

import dev.ottla.chaos.history.History;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Reads all partitions from their beginning, without a group.
final class PlainReader implements Runnable {
    private final String name;
    private final Map<String, Object> settings;
    private final Set<TopicPartition> partitions;
    private final Readings readings;

    // Written by its thread, read by the run to see whether it has come to the end.
    private final Map<String, Long> positions = new ConcurrentHashMap<>();

    // Written by the run.
    private volatile boolean stopped;

    PlainReader(String name, String bootstrap, Set<TopicPartition> partitions, History history) {
        this.name = name;
        this.partitions = Set.copyOf(partitions);
        settings = Consumers.settings(bootstrap, name);
        readings = new Readings(history, name);
    }

    @Override
    public void run() {
        Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!stopped) {
                poll(consumer);
            }
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }

    private void poll(Consumer<byte[], byte[]> consumer) {
        try {
            var records = consumer.poll(Duration.ofMillis(100));
            readings.add(records);
            records.nextOffsets()
                    .forEach((partition, next) ->
                            positions.put(partition.toString(), next.offset()));
        } catch (KafkaException e) {
            System.err.println(name + ": " + e);
        }
    }

    boolean hasRead(Map<String, Long> ends) {
        return ends.entrySet().stream()
                .allMatch(end -> positions.getOrDefault(end.getKey(), 0L) >= end.getValue());
    }

    void stop() {
        stopped = true;
    }
}

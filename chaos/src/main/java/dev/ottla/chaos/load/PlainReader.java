package dev.ottla.chaos.load;

import dev.ottla.chaos.history.History;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/// Reads all partitions from their beginning, without a group.
final class PlainReader implements Runnable {
    private final Map<String, Object> settings;
    private final Set<TopicPartition> partitions;
    private final Readings readings;

    // Written by its thread, read by the run to see whether it has come to the end.
    private final Map<String, Long> positions = new ConcurrentHashMap<>();

    // Written by the run.
    private volatile boolean stopped;

    PlainReader(String name, String bootstrap, Set<TopicPartition> partitions, History history) {
        this.partitions = Set.copyOf(partitions);
        settings = Consumers.settings(bootstrap, name);
        readings = new Readings(history, name);
    }

    @Override
    public void run() {
        Consumer<byte[], byte[]> consumer = Consumers.create(settings);
        try {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!stopped) {
                readings.poll(consumer)
                        .forEach((partition, next) ->
                                positions.put(partition.toString(), next.offset()));
            }
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
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

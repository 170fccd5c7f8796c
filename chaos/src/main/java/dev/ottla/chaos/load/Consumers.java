package dev.ottla.chaos.load;

import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Consumers that notice faults soon.
final class Consumers {
    /// A commit that took longer may have been sent twice.
    static final int REQUEST_TIMEOUT_MS = 3_000;

    private Consumers() {}

    static Consumer<byte[], byte[]> create(Map<String, Object> settings) {
        return new KafkaConsumer<>(
                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    static Map<String, Object> settings(String bootstrap, String name) {
        return Map.ofEntries(
                Map.entry("bootstrap.servers", bootstrap),
                Map.entry("client.id", name),
                Map.entry("auto.offset.reset", "earliest"),
                Map.entry("enable.auto.commit", false),
                Map.entry("allow.auto.create.topics", false),
                Map.entry("metadata.max.age.ms", 5_000),
                Map.entry("fetch.max.wait.ms", 200),
                Map.entry("request.timeout.ms", REQUEST_TIMEOUT_MS),
                Map.entry("default.api.timeout.ms", 10_000),
                Map.entry("reconnect.backoff.max.ms", 200));
    }
}

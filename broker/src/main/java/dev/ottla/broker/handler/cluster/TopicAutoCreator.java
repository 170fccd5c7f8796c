package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.request.Responder;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.GroupKeys;
import dev.ottla.config.ServerKeys;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Creates topics on first use: ordinary ones with the broker's defaults, internal ones with
/// theirs. Thread-safe.
public final class TopicAutoCreator implements AutoTopicCreation {
    /// Asks the controller for topics; their errors by name, NONE for those that were created.
    @FunctionalInterface
    public interface Creation {
        CompletableFuture<Map<String, ErrorCode>> create(List<CreateTopic> topics);
    }

    private final Supplier<ClusterImage> image;
    private final Supplier<ConfigResolver> config;
    private final Creation creation;

    public TopicAutoCreator(
            Supplier<ClusterImage> image, Supplier<ConfigResolver> config, Creation creation) {
        this.image = image;
        this.config = config;
        this.creation = creation;
    }

    @Override
    public boolean isEnabled() {
        return config.get().broker().value(ServerKeys.AUTO_CREATE_TOPICS_ENABLE);
    }

    @Override
    public void create(
            List<String> names, Consumer<Map<String, ErrorCode>> done, Responder request) {
        List<CreateTopic> topics = names.stream().distinct().map(this::plan).toList();
        Map<String, ErrorCode> errors = new HashMap<>();
        Failures.whenEnded(
                creation.create(topics),
                created -> {
                    created.forEach((name, error) -> note(name, error, errors));
                    done.accept(errors);
                },
                error -> {
                    names.forEach(name -> errors.put(name, error.code()));
                    done.accept(errors);
                },
                request);
    }

    private static void note(String topic, ErrorCode error, Map<String, ErrorCode> errors) {
        // Somebody else was quicker: the topic is there, which is all that was wanted.
        if (error != ErrorCode.NONE && error != ErrorCode.TOPIC_ALREADY_EXISTS) {
            errors.put(topic, error);
        }
    }

    private CreateTopic plan(String name) {
        if (!name.equals(InternalTopics.CONSUMER_OFFSETS)) return CreateTopic.named(name);
        ConfigValues values = config.get().broker();
        long takers =
                image.get().brokers().values().stream()
                        .filter(broker -> !broker.openDirectories().isEmpty())
                        .count();
        int brokers = Math.max(1, (int) takers);
        return CreateTopic.named(name)
                .withPartitions(values.value(GroupKeys.OFFSETS_TOPIC_NUM_PARTITIONS))
                .withReplicationFactor(
                        Math.min(brokers, values.value(GroupKeys.OFFSETS_TOPIC_REPLICATION_FACTOR)))
                .withConfig("cleanup.policy", "compact")
                .withConfig("compression.type", "producer")
                .withConfig(
                        "segment.bytes",
                        Integer.toString(values.value(GroupKeys.OFFSETS_TOPIC_SEGMENT_BYTES)));
    }
}

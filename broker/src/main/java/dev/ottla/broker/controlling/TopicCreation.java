package dev.ottla.broker.controlling;

import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsResponse;
import dev.ottla.wire.message.EnvelopeResponse;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Creates topics that this broker wants, wherever the controller is. They are known here when the
/// future completes. Thread-safe.
public final class TopicCreation {
    private static final int TIMEOUT_MS = 30_000;
    private static final long KNOW_MS = 2_000;

    private final MetadataService metadata;
    private final ControllerLink link;
    private final ImageProgress progress;

    public TopicCreation(MetadataService metadata, ControllerLink link, ImageProgress progress) {
        this.metadata = metadata;
        this.link = link;
        this.progress = progress;
    }

    /// The error of each topic by its name, NONE for one that was created.
    public CompletableFuture<Map<String, ErrorCode>> create(List<CreateTopic> topics) {
        if (metadata.leads()) return createHere(topics);
        CreateTopicsRequest request =
                CreateTopicsRequest.builder()
                        .topics(topics.stream().map(TopicCreation::write).toList())
                        .timeoutMs(TIMEOUT_MS)
                        .build();
        Envelopes.Origin origin =
                new Envelopes.Origin(
                        ApiKey.CREATE_TOPICS,
                        ApiKey.CREATE_TOPICS.latestVersion(false),
                        0,
                        "ottla",
                        InetAddress.getLoopbackAddress());
        return link.forward(Envelopes.wrap(origin, request), ControllerLink.FORWARD_MS)
                .thenCompose(answer ->
                        answer.map(response -> onAnswer(origin, response))
                                .orElseGet(() -> createHere(topics)));
    }

    private CompletableFuture<Map<String, ErrorCode>> createHere(List<CreateTopic> topics) {
        return metadata.submit(controller -> controller.createTopics(topics, false))
                .thenApply(TopicCreation::errors);
    }

    private static Map<String, ErrorCode> errors(List<CreatedTopic> created) {
        Map<String, ErrorCode> errors = new HashMap<>();
        created.forEach(topic -> errors.put(topic.name(), topic.error().code()));
        return errors;
    }

    private CompletableFuture<Map<String, ErrorCode>> onAnswer(
            Envelopes.Origin origin, EnvelopeResponse answer) {
        CompletableFuture<Map<String, ErrorCode>> known = new CompletableFuture<>();
        ByteBuffer data = answer.responseData();
        if (data == null) {
            known.completeExceptionally(
                    new NotControllerException("The controller did not take the new topics."));
            return known;
        }
        CreateTopicsResponse response = (CreateTopicsResponse) Envelopes.unwrap(origin, data);
        Map<String, ErrorCode> errors = new HashMap<>();
        for (CreateTopicsResponse.CreatableTopicResult topic : response.topics()) {
            errors.put(
                    topic.name(),
                    ErrorCode.forCode(topic.errorCode()).orElse(ErrorCode.UNKNOWN_SERVER_ERROR));
        }
        progress.whenReached(Envelopes.offset(answer), KNOW_MS, () -> known.complete(errors));
        return known;
    }

    private static CreateTopicsRequest.CreatableTopic write(CreateTopic topic) {
        return CreateTopicsRequest.CreatableTopic.builder()
                .name(topic.name())
                .numPartitions(topic.partitionCount())
                .replicationFactor((short) topic.replicationFactor())
                .configs(
                        topic.configs().entrySet().stream()
                                .map(config ->
                                        CreateTopicsRequest.CreatableTopicConfig.builder()
                                                .name(config.getKey())
                                                .value(value(config.getValue()))
                                                .build())
                                .toList())
                .build();
    }

    private static @Nullable String value(Optional<String> value) {
        return value.orElse(null);
    }
}

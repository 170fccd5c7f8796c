package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.config.ConfigDescriber;
import dev.ottla.config.ConfigEntry;
import dev.ottla.config.ConfigResolver;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsRequest.CreatableReplicaAssignment;
import dev.ottla.wire.message.CreateTopicsRequest.CreatableTopic;
import dev.ottla.wire.message.CreateTopicsRequest.CreatableTopicConfig;
import dev.ottla.wire.message.CreateTopicsResponse;
import dev.ottla.wire.message.CreateTopicsResponse.CreatableTopicConfigs;
import dev.ottla.wire.message.CreateTopicsResponse.CreatableTopicResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// CreateTopics: answers when the partitions of the new topics can be used.
///
/// Errors per topic: TOPIC_ALREADY_EXISTS, INVALID_TOPIC_EXCEPTION, INVALID_PARTITIONS,
/// INVALID_REPLICATION_FACTOR, INVALID_REPLICA_ASSIGNMENT, INVALID_CONFIG, INVALID_REQUEST (named
/// twice), POLICY_VIOLATION, NOT_CONTROLLER.
public final class CreateTopicsHandler implements ApiHandler<CreateTopicsRequest> {
    private final TimedCommands commands;
    private final Supplier<ConfigResolver> config;

    public CreateTopicsHandler(TimedCommands commands, Supplier<ConfigResolver> config) {
        this.commands = commands;
        this.config = config;
    }

    @Override
    public ApiKey api() {
        return ApiKey.CREATE_TOPICS;
    }

    @Override
    public void handle(RequestContext context, CreateTopicsRequest request, Responder responder) {
        List<CreatableTopicResult> refused = new ArrayList<>();
        List<CreateTopic> creations = new ArrayList<>();
        Set<String> doubles = doubles(request.topics());
        Set<String> seen = new HashSet<>();
        for (CreatableTopic topic : request.topics()) {
            if (!seen.add(topic.name())) continue;
            if (doubles.contains(topic.name())) {
                refused.add(
                        refuse(
                                topic.name(),
                                ApiError.of(
                                        ErrorCode.INVALID_REQUEST,
                                        "Topic %s is in the request more than once: name it once.",
                                        topic.name())));
            } else {
                translate(topic, refused).ifPresent(creations::add);
            }
        }
        Map<String, Map<String, String>> overrides = overrides(request.topics());
        List<CreatableTopicResult> results = new ArrayList<>(refused);
        Failures.whenEnded(
                commands.submit(
                        context,
                        request.timeoutMs(),
                        controller -> controller.createTopics(creations, request.validateOnly())),
                created -> {
                    created.forEach(c -> results.add(answer(c, overrides)));
                    responder.respond(CreateTopicsResponse.builder().topics(results).build());
                },
                error -> {
                    creations.forEach(c -> results.add(refuse(c.name(), error)));
                    responder.respond(CreateTopicsResponse.builder().topics(results).build());
                },
                responder);
    }

    private static Set<String> doubles(List<CreatableTopic> topics) {
        return topics.stream()
                .collect(Collectors.groupingBy(CreatableTopic::name, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(count -> count.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static Optional<CreateTopic> translate(
            CreatableTopic topic, List<CreatableTopicResult> refused) {
        Map<Integer, List<Integer>> assignments = new HashMap<>();
        for (CreatableReplicaAssignment assignment : topic.assignments()) {
            List<Integer> before =
                    assignments.put(assignment.partitionIndex(), assignment.brokerIds());
            if (before == null) continue;
            refused.add(
                    refuse(
                            topic.name(),
                            ApiError.of(
                                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                                    "Partition %d of topic %s is assigned twice: assign it once.",
                                    assignment.partitionIndex(),
                                    topic.name())));
            return Optional.empty();
        }
        Map<String, Optional<String>> configs = new HashMap<>();
        for (CreatableTopicConfig each : topic.configs()) {
            configs.put(each.name(), Optional.ofNullable(each.value()));
        }
        return Optional.of(
                new CreateTopic(
                        topic.name(),
                        topic.numPartitions(),
                        topic.replicationFactor(),
                        assignments,
                        configs));
    }

    private static Map<String, Map<String, String>> overrides(List<CreatableTopic> topics) {
        Map<String, Map<String, String>> overrides = new HashMap<>();
        for (CreatableTopic topic : topics) {
            Map<String, String> set = new HashMap<>();
            for (CreatableTopicConfig each : topic.configs()) {
                String value = each.value();
                if (value != null) set.put(each.name(), value);
            }
            overrides.put(topic.name(), set);
        }
        return overrides;
    }

    private CreatableTopicResult answer(
            CreatedTopic created, Map<String, Map<String, String>> overrides) {
        if (!created.error().isNone()) return refuse(created.name(), created.error());
        List<ConfigEntry> entries =
                new ConfigDescriber(config.get())
                        .topic(
                                overrides.getOrDefault(created.name(), Map.of()),
                                created.replicationFactor());
        Function<ConfigEntry, CreatableTopicConfigs> describe =
                entry ->
                        CreatableTopicConfigs.builder()
                                .name(entry.name())
                                .value(entry.value().orElse(null))
                                .readOnly(entry.readOnly())
                                .configSource(entry.source().code())
                                .isSensitive(entry.key().sensitive())
                                .build();
        return CreatableTopicResult.builder()
                .name(created.name())
                .topicId(created.id())
                .numPartitions(created.partitionCount())
                .errorMessage(null)
                .replicationFactor((short) created.replicationFactor())
                .configs(entries.stream().map(describe).toList())
                .build();
    }

    private static CreatableTopicResult refuse(String name, ApiError error) {
        return CreatableTopicResult.builder()
                .name(name)
                .errorCode(error.code().code())
                .errorMessage(error.message())
                .build();
    }
}

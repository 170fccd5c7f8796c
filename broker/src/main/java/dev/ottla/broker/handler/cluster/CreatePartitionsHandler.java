package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.CreatePartitions;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.CreatePartitionsRequest;
import dev.ottla.wire.message.CreatePartitionsRequest.CreatePartitionsAssignment;
import dev.ottla.wire.message.CreatePartitionsRequest.CreatePartitionsTopic;
import dev.ottla.wire.message.CreatePartitionsResponse;
import dev.ottla.wire.message.CreatePartitionsResponse.CreatePartitionsTopicResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// CreatePartitions: answers when the new partitions can be used.
///
/// Errors per topic: UNKNOWN_TOPIC_OR_PARTITION, INVALID_PARTITIONS, INVALID_REPLICA_ASSIGNMENT,
/// INVALID_REQUEST (named twice), NOT_CONTROLLER.
public final class CreatePartitionsHandler implements ApiHandler<CreatePartitionsRequest> {
    private final TimedCommands commands;

    public CreatePartitionsHandler(TimedCommands commands) {
        this.commands = commands;
    }

    @Override
    public ApiKey api() {
        return ApiKey.CREATE_PARTITIONS;
    }

    @Override
    public void handle(
            RequestContext context, CreatePartitionsRequest request, Responder responder) {
        Map<String, CreatePartitions> once = new LinkedHashMap<>();
        Map<String, ApiError> doubles = new LinkedHashMap<>();
        for (CreatePartitionsTopic topic : request.topics()) {
            if (once.put(topic.name(), translate(topic)) == null) continue;
            doubles.put(
                    topic.name(),
                    ApiError.of(
                            ErrorCode.INVALID_REQUEST,
                            "Topic %s is in the request more than once: name it once.",
                            topic.name()));
        }
        doubles.keySet().forEach(once::remove);
        List<CreatePartitions> asked = List.copyOf(once.values());
        List<CreatePartitionsTopicResult> results = new ArrayList<>();
        doubles.forEach((name, error) -> results.add(answer(name, error)));
        Failures.whenEnded(
                commands.submit(
                        context,
                        request.timeoutMs(),
                        controller -> controller.createPartitions(asked, request.validateOnly())),
                created -> {
                    created.forEach(c -> results.add(answer(c.name(), c.error())));
                    responder.respond(CreatePartitionsResponse.builder().results(results).build());
                },
                error -> {
                    once.keySet().forEach(name -> results.add(answer(name, error)));
                    responder.respond(CreatePartitionsResponse.builder().results(results).build());
                },
                responder);
    }

    private static CreatePartitions translate(CreatePartitionsTopic topic) {
        List<CreatePartitionsAssignment> assignments = topic.assignments();
        List<List<Integer>> replicas =
                assignments == null
                        ? List.of()
                        : assignments.stream().map(CreatePartitionsAssignment::brokerIds).toList();
        return new CreatePartitions(topic.name(), topic.count(), replicas);
    }

    private static CreatePartitionsTopicResult answer(String topic, ApiError error) {
        return CreatePartitionsTopicResult.builder()
                .name(topic)
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .build();
    }
}

package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.NamedPartition;
import dev.ottla.metadata.controller.ReassignPartition;
import dev.ottla.metadata.controller.ReassignedPartition;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import dev.ottla.wire.message.AlterPartitionReassignmentsResponse;
import dev.ottla.wire.message.AlterPartitionReassignmentsResponse.ReassignablePartitionResponse;
import dev.ottla.wire.message.AlterPartitionReassignmentsResponse.ReassignableTopicResponse;
import dev.ottla.wire.message.ApiKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// AlterPartitionReassignments: moves partitions to other replicas, more of them or fewer, or ends
/// a move (KIP-455). Answers when the moves are begun.
///
/// Errors per partition: UNKNOWN_TOPIC_OR_PARTITION, INVALID_REPLICA_ASSIGNMENT,
/// INVALID_REPLICATION_FACTOR, NO_REASSIGNMENT_IN_PROGRESS, INVALID_REQUEST (named twice). For all:
/// NOT_CONTROLLER, REQUEST_TIMED_OUT.
public final class AlterPartitionReassignmentsHandler
        implements ApiHandler<AlterPartitionReassignmentsRequest> {
    private final TimedCommands commands;

    public AlterPartitionReassignmentsHandler(TimedCommands commands) {
        this.commands = commands;
    }

    @Override
    public ApiKey api() {
        return ApiKey.ALTER_PARTITION_REASSIGNMENTS;
    }

    @Override
    public void handle(
            RequestContext context,
            AlterPartitionReassignmentsRequest request,
            Responder responder) {
        List<ReassignPartition> wanted = wanted(request);
        boolean factorMayChange = request.allowReplicationFactorChange();
        Failures.whenEnded(
                commands.submit(
                        context,
                        request.timeoutMs(),
                        controller -> controller.reassign(wanted, factorMayChange)),
                done -> responder.respond(answer(done, ApiError.NONE, factorMayChange)),
                error -> responder.respond(answer(List.of(), error, factorMayChange)),
                responder);
    }

    private static List<ReassignPartition> wanted(AlterPartitionReassignmentsRequest request) {
        List<ReassignPartition> wanted = new ArrayList<>();
        for (ReassignableTopic topic : request.topics()) {
            for (ReassignablePartition partition : topic.partitions()) {
                wanted.add(
                        new ReassignPartition(
                                new NamedPartition(topic.name(), partition.partitionIndex()),
                                Optional.ofNullable(partition.replicas())));
            }
        }
        return wanted;
    }

    private static AlterPartitionReassignmentsResponse answer(
            List<ReassignedPartition> done, ApiError error, boolean factorMayChange) {
        Map<String, List<ReassignablePartitionResponse>> byTopic = new LinkedHashMap<>();
        for (ReassignedPartition partition : done) {
            byTopic.computeIfAbsent(partition.partition().topic(), _ -> new ArrayList<>())
                    .add(
                            ReassignablePartitionResponse.builder()
                                    .partitionIndex(partition.partition().partition())
                                    .errorCode(partition.error().code().code())
                                    .errorMessage(
                                            partition.error().isNone()
                                                    ? null
                                                    : partition.error().message())
                                    .build());
        }
        List<ReassignableTopicResponse> topics = new ArrayList<>();
        byTopic.forEach((name, partitions) ->
                topics.add(
                        ReassignableTopicResponse.builder()
                                .name(name)
                                .partitions(partitions)
                                .build()));
        return AlterPartitionReassignmentsResponse.builder()
                .allowReplicationFactorChange(factorMayChange)
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .responses(topics)
                .build();
    }
}

package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.ElectedPartition;
import dev.ottla.metadata.controller.Election;
import dev.ottla.metadata.controller.NamedPartition;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ElectLeadersRequest;
import dev.ottla.wire.message.ElectLeadersRequest.TopicPartitions;
import dev.ottla.wire.message.ElectLeadersResponse;
import dev.ottla.wire.message.ElectLeadersResponse.PartitionResult;
import dev.ottla.wire.message.ElectLeadersResponse.ReplicaElectionResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// ElectLeaders: gives partitions back to their preferred leaders, or any leader to those without
/// (KIP-183, KIP-460). Asked for all partitions, it answers for those that needed an election.
///
/// Errors per partition: ELECTION_NOT_NEEDED, PREFERRED_LEADER_NOT_AVAILABLE,
/// ELIGIBLE_LEADERS_NOT_AVAILABLE, UNKNOWN_TOPIC_OR_PARTITION. For all, at the top too from version
/// 1 on: INVALID_REQUEST, NOT_CONTROLLER, REQUEST_TIMED_OUT.
public final class ElectLeadersHandler implements ApiHandler<ElectLeadersRequest> {
    private static final short FIRST_WITH_TOP_ERROR = 1;

    private final TimedCommands commands;

    public ElectLeadersHandler(TimedCommands commands) {
        this.commands = commands;
    }

    @Override
    public ApiKey api() {
        return ApiKey.ELECT_LEADERS;
    }

    @Override
    public void handle(RequestContext context, ElectLeadersRequest request, Responder responder) {
        Election[] elections = Election.values();
        int type = request.electionType();
        if (type < 0 || type >= elections.length) {
            ApiError error =
                    ApiError.of(
                            ErrorCode.INVALID_REQUEST,
                            "Election type %d does not exist: 0 elects preferred leaders, 1 any.",
                            type);
            responder.respond(refuse(request, error, context.version()));
            return;
        }
        Optional<List<NamedPartition>> partitions =
                Optional.ofNullable(request.topicPartitions()).map(ElectLeadersHandler::partitions);
        Failures.whenEnded(
                commands.submit(
                        context,
                        request.timeoutMs(),
                        controller -> controller.electLeaders(elections[type], partitions)),
                elected -> responder.respond(answer(elected)),
                error -> responder.respond(refuse(request, error, context.version())),
                responder);
    }

    private static List<NamedPartition> partitions(List<TopicPartitions> topics) {
        List<NamedPartition> partitions = new ArrayList<>();
        for (TopicPartitions topic : topics) {
            topic.partitions().forEach(p -> partitions.add(new NamedPartition(topic.topic(), p)));
        }
        return partitions;
    }

    private static ElectLeadersResponse refuse(
            ElectLeadersRequest request, ApiError error, short version) {
        List<TopicPartitions> topics = request.topicPartitions();
        List<ElectedPartition> refused =
                partitions(topics == null ? List.of() : topics).stream()
                        .map(p -> new ElectedPartition(p.topic(), p.partition(), error))
                        .toList();
        ElectLeadersResponse answer = answer(refused);
        return version < FIRST_WITH_TOP_ERROR
                ? answer
                : answer.toBuilder().errorCode(error.code().code()).build();
    }

    private static ElectLeadersResponse answer(List<ElectedPartition> elected) {
        Map<String, List<PartitionResult>> byTopic = new LinkedHashMap<>();
        for (ElectedPartition partition : elected) {
            ApiError error = partition.error();
            byTopic.computeIfAbsent(partition.topic(), _ -> new ArrayList<>())
                    .add(
                            PartitionResult.builder()
                                    .partitionId(partition.partition())
                                    .errorCode(error.code().code())
                                    .errorMessage(error.isNone() ? null : error.message())
                                    .build());
        }
        List<ReplicaElectionResult> results = new ArrayList<>();
        byTopic.forEach((topic, partitions) ->
                results.add(
                        ReplicaElectionResult.builder()
                                .topic(topic)
                                .partitionResult(partitions)
                                .build()));
        return ElectLeadersResponse.builder().replicaElectionResults(results).build();
    }
}

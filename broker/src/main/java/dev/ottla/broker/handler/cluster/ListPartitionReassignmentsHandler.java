package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.Outcome;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ListPartitionReassignmentsRequest;
import dev.ottla.wire.message.ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics;
import dev.ottla.wire.message.ListPartitionReassignmentsResponse;
import dev.ottla.wire.message.ListPartitionReassignmentsResponse.OngoingPartitionReassignment;
import dev.ottla.wire.message.ListPartitionReassignmentsResponse.OngoingTopicReassignment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// ListPartitionReassignments: which partitions are on their way to other replicas. Partitions that
/// are not, or do not exist, are left out. The controller answers, so that what it was just told
/// shows.
///
/// Errors for all: NOT_CONTROLLER, REQUEST_TIMED_OUT.
public final class ListPartitionReassignmentsHandler
        implements ApiHandler<ListPartitionReassignmentsRequest> {
    private final TimedCommands commands;

    public ListPartitionReassignmentsHandler(TimedCommands commands) {
        this.commands = commands;
    }

    @Override
    public ApiKey api() {
        return ApiKey.LIST_PARTITION_REASSIGNMENTS;
    }

    @Override
    public void handle(
            RequestContext context,
            ListPartitionReassignmentsRequest request,
            Responder responder) {
        Failures.whenEnded(
                commands.submit(
                        context,
                        request.timeoutMs(),
                        controller -> Outcome.unchanged(ongoing(controller.image(), request))),
                topics -> responder.respond(answer(topics, ApiError.NONE)),
                error -> responder.respond(answer(List.of(), error)),
                responder);
    }

    private static List<OngoingTopicReassignment> ongoing(
            ClusterImage image, ListPartitionReassignmentsRequest request) {
        List<ListPartitionReassignmentsTopics> asked = request.topics();
        List<OngoingTopicReassignment> found = new ArrayList<>();
        if (asked == null) {
            image.topics().stream()
                    .sorted(Comparator.comparing(TopicState::name))
                    .forEach(topic ->
                            ongoing(topic, IntStream.range(0, topic.partitionCount()))
                                    .ifPresent(found::add));
            return found;
        }
        for (ListPartitionReassignmentsTopics topic : asked) {
            image.topic(topic.name())
                    .flatMap(state ->
                            ongoing(
                                    state,
                                    topic.partitionIndexes().stream().mapToInt(Integer::intValue)))
                    .ifPresent(found::add);
        }
        return found;
    }

    private static Optional<OngoingTopicReassignment> ongoing(
            TopicState topic, IntStream partitions) {
        List<OngoingPartitionReassignment> found = new ArrayList<>();
        partitions.forEach(number ->
                topic.partition(number)
                        .filter(PartitionState::isReassigned)
                        .ifPresent(state -> found.add(describe(number, state))));
        if (found.isEmpty()) return Optional.empty();
        return Optional.of(
                OngoingTopicReassignment.builder().name(topic.name()).partitions(found).build());
    }

    private static OngoingPartitionReassignment describe(int number, PartitionState state) {
        return OngoingPartitionReassignment.builder()
                .partitionIndex(number)
                .replicas(state.replicas())
                .addingReplicas(state.addingReplicas())
                .removingReplicas(state.removingReplicas())
                .build();
    }

    private static ListPartitionReassignmentsResponse answer(
            List<OngoingTopicReassignment> topics, ApiError error) {
        return ListPartitionReassignmentsResponse.builder()
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .topics(topics)
                .build();
    }
}

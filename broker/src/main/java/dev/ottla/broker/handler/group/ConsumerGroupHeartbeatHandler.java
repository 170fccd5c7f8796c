package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.consumer.ConsumerHeartbeat;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ConsumerGroupHeartbeatRequest;
import dev.ottla.wire.message.ConsumerGroupHeartbeatRequest.TopicPartitions;
import dev.ottla.wire.message.ConsumerGroupHeartbeatResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// ConsumerGroupHeartbeat: joining, staying, reconciling and leaving in the consumer protocol
/// (KIP-848).
///
/// Errors: INVALID_REQUEST, UNKNOWN_MEMBER_ID, FENCED_MEMBER_EPOCH, UNSUPPORTED_ASSIGNOR,
/// UNRELEASED_INSTANCE_ID, FENCED_INSTANCE_ID, GROUP_MAX_SIZE_REACHED, INVALID_REGULAR_EXPRESSION,
/// GROUP_ID_NOT_FOUND, UNSUPPORTED_VERSION when the protocol is not offered, and those of finding
/// the coordinator.
public final class ConsumerGroupHeartbeatHandler
        implements ApiHandler<ConsumerGroupHeartbeatRequest> {
    private final GroupCoordinators groups;
    private final BooleanSupplier offered;

    /// @param offered whether this broker offers the consumer protocol now
    public ConsumerGroupHeartbeatHandler(GroupCoordinators groups, BooleanSupplier offered) {
        this.groups = groups;
        this.offered = offered;
    }

    @Override
    public ApiKey api() {
        return ApiKey.CONSUMER_GROUP_HEARTBEAT;
    }

    @Override
    public void handle(
            RequestContext context, ConsumerGroupHeartbeatRequest request, Responder responder) {
        if (!offered.getAsBoolean()) {
            responder.respond(refusal(GroupReplies.notOffered("consumer")));
            return;
        }
        ConsumerHeartbeat.Request heartbeat =
                new ConsumerHeartbeat.Request(
                        request.groupId(),
                        request.memberId(),
                        request.memberEpoch(),
                        GroupReplies.client(context),
                        context.version(),
                        Optional.ofNullable(request.instanceId()),
                        Optional.ofNullable(request.rackId()),
                        request.rebalanceTimeoutMs(),
                        Optional.ofNullable(request.subscribedTopicNames()).map(Set::copyOf),
                        Optional.ofNullable(request.subscribedTopicRegex()),
                        Optional.ofNullable(request.serverAssignor()),
                        Optional.ofNullable(request.topicPartitions())
                                .map(ConsumerGroupHeartbeatHandler::translate));
        GroupCoordinators.Operation<ConsumerHeartbeat.Response> operation =
                (coordinator, reply, nowMs) ->
                        coordinator.consumerHeartbeat(heartbeat, reply, nowMs);
        groups.call(
                request.groupId(),
                operation,
                GroupReplies.to(
                        responder,
                        ConsumerGroupHeartbeatHandler::answer,
                        ConsumerGroupHeartbeatHandler::refusal));
    }

    private static ConsumerGroupHeartbeatResponse refusal(Refusal refusal) {
        return ConsumerGroupHeartbeatResponse.builder()
                .errorCode(refusal.error().code())
                .errorMessage(refusal.message())
                .build();
    }

    private static Assignment translate(List<TopicPartitions> topics) {
        Map<Uuid, PartitionSet> partitions = new HashMap<>();
        topics.forEach(
                topic -> partitions.put(topic.topicId(), PartitionSet.of(topic.partitions())));
        return new Assignment(partitions);
    }

    private static ConsumerGroupHeartbeatResponse answer(ConsumerHeartbeat.Response response) {
        return ConsumerGroupHeartbeatResponse.builder()
                .memberId(response.memberId())
                .memberEpoch(response.memberEpoch())
                .heartbeatIntervalMs(response.heartbeatIntervalMs())
                .assignment(
                        response.assignment()
                                .map(ConsumerGroupHeartbeatHandler::describe)
                                .orElse(null))
                .build();
    }

    private static ConsumerGroupHeartbeatResponse.Assignment describe(Assignment assignment) {
        return ConsumerGroupHeartbeatResponse.Assignment.builder()
                .topicPartitions(
                        assignment.topics().entrySet().stream()
                                .map(topic ->
                                        ConsumerGroupHeartbeatResponse.TopicPartitions.builder()
                                                .topicId(topic.getKey())
                                                .partitions(
                                                        topic.getValue().stream().boxed().toList())
                                                .build())
                                .toList())
                .build();
    }
}

package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.handler.cluster.AuthorizedOperations;
import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.consumer.DescribedConsumerGroup;
import dev.ottla.group.shell.Refusal;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ConsumerGroupDescribeRequest;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse.Assignment;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse.DescribedGroup;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse.Member;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse.TopicPartitions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// ConsumerGroupDescribe: state, members, owned and target partitions of groups of the consumer
/// protocol (KIP-848, KIP-1099).
///
/// Errors per group: GROUP_ID_NOT_FOUND, INVALID_GROUP_ID, UNSUPPORTED_VERSION when the protocol is
/// not offered, and those of finding the coordinator.
public final class ConsumerGroupDescribeHandler
        implements ApiHandler<ConsumerGroupDescribeRequest> {
    private static final byte CLASSIC_MEMBER = 0;
    private static final byte CONSUMER_MEMBER = 1;

    private final ClusterView cluster;
    private final GroupCoordinators groups;
    private final BooleanSupplier offered;

    /// @param offered whether this broker offers the consumer protocol now
    public ConsumerGroupDescribeHandler(
            ClusterView cluster, GroupCoordinators groups, BooleanSupplier offered) {
        this.cluster = cluster;
        this.groups = groups;
        this.offered = offered;
    }

    @Override
    public ApiKey api() {
        return ApiKey.CONSUMER_GROUP_DESCRIBE;
    }

    @Override
    public void handle(
            RequestContext context, ConsumerGroupDescribeRequest request, Responder responder) {
        GroupReplies.<String, DescribedGroup>forEach(
                request.groupIds(),
                (groupId, answer) ->
                        describe(groupId, request.includeAuthorizedOperations(), answer, responder),
                answers ->
                        responder.respond(
                                ConsumerGroupDescribeResponse.builder().groups(answers).build()));
    }

    private void describe(
            String groupId,
            boolean operations,
            Consumer<DescribedGroup> done,
            Responder responder) {
        if (!offered.getAsBoolean()) {
            done.accept(refusal(groupId, GroupReplies.notOffered("consumer")));
            return;
        }
        GroupCoordinators.Operation<DescribedConsumerGroup> operation =
                (coordinator, reply, nowMs) ->
                        coordinator.describeConsumerGroup(groupId, reply, nowMs);
        groups.read(
                groupId,
                operation,
                GroupReplies.of(
                        responder,
                        group -> done.accept(describe(group, operations)),
                        refusal -> done.accept(refusal(groupId, refusal))));
    }

    private static DescribedGroup refusal(String groupId, Refusal refusal) {
        return DescribedGroup.builder()
                .groupId(groupId)
                .errorCode(refusal.error().code())
                .errorMessage(refusal.message())
                .build();
    }

    private DescribedGroup describe(DescribedConsumerGroup group, boolean operations) {
        ClusterImage image = cluster.image();
        return DescribedGroup.builder()
                .groupId(group.groupId())
                .groupState(group.state())
                .groupEpoch(group.groupEpoch())
                .assignmentEpoch(group.assignmentEpoch())
                .assignorName(group.assignorName())
                .members(group.members().stream().map(member -> describe(member, image)).toList())
                .authorizedOperations(AuthorizedOperations.onGroup(operations))
                .build();
    }

    private static Member describe(DescribedConsumerGroup.Member member, ClusterImage image) {
        return Member.builder()
                .memberId(member.memberId())
                .instanceId(member.instanceId().orElse(null))
                .rackId(member.rackId().orElse(null))
                .memberEpoch(member.memberEpoch())
                .clientId(member.clientId())
                .clientHost(member.clientHost())
                .subscribedTopicNames(member.subscribedTopicNames().stream().sorted().toList())
                .subscribedTopicRegex(member.subscribedTopicRegex().orElse(null))
                .assignment(describe(member.assigned(), image))
                .targetAssignment(describe(member.target(), image))
                .memberType(member.classic() ? CLASSIC_MEMBER : CONSUMER_MEMBER)
                .build();
    }

    /// Topics that are gone by now have no name to be told by and are left out.
    private static Assignment describe(
            dev.ottla.group.partition.Assignment assignment, ClusterImage image) {
        List<TopicPartitions> topics = new ArrayList<>();
        assignment
                .topics()
                .forEach((id, partitions) ->
                        image.topic(id)
                                .ifPresent(topic ->
                                        topics.add(
                                                TopicPartitions.builder()
                                                        .topicId(id)
                                                        .topicName(topic.name())
                                                        .partitions(
                                                                partitions.stream()
                                                                        .boxed()
                                                                        .toList())
                                                        .build())));
        return Assignment.builder().topicPartitions(topics).build();
    }
}

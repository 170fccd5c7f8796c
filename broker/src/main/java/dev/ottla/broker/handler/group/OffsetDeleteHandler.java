package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.offset.OffsetDelete;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.OffsetDeleteRequest;
import dev.ottla.wire.message.OffsetDeleteRequest.OffsetDeleteRequestPartition;
import dev.ottla.wire.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import dev.ottla.wire.message.OffsetDeleteResponse;
import dev.ottla.wire.message.OffsetDeleteResponse.OffsetDeleteResponsePartition;
import dev.ottla.wire.message.OffsetDeleteResponse.OffsetDeleteResponseTopic;
import java.util.ArrayList;
import java.util.List;

/// OffsetDelete: forget committed offsets of topics that the group does not read (KIP-496).
///
/// Errors per partition: UNKNOWN_TOPIC_OR_PARTITION, GROUP_SUBSCRIBED_TO_TOPIC; for all:
/// GROUP_ID_NOT_FOUND, NON_EMPTY_GROUP, INVALID_GROUP_ID, and those of finding the coordinator.
public final class OffsetDeleteHandler implements ApiHandler<OffsetDeleteRequest> {
    private final ClusterView cluster;
    private final GroupCoordinators groups;

    public OffsetDeleteHandler(ClusterView cluster, GroupCoordinators groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.OFFSET_DELETE;
    }

    @Override
    public void handle(RequestContext context, OffsetDeleteRequest request, Responder responder) {
        ClusterImage image = cluster.image();
        List<OffsetDeleteResponseTopic> unknown = new ArrayList<>();
        List<OffsetDelete.Topic> known = new ArrayList<>();
        for (OffsetDeleteRequestTopic topic : request.topics()) {
            List<Integer> partitions =
                    topic.partitions().stream()
                            .map(OffsetDeleteRequestPartition::partitionIndex)
                            .toList();
            if (image.topic(topic.name()).isPresent()) {
                known.add(new OffsetDelete.Topic(topic.name(), partitions));
            } else {
                unknown.add(unknown(topic.name(), partitions));
            }
        }
        OffsetDelete.Request delete = new OffsetDelete.Request(request.groupId(), known);
        GroupCoordinators.Operation<OffsetDelete.Response> operation =
                (coordinator, reply, nowMs) -> coordinator.offsetDelete(delete, reply, nowMs);
        groups.call(
                request.groupId(),
                operation,
                GroupReplies.to(
                        responder,
                        deleted -> answer(deleted, unknown),
                        refusal ->
                                OffsetDeleteResponse.builder()
                                        .errorCode(refusal.error().code())
                                        .build()));
    }

    private static OffsetDeleteResponse answer(
            OffsetDelete.Response deleted, List<OffsetDeleteResponseTopic> unknown) {
        List<OffsetDeleteResponseTopic> topics = new ArrayList<>(unknown);
        for (OffsetDelete.TopicResult topic : deleted.topics()) {
            topics.add(
                    OffsetDeleteResponseTopic.builder()
                            .name(topic.name())
                            .partitions(
                                    topic.partitions().stream()
                                            .map(p -> partition(p.partition(), p.error()))
                                            .toList())
                            .build());
        }
        return OffsetDeleteResponse.builder().topics(topics).build();
    }

    private static OffsetDeleteResponseTopic unknown(String topic, List<Integer> partitions) {
        return OffsetDeleteResponseTopic.builder()
                .name(topic)
                .partitions(
                        partitions.stream()
                                .map(p -> partition(p, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
                                .toList())
                .build();
    }

    private static OffsetDeleteResponsePartition partition(int number, ErrorCode error) {
        return OffsetDeleteResponsePartition.builder()
                .partitionIndex(number)
                .errorCode(error.code())
                .build();
    }
}

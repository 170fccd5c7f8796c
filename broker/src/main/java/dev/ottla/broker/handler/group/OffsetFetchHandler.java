package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.OffsetFetchRequest;
import dev.ottla.wire.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import dev.ottla.wire.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import dev.ottla.wire.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import dev.ottla.wire.message.OffsetFetchResponse;
import dev.ottla.wire.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import dev.ottla.wire.message.OffsetFetchResponse.OffsetFetchResponsePartition;
import dev.ottla.wire.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import dev.ottla.wire.message.OffsetFetchResponse.OffsetFetchResponseTopic;
import dev.ottla.wire.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// OffsetFetch: the committed offsets of one group (to version 7) or of several (KIP-709), by topic
/// name or, from version 10 on, by topic id.
///
/// Errors per partition: UNKNOWN_TOPIC_ID, UNSTABLE_OFFSET_COMMIT; per group: UNKNOWN_MEMBER_ID,
/// STALE_MEMBER_EPOCH, INVALID_GROUP_ID, and those of finding the coordinator. A partition without
/// a commit has the offset -1.
public final class OffsetFetchHandler implements ApiHandler<OffsetFetchRequest> {
    private static final short FIRST_WITH_TOP_LEVEL_ERROR = 2;
    private static final short FIRST_WITH_GROUPS = 8;
    private static final short FIRST_WITH_TOPIC_IDS = 10;
    private static final long NO_OFFSET = -1;

    private final ClusterView cluster;
    private final GroupCoordinators groups;

    public OffsetFetchHandler(ClusterView cluster, GroupCoordinators groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.OFFSET_FETCH;
    }

    @Override
    public void handle(RequestContext context, OffsetFetchRequest request, Responder responder) {
        if (context.version() < FIRST_WITH_GROUPS) {
            fetch(
                    onlyGroup(request),
                    request.requireStable(),
                    false,
                    group -> responder.respond(oldAnswer(request, group, context.version())),
                    responder);
            return;
        }
        boolean byId = context.version() >= FIRST_WITH_TOPIC_IDS;
        GroupReplies.<OffsetFetchRequestGroup, OffsetFetchResponseGroup>forEach(
                request.groups(),
                (group, answer) -> fetch(group, request.requireStable(), byId, answer, responder),
                answers ->
                        responder.respond(OffsetFetchResponse.builder().groups(answers).build()));
    }

    private static OffsetFetchRequestGroup onlyGroup(OffsetFetchRequest request) {
        List<OffsetFetchRequestTopic> topics = request.topics();
        return OffsetFetchRequestGroup.builder()
                .groupId(request.groupId())
                .topics(
                        topics == null
                                ? null
                                : topics.stream()
                                        .map(topic ->
                                                OffsetFetchRequestTopics.builder()
                                                        .name(topic.name())
                                                        .partitionIndexes(topic.partitionIndexes())
                                                        .build())
                                        .toList())
                .build();
    }

    private void fetch(
            OffsetFetchRequestGroup group,
            boolean requireStable,
            boolean byId,
            Consumer<OffsetFetchResponseGroup> done,
            Responder responder) {
        ClusterImage image = cluster.image();
        List<OffsetFetchResponseTopics> unknown = new ArrayList<>();
        List<OffsetFetch.Topic> known = new ArrayList<>();
        List<OffsetFetchRequestTopics> asked = group.topics();
        if (asked != null) {
            for (OffsetFetchRequestTopics topic : asked) {
                Optional<TopicState> found =
                        byId ? image.topic(topic.topicId()) : image.topic(topic.name());
                if (byId && found.isEmpty()) {
                    unknown.add(unknown(topic));
                } else {
                    known.add(
                            new OffsetFetch.Topic(
                                    found.map(TopicState::name).orElse(topic.name()),
                                    found.map(TopicState::id).orElse(Uuid.ZERO),
                                    topic.partitionIndexes()));
                }
            }
        }
        OffsetFetch.Request fetch =
                new OffsetFetch.Request(
                        group.groupId(),
                        Optional.ofNullable(group.memberId()),
                        group.memberEpoch(),
                        asked == null ? Optional.empty() : Optional.of(known),
                        requireStable);
        GroupCoordinators.Operation<OffsetFetch.Response> operation =
                (coordinator, reply, nowMs) -> coordinator.offsetFetch(fetch, reply, nowMs);
        groups.read(
                group.groupId(),
                operation,
                GroupReplies.of(
                        responder,
                        fetched -> done.accept(answer(group.groupId(), fetched, unknown, byId)),
                        refusal ->
                                done.accept(
                                        OffsetFetchResponseGroup.builder()
                                                .groupId(group.groupId())
                                                .errorCode(refusal.error().code())
                                                .build())));
    }

    private OffsetFetchResponseGroup answer(
            String groupId,
            OffsetFetch.Response fetched,
            List<OffsetFetchResponseTopics> unknown,
            boolean byId) {
        ClusterImage image = cluster.image();
        List<OffsetFetchResponseTopics> topics = new ArrayList<>(unknown);
        for (OffsetFetch.TopicResult topic : fetched.topics()) {
            OffsetFetchResponseTopics.Builder answer =
                    OffsetFetchResponseTopics.builder()
                            .partitions(
                                    topic.partitions().stream()
                                            .map(OffsetFetchHandler::describe)
                                            .toList());
            if (!byId) {
                topics.add(answer.name(topic.name()).build());
                continue;
            }
            // Without an id a client of this version could not tell which topic is meant.
            Optional<Uuid> id =
                    topic.topicId().isZero()
                            ? image.topic(topic.name()).map(TopicState::id)
                            : Optional.of(topic.topicId());
            id.ifPresent(known -> topics.add(answer.topicId(known).build()));
        }
        return OffsetFetchResponseGroup.builder().groupId(groupId).topics(topics).build();
    }

    private static OffsetFetchResponsePartitions describe(OffsetFetch.PartitionResult partition) {
        return OffsetFetchResponsePartitions.builder()
                .partitionIndex(partition.partition())
                .committedOffset(partition.offset())
                .committedLeaderEpoch(partition.leaderEpoch())
                .metadata(partition.metadata())
                .errorCode(partition.error().code())
                .build();
    }

    private static OffsetFetchResponseTopics unknown(OffsetFetchRequestTopics topic) {
        return OffsetFetchResponseTopics.builder()
                .topicId(topic.topicId())
                .partitions(
                        topic.partitionIndexes().stream()
                                .map(number ->
                                        OffsetFetchResponsePartitions.builder()
                                                .partitionIndex(number)
                                                .committedOffset(NO_OFFSET)
                                                .metadata("")
                                                .errorCode(ErrorCode.UNKNOWN_TOPIC_ID.code())
                                                .build())
                                .toList())
                .build();
    }

    private static OffsetFetchResponse oldAnswer(
            OffsetFetchRequest request, OffsetFetchResponseGroup group, short version) {
        OffsetFetchResponse.Builder response = OffsetFetchResponse.builder();
        if (version >= FIRST_WITH_TOP_LEVEL_ERROR) response.errorCode(group.errorCode());
        boolean errorInPartitions =
                group.errorCode() != ErrorCode.NONE.code() && version < FIRST_WITH_TOP_LEVEL_ERROR;
        List<OffsetFetchRequestTopic> asked = request.topics();
        if (errorInPartitions && asked != null) {
            return response.topics(
                            asked.stream().map(topic -> failed(topic, group.errorCode())).toList())
                    .build();
        }
        return response.topics(group.topics().stream().map(OffsetFetchHandler::old).toList())
                .build();
    }

    private static OffsetFetchResponseTopic failed(OffsetFetchRequestTopic topic, short errorCode) {
        return OffsetFetchResponseTopic.builder()
                .name(topic.name())
                .partitions(
                        topic.partitionIndexes().stream()
                                .map(number ->
                                        OffsetFetchResponsePartition.builder()
                                                .partitionIndex(number)
                                                .committedOffset(NO_OFFSET)
                                                .metadata("")
                                                .errorCode(errorCode)
                                                .build())
                                .toList())
                .build();
    }

    private static OffsetFetchResponseTopic old(OffsetFetchResponseTopics topic) {
        return OffsetFetchResponseTopic.builder()
                .name(topic.name())
                .partitions(
                        topic.partitions().stream()
                                .map(p ->
                                        OffsetFetchResponsePartition.builder()
                                                .partitionIndex(p.partitionIndex())
                                                .committedOffset(p.committedOffset())
                                                .committedLeaderEpoch(p.committedLeaderEpoch())
                                                .metadata(p.metadata())
                                                .errorCode(p.errorCode())
                                                .build())
                                .toList())
                .build();
    }
}

package dev.ottla.broker.handler.group;

import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.OffsetCommitRequest;
import dev.ottla.wire.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import dev.ottla.wire.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import dev.ottla.wire.message.OffsetCommitResponse;
import dev.ottla.wire.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import dev.ottla.wire.message.OffsetCommitResponse.OffsetCommitResponseTopic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// OffsetCommit: how far a group, or a client without a group's membership, has read.
///
/// Errors per partition: UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_ID, OFFSET_METADATA_TOO_LARGE,
/// and everything that refuses the whole commit: ILLEGAL_GENERATION, UNKNOWN_MEMBER_ID,
/// FENCED_INSTANCE_ID, REBALANCE_IN_PROGRESS, STALE_MEMBER_EPOCH, GROUP_ID_NOT_FOUND,
/// INVALID_GROUP_ID, and those of finding the coordinator.
public final class OffsetCommitHandler implements ApiHandler<OffsetCommitRequest> {
    private static final short FIRST_WITH_TOPIC_IDS = 10;

    private final ClusterView cluster;
    private final GroupCoordinators groups;

    public OffsetCommitHandler(ClusterView cluster, GroupCoordinators groups) {
        this.cluster = cluster;
        this.groups = groups;
    }

    @Override
    public ApiKey api() {
        return ApiKey.OFFSET_COMMIT;
    }

    @Override
    public void handle(RequestContext context, OffsetCommitRequest request, Responder responder) {
        boolean byId = context.version() >= FIRST_WITH_TOPIC_IDS;
        ClusterImage image = cluster.image();
        List<OffsetCommitResponseTopic> unknown = new ArrayList<>();
        List<OffsetCommitRequestTopic> askable = new ArrayList<>();
        List<OffsetCommit.Topic> known = new ArrayList<>();
        for (OffsetCommitRequestTopic topic : request.topics()) {
            Optional<TopicState> found =
                    byId ? image.topic(topic.topicId()) : image.topic(topic.name());
            if (found.isEmpty()) {
                unknown.add(
                        failed(
                                topic,
                                byId
                                        ? ErrorCode.UNKNOWN_TOPIC_ID
                                        : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION));
                continue;
            }
            OffsetCommitRequestTopic there = only(topic, found.get(), true);
            OffsetCommitRequestTopic missing = only(topic, found.get(), false);
            if (!missing.partitions().isEmpty()) {
                unknown.add(failed(missing, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION));
            }
            if (missing.partitions().isEmpty() || !there.partitions().isEmpty()) {
                askable.add(there);
                known.add(translate(found.get(), there));
            }
        }
        if (known.isEmpty() && !unknown.isEmpty()) {
            responder.respond(OffsetCommitResponse.builder().topics(unknown).build());
            return;
        }
        OffsetCommit.Request commit =
                new OffsetCommit.Request(
                        request.groupId(),
                        GroupReplies.member(request.memberId(), request.groupInstanceId()),
                        request.generationIdOrMemberEpoch(),
                        context.version(),
                        request.retentionTimeMs() < 0
                                ? OptionalLong.empty()
                                : OptionalLong.of(request.retentionTimeMs()),
                        known);
        GroupCoordinators.Operation<OffsetCommit.Response> operation =
                (coordinator, reply, nowMs) -> coordinator.offsetCommit(commit, reply, nowMs);
        groups.call(
                request.groupId(),
                operation,
                GroupReplies.to(
                        responder,
                        committed -> answer(committed, unknown, byId),
                        refusal ->
                                merged(
                                        unknown,
                                        askable.stream()
                                                .map(topic -> failed(topic, refusal.error()))
                                                .toList())));
    }

    /// `asked` with those of its partitions that `topic` has, or with the others.
    private static OffsetCommitRequestTopic only(
            OffsetCommitRequestTopic asked, TopicState topic, boolean present) {
        return asked.toBuilder()
                .partitions(
                        asked.partitions().stream()
                                .filter(partition ->
                                        topic.partition(partition.partitionIndex()).isPresent()
                                                == present)
                                .toList())
                .build();
    }

    private static OffsetCommit.Topic translate(TopicState topic, OffsetCommitRequestTopic asked) {
        return new OffsetCommit.Topic(
                topic.name(),
                topic.id(),
                asked.partitions().stream().map(OffsetCommitHandler::translate).toList());
    }

    private static OffsetCommit.Partition translate(OffsetCommitRequestPartition partition) {
        String metadata = partition.committedMetadata();
        return new OffsetCommit.Partition(
                partition.partitionIndex(),
                partition.committedOffset(),
                partition.committedLeaderEpoch(),
                metadata == null ? "" : metadata);
    }

    private static OffsetCommitResponse answer(
            OffsetCommit.Response committed,
            List<OffsetCommitResponseTopic> unknown,
            boolean byId) {
        List<OffsetCommitResponseTopic> topics = new ArrayList<>();
        for (OffsetCommit.TopicResult topic : committed.topics()) {
            OffsetCommitResponseTopic.Builder answer =
                    OffsetCommitResponseTopic.builder()
                            .partitions(
                                    topic.partitions().stream()
                                            .map(p -> partition(p.partition(), p.error()))
                                            .toList());
            topics.add(
                    byId
                            ? answer.topicId(topic.topicId()).build()
                            : answer.name(topic.name()).build());
        }
        return merged(unknown, topics);
    }

    /// One entry for each topic, though some of its partitions were refused before the others were
    /// asked about.
    private static OffsetCommitResponse merged(
            List<OffsetCommitResponseTopic> before, List<OffsetCommitResponseTopic> after) {
        record Topic(String name, Uuid id) {}
        Map<Topic, OffsetCommitResponseTopic> topics = new LinkedHashMap<>();
        for (OffsetCommitResponseTopic topic : concat(before, after)) {
            topics.merge(
                    new Topic(topic.name(), topic.topicId()),
                    topic,
                    (one, other) ->
                            one.toBuilder()
                                    .partitions(concat(one.partitions(), other.partitions()))
                                    .build());
        }
        return OffsetCommitResponse.builder().topics(List.copyOf(topics.values())).build();
    }

    private static <T> List<T> concat(List<T> one, List<T> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    private static OffsetCommitResponseTopic failed(
            OffsetCommitRequestTopic topic, ErrorCode error) {
        return OffsetCommitResponseTopic.builder()
                .name(topic.name())
                .topicId(topic.topicId())
                .partitions(
                        topic.partitions().stream()
                                .map(p -> partition(p.partitionIndex(), error))
                                .toList())
                .build();
    }

    private static OffsetCommitResponsePartition partition(int number, ErrorCode error) {
        return OffsetCommitResponsePartition.builder()
                .partitionIndex(number)
                .errorCode(error.code())
                .build();
    }
}

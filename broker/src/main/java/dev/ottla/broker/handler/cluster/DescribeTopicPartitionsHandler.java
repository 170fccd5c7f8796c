package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.TopicNames;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeTopicPartitionsRequest;
import dev.ottla.wire.message.DescribeTopicPartitionsRequest.TopicRequest;
import dev.ottla.wire.message.DescribeTopicPartitionsResponse;
import dev.ottla.wire.message.DescribeTopicPartitionsResponse.Cursor;
import dev.ottla.wire.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponsePartition;
import dev.ottla.wire.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// DescribeTopicPartitions: partitions with their eligible leader replicas, a page at a time
/// (KIP-966). Pages are in the order of topic names; the cursor is where the next page starts.
///
/// Errors per topic: UNKNOWN_TOPIC_OR_PARTITION, INVALID_TOPIC_EXCEPTION, INVALID_REQUEST (a cursor
/// that points nowhere); per partition LEADER_NOT_AVAILABLE.
public final class DescribeTopicPartitionsHandler
        implements ApiHandler<DescribeTopicPartitionsRequest> {
    private final ClusterView cluster;
    private final int maxPartitions;

    /// @param maxPartitions the most that one answer holds (`max.request.partition.size.limit`)
    public DescribeTopicPartitionsHandler(ClusterView cluster, int maxPartitions) {
        this.cluster = cluster;
        this.maxPartitions = maxPartitions;
    }

    @Override
    public ApiKey api() {
        return ApiKey.DESCRIBE_TOPIC_PARTITIONS;
    }

    @Override
    public void handle(
            RequestContext context, DescribeTopicPartitionsRequest request, Responder responder) {
        DescribeTopicPartitionsRequest.Cursor cursor = request.cursor();
        if (cursor != null && cursor.partitionIndex() < 0) {
            responder.respond(refusal(request));
            return;
        }
        ClusterImage image = cluster.image();
        boolean all = request.topics().isEmpty();
        Collection<String> names = new TreeSet<>();
        if (all) {
            image.topics().forEach(topic -> names.add(topic.name()));
        } else {
            request.topics().forEach(topic -> names.add(topic.name()));
        }
        String firstTopic = cursor == null ? "" : cursor.topicName();
        names.removeIf(name -> name.compareTo(firstTopic) < 0);

        int limit = Math.min(maxPartitions, request.responsePartitionLimit());
        Page page = new Page(image, Math.max(1, limit));
        for (String name : names) {
            if (page.isFull(name)) break;
            int first = cursor != null && name.equals(firstTopic) ? cursor.partitionIndex() : 0;
            page.add(name, first);
        }
        responder.respond(page.response());
    }

    private static DescribeTopicPartitionsResponse refusal(DescribeTopicPartitionsRequest request) {
        return DescribeTopicPartitionsResponse.builder()
                .topics(
                        request.topics().stream()
                                .map(TopicRequest::name)
                                .map(name -> unusable(name, ErrorCode.INVALID_REQUEST))
                                .toList())
                .build();
    }

    private static DescribeTopicPartitionsResponseTopic unusable(String name, ErrorCode error) {
        return DescribeTopicPartitionsResponseTopic.builder()
                .errorCode(error.code())
                .name(name)
                .isInternal(InternalTopics.contains(name))
                .build();
    }

    /// One answer while it fills up. Used by one thread.
    private static final class Page {
        private final ClusterImage image;
        private final List<DescribeTopicPartitionsResponseTopic> topics = new ArrayList<>();
        private int room;
        private @Nullable Cursor next;

        Page(ClusterImage image, int limit) {
            this.image = image;
            this.room = limit;
        }

        /// Whether nothing more fits; `following` is then where the next page starts.
        boolean isFull(String following) {
            if (room > 0) return false;
            if (next == null) next = new Cursor(following, 0, List.of());
            return true;
        }

        void add(String name, int firstPartition) {
            if (TopicNames.problem(name).isPresent()) {
                topics.add(unusable(name, ErrorCode.INVALID_TOPIC_EXCEPTION));
                return;
            }
            image.topic(name)
                    .ifPresentOrElse(
                            topic -> add(topic, firstPartition),
                            () -> topics.add(unusable(name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)));
        }

        private void add(TopicState topic, int firstPartition) {
            int end = (int) Math.min(topic.partitionCount(), (long) firstPartition + room);
            List<DescribeTopicPartitionsResponsePartition> partitions = new ArrayList<>();
            for (int number = firstPartition; number < end; number++) {
                partitions.add(describe(number, topic.partitions().get(number)));
            }
            room -= partitions.size();
            if (end < topic.partitionCount()) next = new Cursor(topic.name(), end, List.of());
            topics.add(
                    DescribeTopicPartitionsResponseTopic.builder()
                            .name(topic.name())
                            .topicId(topic.id())
                            .isInternal(InternalTopics.contains(topic.name()))
                            .partitions(partitions)
                            .topicAuthorizedOperations(AuthorizedOperations.onTopic(true))
                            .build());
        }

        private DescribeTopicPartitionsResponsePartition describe(
                int number, PartitionState partition) {
            boolean led =
                    image.broker(partition.leader()).filter(broker -> !broker.fenced()).isPresent();
            ErrorCode error = led ? ErrorCode.NONE : ErrorCode.LEADER_NOT_AVAILABLE;
            return DescribeTopicPartitionsResponsePartition.builder()
                    .errorCode(error.code())
                    .partitionIndex(number)
                    .leaderId(led ? partition.leader() : PartitionState.NO_LEADER)
                    .leaderEpoch(partition.leaderEpoch())
                    .replicaNodes(partition.replicas())
                    .isrNodes(partition.isr())
                    .eligibleLeaderReplicas(partition.elr())
                    .lastKnownElr(partition.lastKnownElr())
                    .offlineReplicas(ClusterView.offlineReplicas(image, partition))
                    .build();
        }

        DescribeTopicPartitionsResponse response() {
            return DescribeTopicPartitionsResponse.builder()
                    .topics(topics)
                    .nextCursor(next)
                    .build();
        }
    }
}

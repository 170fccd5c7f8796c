package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.controller.TopicNames;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataRequest.MetadataRequestTopic;
import dev.ottla.wire.message.MetadataResponse;
import dev.ottla.wire.message.MetadataResponse.MetadataResponseBroker;
import dev.ottla.wire.message.MetadataResponse.MetadataResponsePartition;
import dev.ottla.wire.message.MetadataResponse.MetadataResponseTopic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Metadata: brokers, and topics with their partitions and leaders; creates missing topics when
/// both the client and `auto.create.topics.enable` allow it.
///
/// Errors per topic: UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_ID, INVALID_TOPIC_EXCEPTION,
/// LEADER_NOT_AVAILABLE, or why a topic could not be created; per partition: LEADER_NOT_AVAILABLE,
/// LISTENER_NOT_FOUND.
public final class MetadataHandler implements ApiHandler<MetadataRequest> {
    private static final short FIRST_WITH_NULL_FOR_ALL = 1;
    private static final short FIRST_WITH_TOPIC_IDS = 12;

    private final ClusterView cluster;
    private final AutoTopicCreation creation;

    public MetadataHandler(ClusterView cluster, AutoTopicCreation creation) {
        this.cluster = cluster;
        this.creation = creation;
    }

    @Override
    public ApiKey api() {
        return ApiKey.METADATA;
    }

    @Override
    public void handle(RequestContext context, MetadataRequest request, Responder responder) {
        List<MetadataRequestTopic> asked = request.topics();
        if (asked == null || (asked.isEmpty() && context.version() < FIRST_WITH_NULL_FOR_ALL)) {
            responder.respond(answer(context, request, allTopics(context, request)));
            return;
        }
        if (asked.stream().anyMatch(topic -> !isReadable(topic, context.version()))) {
            responder.respond(
                    answer(
                            context,
                            request,
                            asked.stream().map(MetadataHandler::refused).toList()));
            return;
        }
        List<String> missing = missing(asked);
        if (missing.isEmpty() || !request.allowAutoTopicCreation() || !creation.isEnabled()) {
            respond(context, request, asked, Map.of(), responder);
        } else {
            creation.create(
                    missing,
                    errors -> respond(context, request, asked, errors, responder),
                    responder);
        }
    }

    /// Two versions have a field for the id without letting clients ask by it.
    private static boolean isReadable(MetadataRequestTopic topic, short version) {
        return version >= FIRST_WITH_TOPIC_IDS
                || (topic.name() != null && topic.topicId().isZero());
    }

    private static MetadataResponseTopic refused(MetadataRequestTopic topic) {
        String name = topic.name() == null ? "" : topic.name();
        return unknown(name, topic.topicId(), ErrorCode.INVALID_REQUEST);
    }

    private List<String> missing(List<MetadataRequestTopic> asked) {
        ClusterImage image = cluster.image();
        List<String> missing = new ArrayList<>();
        for (MetadataRequestTopic topic : asked) {
            String name = topic.name();
            if (name != null && topic.topicId().isZero() && image.topic(name).isEmpty()) {
                missing.add(name);
            }
        }
        return missing;
    }

    private void respond(
            RequestContext context,
            MetadataRequest request,
            List<MetadataRequestTopic> asked,
            Map<String, ErrorCode> creationErrors,
            Responder responder) {
        ClusterImage image = cluster.image();
        Map<Object, MetadataResponseTopic> topics = new LinkedHashMap<>();
        for (MetadataRequestTopic topic : asked) {
            String name = topic.name();
            MetadataResponseTopic answer;
            if (!topic.topicId().isZero()) {
                answer =
                        image.topic(topic.topicId())
                                .map(found -> describe(image, found, context, request))
                                .orElseGet(() ->
                                        unknown(null, topic.topicId(), ErrorCode.UNKNOWN_TOPIC_ID));
            } else if (name == null) {
                answer = unknown(null, Uuid.ZERO, ErrorCode.UNKNOWN_TOPIC_ID);
            } else {
                ErrorCode otherwise =
                        TopicNames.problem(name).isPresent()
                                ? ErrorCode.INVALID_TOPIC_EXCEPTION
                                : creationErrors.getOrDefault(
                                        name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
                answer =
                        image.topic(name)
                                .map(found -> describe(image, found, context, request))
                                .orElseGet(() -> unknown(name, Uuid.ZERO, otherwise));
            }
            // Clients that ask by id leave all the names empty, so the id tells them apart.
            topics.put(name == null || !topic.topicId().isZero() ? topic.topicId() : name, answer);
        }
        responder.respond(answer(context, request, List.copyOf(topics.values())));
    }

    private List<MetadataResponseTopic> allTopics(RequestContext context, MetadataRequest request) {
        ClusterImage image = cluster.image();
        return image.topics().stream()
                .map(topic -> describe(image, topic, context, request))
                .toList();
    }

    private MetadataResponse answer(
            RequestContext context, MetadataRequest request, List<MetadataResponseTopic> topics) {
        ClusterImage image = cluster.image();
        List<MetadataResponseBroker> brokers = new ArrayList<>();
        for (BrokerState broker : image.brokers().values()) {
            if (broker.fenced()) continue;
            cluster.endpoint(broker, context.connection())
                    .ifPresent(endpoint -> brokers.add(describe(broker, endpoint)));
        }
        MetadataResponse.Builder response =
                MetadataResponse.builder()
                        .brokers(brokers)
                        .clusterId(cluster.clusterId())
                        .controllerId(cluster.controllerId(image))
                        .topics(topics);
        // Later versions have DescribeCluster for this and no field here.
        if (context.version() <= 10) {
            response.clusterAuthorizedOperations(
                    AuthorizedOperations.onCluster(request.includeClusterAuthorizedOperations()));
        }
        return response.build();
    }

    private static MetadataResponseBroker describe(BrokerState broker, HostPort endpoint) {
        return MetadataResponseBroker.builder()
                .nodeId(broker.id())
                .host(endpoint.host())
                .port(endpoint.port())
                .rack(broker.rack().orElse(null))
                .build();
    }

    private MetadataResponseTopic describe(
            ClusterImage image, TopicState topic, RequestContext context, MetadataRequest request) {
        List<MetadataResponsePartition> partitions = new ArrayList<>(topic.partitionCount());
        for (int number = 0; number < topic.partitionCount(); number++) {
            partitions.add(
                    describe(image, number, topic.partitions().get(number), context.connection()));
        }
        return MetadataResponseTopic.builder()
                .name(topic.name())
                .topicId(topic.id())
                .isInternal(InternalTopics.contains(topic.name()))
                .partitions(partitions)
                .topicAuthorizedOperations(
                        AuthorizedOperations.onTopic(request.includeTopicAuthorizedOperations()))
                .build();
    }

    private MetadataResponsePartition describe(
            ClusterImage image, int number, PartitionState partition, ClientConnection client) {
        Optional<BrokerState> leader =
                image.broker(partition.leader()).filter(broker -> !broker.fenced());
        ErrorCode error = ErrorCode.NONE;
        if (leader.isEmpty()) {
            error = ErrorCode.LEADER_NOT_AVAILABLE;
        } else if (cluster.endpoint(leader.get(), client).isEmpty()) {
            error = ErrorCode.LISTENER_NOT_FOUND;
        }
        return MetadataResponsePartition.builder()
                .errorCode(error.code())
                .partitionIndex(number)
                .leaderId(error == ErrorCode.NONE ? partition.leader() : PartitionState.NO_LEADER)
                .leaderEpoch(partition.leaderEpoch())
                .replicaNodes(partition.replicas())
                .isrNodes(partition.isr())
                .offlineReplicas(ClusterView.offlineReplicas(image, partition))
                .build();
    }

    private static MetadataResponseTopic unknown(@Nullable String name, Uuid id, ErrorCode error) {
        return MetadataResponseTopic.builder()
                .errorCode(error.code())
                .name(name)
                .topicId(id)
                .isInternal(name != null && InternalTopics.contains(name))
                .build();
    }
}

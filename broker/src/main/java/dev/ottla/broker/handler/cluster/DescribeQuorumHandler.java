package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.QuorumState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.ErrorText;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeQuorumRequest;
import dev.ottla.wire.message.DescribeQuorumResponse;
import dev.ottla.wire.message.DescribeQuorumResponse.Node;
import dev.ottla.wire.message.DescribeQuorumResponse.PartitionData;
import dev.ottla.wire.message.DescribeQuorumResponse.ReplicaState;
import dev.ottla.wire.message.DescribeQuorumResponse.TopicData;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// DescribeQuorum: who holds the metadata log and how far each copy is (KIP-595, KIP-836, KIP-853).
///
/// UNKNOWN_TOPIC_OR_PARTITION per partition for anything but partition 0 of the metadata topic.
public final class DescribeQuorumHandler implements ApiHandler<DescribeQuorumRequest> {
    private static final short FIRST_WITH_NODES_AND_DIRECTORIES = 2;
    private static final String METADATA_TOPIC = "__cluster_metadata";

    private final Supplier<CompletableFuture<QuorumState>> quorum;

    public DescribeQuorumHandler(Supplier<CompletableFuture<QuorumState>> quorum) {
        this.quorum = quorum;
    }

    @Override
    public ApiKey api() {
        return ApiKey.DESCRIBE_QUORUM;
    }

    @Override
    public void handle(RequestContext context, DescribeQuorumRequest request, Responder responder) {
        Failures.whenEnded(
                quorum.get(),
                state -> responder.respond(answer(request, state, context.version())),
                error ->
                        responder.respond(
                                DescribeQuorumResponse.builder()
                                        .errorCode(error.code().code())
                                        .errorMessage(error.message())
                                        .build()),
                responder);
    }

    private static DescribeQuorumResponse answer(
            DescribeQuorumRequest request, QuorumState state, short version) {
        boolean newer = version >= FIRST_WITH_NODES_AND_DIRECTORIES;
        List<TopicData> topics =
                request.topics().stream().map(topic -> describe(topic, state, newer)).toList();
        // The quorum of one node has no listener of its own that a client could use.
        List<Node> nodes =
                newer
                        ? state.voters().stream()
                                .map(voter -> Node.builder().nodeId(voter.nodeId()).build())
                                .toList()
                        : List.of();
        return DescribeQuorumResponse.builder().topics(topics).nodes(nodes).build();
    }

    /// @param newer whether the answer has room for directories
    private static TopicData describe(
            DescribeQuorumRequest.TopicData topic, QuorumState state, boolean newer) {
        return TopicData.builder()
                .topicName(topic.topicName())
                .partitions(
                        topic.partitions().stream()
                                .map(p ->
                                        describe(
                                                topic.topicName(),
                                                p.partitionIndex(),
                                                state,
                                                newer))
                                .toList())
                .build();
    }

    private static PartitionData describe(
            String topic, int partition, QuorumState state, boolean newer) {
        PartitionData.Builder data = PartitionData.builder().partitionIndex(partition);
        if (!topic.equals(METADATA_TOPIC) || partition != 0) {
            return data.errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code())
                    .errorMessage(
                            ErrorText.bounded(
                                    "Only %s-0 has a quorum, %s-%d has not."
                                            .formatted(METADATA_TOPIC, topic, partition)))
                    .build();
        }
        return data.leaderId(state.leaderId())
                .leaderEpoch(state.leaderEpoch())
                .highWatermark(state.highWatermark())
                .currentVoters(describe(state.voters(), newer))
                .observers(describe(state.observers(), newer))
                .build();
    }

    private static List<ReplicaState> describe(List<QuorumState.Replica> replicas, boolean newer) {
        return replicas.stream().map(replica -> describe(replica, newer)).toList();
    }

    private static ReplicaState describe(QuorumState.Replica replica, boolean newer) {
        return ReplicaState.builder()
                .replicaId(replica.nodeId())
                .replicaDirectoryId(newer ? replica.directoryId() : Uuid.ZERO)
                .logEndOffset(replica.logEndOffset())
                .lastFetchTimestamp(replica.lastFetchTimestampMs())
                .lastCaughtUpTimestamp(replica.lastCaughtUpTimestampMs())
                .build();
    }
}

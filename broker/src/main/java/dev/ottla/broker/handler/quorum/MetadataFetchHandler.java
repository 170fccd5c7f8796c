package dev.ottla.broker.handler.quorum;

import dev.ottla.broker.quorum.MetadataServer;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.quorum.feed.ActiveController;
import dev.ottla.quorum.feed.BatchAnswer;
import dev.ottla.quorum.feed.BatchQuestion;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Fetch 15-18 of `__cluster_metadata` by nodes that copy it (KIP-595); all other fetches go on to
/// the handler of partitions.
///
/// INCONSISTENT_CLUSTER_ID when the node belongs to another cluster; NOT_LEADER_OR_FOLLOWER, with
/// the controller and its address, when this node is not the active controller; OFFSET_OUT_OF_RANGE
/// when the node has more than the controller.
public final class MetadataFetchHandler implements ApiHandler<FetchRequest> {
    private static final short FIRST_WITH_REPLICA_STATE = 15;
    private static final int MAX_WAIT_MS = 10_000;
    private static final int MAX_BYTES = 8 << 20;

    private final ApiHandler<FetchRequest> partitions;
    private final MetadataServer metadata;
    private final String clusterId;
    private final Supplier<ClusterImage> image;
    private final Consumer<ClientConnection> nodeCame;

    /// @param partitions answers what is not asked of the metadata
    /// @param nodeCame hears of each connection by which a node of this cluster asks
    public MetadataFetchHandler(
            ApiHandler<FetchRequest> partitions,
            MetadataServer metadata,
            String clusterId,
            Supplier<ClusterImage> image,
            Consumer<ClientConnection> nodeCame) {
        this.partitions = partitions;
        this.metadata = metadata;
        this.clusterId = clusterId;
        this.image = image;
        this.nodeCame = nodeCame;
    }

    @Override
    public ApiKey api() {
        return ApiKey.FETCH;
    }

    @Override
    public void handle(RequestContext context, FetchRequest request, Responder responder) {
        if (!isOfMetadata(context, request)) {
            partitions.handle(context, request, responder);
            return;
        }
        String theirs = request.clusterId();
        FetchRequest.FetchTopic topic = request.topics().getFirst();
        if (theirs != null && !theirs.equals(clusterId)) {
            responder.respond(error(ErrorCode.INCONSISTENT_CLUSTER_ID));
        } else if (request.topics().size() != 1
                || topic.partitions().size() != 1
                || topic.partitions().getFirst().partition() != 0) {
            responder.respond(error(ErrorCode.INVALID_REQUEST));
        } else {
            nodeCame.accept(context.connection());
            metadata.fetch(
                    question(request, topic.partitions().getFirst()),
                    responder.guarding(answer -> responder.respond(response(answer))));
        }
    }

    private static boolean isOfMetadata(RequestContext context, FetchRequest request) {
        return context.version() >= FIRST_WITH_REPLICA_STATE
                && request.replicaState().replicaId() >= 0
                && !request.topics().isEmpty()
                && request.topics().getFirst().topicId().equals(Uuid.ONE);
    }

    private static FetchResponse error(ErrorCode error) {
        return FetchResponse.builder().errorCode(error.code()).build();
    }

    private static BatchQuestion question(
            FetchRequest request, FetchRequest.FetchPartition partition) {
        return new BatchQuestion(
                request.replicaState().replicaId(),
                partition.replicaDirectoryId(),
                Math.max(0, partition.fetchOffset()),
                Math.max(0, partition.lastFetchedEpoch()),
                Math.clamp(partition.partitionMaxBytes(), 1, MAX_BYTES),
                Math.clamp(request.maxWaitMs(), 0, MAX_WAIT_MS));
    }

    private FetchResponse response(BatchAnswer answer) {
        FetchResponse.PartitionData.Builder data =
                FetchResponse.PartitionData.builder()
                        .partitionIndex(0)
                        .records(BufferRecords.EMPTY);
        return switch (answer) {
            case BatchAnswer.Batches batches ->
                    response(
                            batches.controller(),
                            data.highWatermark(batches.committedEnd())
                                    .lastStableOffset(batches.committedEnd())
                                    .records(new BufferRecords(batches.bytes())));
            case BatchAnswer.InSnapshot snapshot ->
                    response(
                            snapshot.controller(),
                            data.snapshotId(
                                    FetchResponse.SnapshotId.builder()
                                            .endOffset(snapshot.id().endOffset())
                                            .epoch(snapshot.id().epoch())
                                            .build()));
            case BatchAnswer.Diverging diverging ->
                    response(
                            diverging.controller(),
                            data.divergingEpoch(
                                    FetchResponse.EpochEndOffset.builder()
                                            .epoch(diverging.epoch())
                                            .endOffset(Math.max(0, diverging.endOffset()))
                                            .build()));
            case BatchAnswer.Less(ActiveController controller) ->
                    response(controller, data.errorCode(ErrorCode.OFFSET_OUT_OF_RANGE.code()));
            case BatchAnswer.NotController(ActiveController controller) ->
                    response(controller, data.errorCode(ErrorCode.NOT_LEADER_OR_FOLLOWER.code()));
            case BatchAnswer.OtherCluster _ -> error(ErrorCode.INCONSISTENT_CLUSTER_ID);
            case BatchAnswer.Failed _ -> error(ErrorCode.UNKNOWN_SERVER_ERROR);
        };
    }

    private FetchResponse response(
            ActiveController controller, FetchResponse.PartitionData.Builder data) {
        FetchResponse.PartitionData partition =
                data.currentLeader(
                                FetchResponse.LeaderIdAndEpoch.builder()
                                        .leaderId(controller.nodeId())
                                        .leaderEpoch(controller.epoch())
                                        .build())
                        .build();
        return FetchResponse.builder()
                .responses(
                        List.of(
                                FetchResponse.FetchableTopicResponse.builder()
                                        .topicId(Uuid.ONE)
                                        .partitions(List.of(partition))
                                        .build()))
                .nodeEndpoints(endpoint(controller))
                .build();
    }

    private List<FetchResponse.NodeEndpoint> endpoint(ActiveController controller) {
        return image.get().broker(controller.nodeId()).stream()
                .flatMap(broker -> broker.endpoints().stream().limit(1))
                .map(found ->
                        FetchResponse.NodeEndpoint.builder()
                                .nodeId(controller.nodeId())
                                .host(found.host())
                                .port(found.port())
                                .build())
                .toList();
    }
}

package dev.ottla.broker.handler.quorum;

import dev.ottla.broker.quorum.MetadataServer;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.quorum.feed.MetadataSource.SnapshotQuestion;
import dev.ottla.quorum.feed.SnapshotAnswer;
import dev.ottla.quorum.store.SnapshotId;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.FetchSnapshotRequest;
import dev.ottla.wire.message.FetchSnapshotResponse;
import java.util.List;

/// FetchSnapshot: a part of a snapshot of the metadata, for nodes that are far behind (KIP-630).
///
/// INCONSISTENT_CLUSTER_ID when the node belongs to another cluster; SNAPSHOT_NOT_FOUND when this
/// node has no such snapshot any more, or is not the active controller.
public final class FetchSnapshotHandler implements ApiHandler<FetchSnapshotRequest> {
    private static final String METADATA_TOPIC = "__cluster_metadata";

    private final MetadataServer metadata;
    private final String clusterId;

    public FetchSnapshotHandler(MetadataServer metadata, String clusterId) {
        this.metadata = metadata;
        this.clusterId = clusterId;
    }

    @Override
    public ApiKey api() {
        return ApiKey.FETCH_SNAPSHOT;
    }

    @Override
    public boolean internal() {
        return true;
    }

    @Override
    public void handle(RequestContext context, FetchSnapshotRequest request, Responder responder) {
        String theirs = request.clusterId();
        if (theirs != null && !theirs.equals(clusterId)) {
            responder.respond(error(ErrorCode.INCONSISTENT_CLUSTER_ID));
            return;
        }
        List<FetchSnapshotRequest.PartitionSnapshot> partitions =
                request.topics().stream()
                        .filter(topic -> topic.name().equals(METADATA_TOPIC))
                        .flatMap(topic -> topic.partitions().stream())
                        .toList();
        if (partitions.size() != 1 || partitions.getFirst().partition() != 0) {
            responder.respond(error(ErrorCode.INVALID_REQUEST));
            return;
        }
        FetchSnapshotRequest.PartitionSnapshot wanted = partitions.getFirst();
        metadata.fetchSnapshot(
                new SnapshotQuestion(
                        request.replicaId(),
                        new SnapshotId(
                                wanted.snapshotId().endOffset(), wanted.snapshotId().epoch()),
                        Math.max(0, wanted.position())),
                responder.guarding(answer -> responder.respond(response(wanted, answer))));
    }

    private static FetchSnapshotResponse error(ErrorCode error) {
        return FetchSnapshotResponse.builder().errorCode(error.code()).build();
    }

    private static FetchSnapshotResponse response(
            FetchSnapshotRequest.PartitionSnapshot wanted, SnapshotAnswer answer) {
        FetchSnapshotResponse.PartitionSnapshot.Builder data =
                FetchSnapshotResponse.PartitionSnapshot.builder()
                        .index(0)
                        .snapshotId(
                                FetchSnapshotResponse.SnapshotId.builder()
                                        .endOffset(wanted.snapshotId().endOffset())
                                        .epoch(wanted.snapshotId().epoch())
                                        .build())
                        .position(wanted.position())
                        .unalignedRecords(BufferRecords.EMPTY);
        return switch (answer) {
            case SnapshotAnswer.Part part ->
                    response(
                            data.size(part.sizeBytes())
                                    .unalignedRecords(new BufferRecords(part.bytes())));
            case SnapshotAnswer.Gone _ ->
                    response(data.errorCode(ErrorCode.SNAPSHOT_NOT_FOUND.code()));
            case SnapshotAnswer.Failed _ ->
                    response(data.errorCode(ErrorCode.KAFKA_STORAGE_ERROR.code()));
        };
    }

    private static FetchSnapshotResponse response(
            FetchSnapshotResponse.PartitionSnapshot.Builder data) {
        return FetchSnapshotResponse.builder()
                .topics(
                        List.of(
                                FetchSnapshotResponse.TopicSnapshot.builder()
                                        .name(METADATA_TOPIC)
                                        .partitions(List.of(data.build()))
                                        .build()))
                .build();
    }
}

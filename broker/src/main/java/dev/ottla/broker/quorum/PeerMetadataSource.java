package dev.ottla.broker.quorum;

import dev.ottla.broker.peer.Peer;
import dev.ottla.config.HostPort;
import dev.ottla.quorum.feed.ActiveController;
import dev.ottla.quorum.feed.BatchAnswer;
import dev.ottla.quorum.feed.BatchQuestion;
import dev.ottla.quorum.feed.MetadataSource;
import dev.ottla.quorum.feed.SnapshotAnswer;
import dev.ottla.quorum.store.SnapshotId;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.RecordsPayload;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.FetchSnapshotRequest;
import dev.ottla.wire.message.FetchSnapshotResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Asks another node for its copy of the metadata log, with Fetch and FetchSnapshot: the active
/// controller, if anyone has said who that is, else all known nodes in turn. Who does not answer
/// has to wait for its turn again. A node that is asked for the first time is not to hold the
/// question and gets little time, so that one that stands still does not hold up the search; the
/// more nodes were asked in vain, the more time the next one gets.
///
/// Owned by the metadata thread.
public final class PeerMetadataSource implements MetadataSource {
    private static final String METADATA_TOPIC = "__cluster_metadata";

    /// How long an answer may take besides the time that it was allowed to wait. The node may be
    /// frozen, and another one lead.
    private static final long PATIENCE_MS = 1500;

    private static final long FIRST_PATIENCE_MS = 400;

    private static final int SNAPSHOT_PART_BYTES = 1 << 20;

    private final BiFunction<HostPort, String, Peer> connector;
    private final int nodeId;
    private final Executor metadataThread;
    private final Supplier<List<HostPort>> knownNodes;
    private final Supplier<Optional<String>> clusterId;

    private @Nullable Connected connected;
    private int turn;

    /// How many nodes did not answer since the controller last did.
    private int inVain;

    /// Whether the one that is connected has answered.
    private boolean answers;

    private record Connected(HostPort address, Peer peer) {}

    /// @param connector makes connections to an address, under a name
    /// @param knownNodes where nodes of the cluster may be found, one at least
    /// @param clusterId which cluster this node belongs to, once it does
    public PeerMetadataSource(
            BiFunction<HostPort, String, Peer> connector,
            int nodeId,
            Executor metadataThread,
            Supplier<List<HostPort>> knownNodes,
            Supplier<Optional<String>> clusterId) {
        this.connector = connector;
        this.nodeId = nodeId;
        this.metadataThread = metadataThread;
        this.knownNodes = knownNodes;
        this.clusterId = clusterId;
    }

    @Override
    public void fetch(BatchQuestion question, Consumer<BatchAnswer> answer) {
        long waitMs = answers ? question.maxWaitMs() : 0;
        ask(
                request(question, waitMs),
                answers ? waitMs + PATIENCE_MS : firstPatienceMs(),
                response -> read((FetchResponse) response),
                BatchAnswer.Failed::new,
                answer);
    }

    @Override
    public void fetchSnapshot(SnapshotQuestion question, Consumer<SnapshotAnswer> answer) {
        ask(
                request(question),
                PATIENCE_MS,
                response -> read(question, (FetchSnapshotResponse) response),
                SnapshotAnswer.Failed::new,
                answer);
    }

    private <A> void ask(
            ApiMessage request,
            long timeoutMs,
            Function<ApiMessage, A> read,
            Function<String, A> failed,
            Consumer<A> answer) {
        var _ =
                connection()
                        .ask(request, timeoutMs)
                        .handle((response, failure) -> {
                            metadataThread.execute(() -> {
                                A found;
                                if (response == null) {
                                    inVain++;
                                    moveOn();
                                    found = failed.apply(reason(failure));
                                } else {
                                    answers = true;
                                    found = understood(read, failed, response);
                                }
                                answer.accept(found);
                            });
                            return true;
                        });
    }

    private <A> A understood(
            Function<ApiMessage, A> read, Function<String, A> failed, ApiMessage response) {
        try {
            return read.apply(response);
        } catch (RuntimeException e) {
            moveOn();
            return failed.apply("an answer cannot be understood: " + e);
        }
    }

    private static String reason(@Nullable Throwable failure) {
        return failure == null ? "no answer" : String.valueOf(failure.getMessage());
    }

    // --- whom to ask

    private Peer connection() {
        Connected present = connected;
        if (present == null) {
            List<HostPort> nodes = knownNodes.get();
            present = connect(nodes.get(Math.floorMod(turn, nodes.size())));
        }
        return present.peer();
    }

    /// A slow network must not keep a node from being found for ever.
    private long firstPatienceMs() {
        int rounds = inVain / Math.max(1, knownNodes.get().size());
        return Math.min(2 * PATIENCE_MS, FIRST_PATIENCE_MS << Math.min(rounds, 4));
    }

    private Connected connect(HostPort address) {
        answers = false;
        Connected made =
                new Connected(address, connector.apply(address, "ottla-" + nodeId + "-metadata"));
        connected = made;
        return made;
    }

    /// The next question goes to the next node.
    private void moveOn() {
        disconnect();
        turn++;
    }

    private void disconnect() {
        Connected present = connected;
        if (present != null) present.peer().close();
        connected = null;
    }

    /// The next question goes there, unless nobody lives there or that is who was asked.
    private void moveTo(Optional<HostPort> controller) {
        Connected present = connected;
        if (controller.isEmpty()
                || (present != null && present.address().equals(controller.get()))) {
            moveOn();
            return;
        }
        disconnect();
        var _ = connect(controller.get());
    }

    // --- Fetch

    private FetchRequest request(BatchQuestion question, long maxWaitMs) {
        return FetchRequest.builder()
                .clusterId(clusterId.get().orElse(null))
                .replicaState(
                        FetchRequest.ReplicaState.builder().replicaId(question.nodeId()).build())
                .maxWaitMs((int) maxWaitMs)
                .minBytes(1)
                .maxBytes(question.maxBytes())
                .topics(
                        List.of(
                                FetchRequest.FetchTopic.builder()
                                        .topic(METADATA_TOPIC)
                                        .topicId(Uuid.ONE)
                                        .partitions(List.of(partition(question)))
                                        .build()))
                .build();
    }

    private static FetchRequest.FetchPartition partition(BatchQuestion question) {
        return FetchRequest.FetchPartition.builder()
                .partition(0)
                .fetchOffset(question.offset())
                .lastFetchedEpoch(question.lastEpoch())
                .partitionMaxBytes(question.maxBytes())
                .replicaDirectoryId(question.directoryId())
                .build();
    }

    private BatchAnswer read(FetchResponse response) {
        HostPort there = address();
        if (response.errorCode() == ErrorCode.INCONSISTENT_CLUSTER_ID.code()) {
            moveOn();
            return new BatchAnswer.OtherCluster(
                    "The node at %s belongs to another cluster than this one, whose id is %s. Join a node of the same cluster, or give this node an empty directory."
                            .formatted(there, clusterId.get().orElse("unknown")));
        }
        if (response.errorCode() != ErrorCode.NONE.code()) {
            moveOn();
            return new BatchAnswer.Failed(
                    "the node at " + there + " says " + name(response.errorCode()));
        }
        return read(response, response.responses().getFirst().partitions().getFirst());
    }

    private BatchAnswer read(FetchResponse response, FetchResponse.PartitionData data) {
        ActiveController controller =
                new ActiveController(
                        data.currentLeader().leaderId(), data.currentLeader().leaderEpoch());
        if (data.errorCode() == ErrorCode.NONE.code()) return found(controller, data);
        if (data.errorCode() == ErrorCode.OFFSET_OUT_OF_RANGE.code()) {
            return new BatchAnswer.Less(controller);
        }
        if (data.errorCode() == ErrorCode.NOT_LEADER_OR_FOLLOWER.code()) {
            moveTo(
                    response.nodeEndpoints().stream()
                            .filter(node -> node.nodeId() == controller.nodeId())
                            .map(node -> new HostPort(node.host(), node.port()))
                            .findFirst());
            return new BatchAnswer.NotController(controller);
        }
        HostPort there = address();
        moveOn();
        return new BatchAnswer.Failed("the node at " + there + " says " + name(data.errorCode()));
    }

    private BatchAnswer found(ActiveController controller, FetchResponse.PartitionData data) {
        inVain = 0;
        if (data.snapshotId().endOffset() >= 0) {
            return new BatchAnswer.InSnapshot(
                    controller,
                    new SnapshotId(data.snapshotId().endOffset(), data.snapshotId().epoch()));
        }
        if (data.divergingEpoch().endOffset() >= 0) {
            return new BatchAnswer.Diverging(
                    controller, data.divergingEpoch().epoch(), data.divergingEpoch().endOffset());
        }
        return new BatchAnswer.Batches(controller, data.highWatermark(), bytes(data.records()));
    }

    private static ByteBuffer bytes(@Nullable RecordsPayload records) {
        return records instanceof BufferRecords(ByteBuffer buffer)
                ? buffer.duplicate()
                : ByteBuffer.allocate(0);
    }

    private HostPort address() {
        Connected present = connected;
        return present == null ? new HostPort("", 0) : present.address();
    }

    private static String name(short error) {
        return ErrorCode.forCode(error).map(ErrorCode::name).orElse("error " + error);
    }

    // --- FetchSnapshot

    private FetchSnapshotRequest request(SnapshotQuestion question) {
        return FetchSnapshotRequest.builder()
                .clusterId(clusterId.get().orElse(null))
                .replicaId(question.nodeId())
                .maxBytes(SNAPSHOT_PART_BYTES)
                .topics(
                        List.of(
                                FetchSnapshotRequest.TopicSnapshot.builder()
                                        .name(METADATA_TOPIC)
                                        .partitions(List.of(partition(question)))
                                        .build()))
                .build();
    }

    private static FetchSnapshotRequest.PartitionSnapshot partition(SnapshotQuestion question) {
        return FetchSnapshotRequest.PartitionSnapshot.builder()
                .partition(0)
                .currentLeaderEpoch(-1)
                .snapshotId(
                        FetchSnapshotRequest.SnapshotId.builder()
                                .endOffset(question.id().endOffset())
                                .epoch(question.id().epoch())
                                .build())
                .position(question.position())
                .build();
    }

    private SnapshotAnswer read(SnapshotQuestion question, FetchSnapshotResponse response) {
        if (response.errorCode() != ErrorCode.NONE.code() || response.topics().isEmpty()) {
            return new SnapshotAnswer.Gone();
        }
        FetchSnapshotResponse.PartitionSnapshot data =
                response.topics().getFirst().partitions().getFirst();
        if (data.errorCode() != ErrorCode.NONE.code() || data.position() != question.position()) {
            return new SnapshotAnswer.Gone();
        }
        return new SnapshotAnswer.Part(data.size(), bytes(data.unalignedRecords()));
    }
}

package dev.ottla.broker.controlling;

import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.AddRaftVoterRequest;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeQuorumRequest;
import dev.ottla.wire.message.DescribeQuorumResponse;
import dev.ottla.wire.message.EnvelopeRequest;
import dev.ottla.wire.message.EnvelopeResponse;
import dev.ottla.wire.message.RemoveRaftVoterRequest;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a node asks about the quorum's voters, on the wire (KIP-853).
public final class VoterMessages {
    /// Names the listener at which voters reach each other.
    public static final String LISTENER = "QUORUM";

    private static final String METADATA_TOPIC = "__cluster_metadata";

    private VoterMessages() {}

    /// In an envelope, which only the active controller opens: what others know may be old.
    static EnvelopeRequest describe(int nodeId) {
        return Envelopes.wrap(
                origin(nodeId),
                DescribeQuorumRequest.builder()
                        .topics(
                                List.of(
                                        DescribeQuorumRequest.TopicData.builder()
                                                .topicName(METADATA_TOPIC)
                                                .partitions(
                                                        List.of(
                                                                DescribeQuorumRequest.PartitionData
                                                                        .builder()
                                                                        .partitionIndex(0)
                                                                        .build()))
                                                .build()))
                        .build());
    }

    private static Envelopes.Origin origin(int nodeId) {
        return new Envelopes.Origin(
                ApiKey.DESCRIBE_QUORUM,
                ApiKey.DESCRIBE_QUORUM.latestVersion(),
                0,
                "ottla-" + nodeId + "-voting",
                InetAddress.getLoopbackAddress());
    }

    static QuorumState read(int nodeId, EnvelopeResponse envelope) {
        ByteBuffer data = envelope.responseData();
        if (data == null)
            throw new NotControllerException("The controller does not say who votes.");
        DescribeQuorumResponse answer =
                (DescribeQuorumResponse) Envelopes.unwrap(origin(nodeId), data);
        ErrorCode error = code(answer.errorCode());
        if (error != ErrorCode.NONE) {
            throw new NotControllerException("The controller does not say who votes: " + error);
        }
        DescribeQuorumResponse.PartitionData quorum =
                answer.topics().getFirst().partitions().getFirst();
        return new QuorumState(
                quorum.leaderId(),
                quorum.leaderEpoch(),
                quorum.highWatermark(),
                quorum.currentVoters().stream().map(VoterMessages::replica).toList(),
                quorum.observers().stream().map(VoterMessages::replica).toList());
    }

    private static QuorumState.Replica replica(DescribeQuorumResponse.ReplicaState state) {
        return new QuorumState.Replica(
                state.replicaId(),
                state.replicaDirectoryId(),
                state.logEndOffset(),
                state.lastFetchTimestamp(),
                state.lastCaughtUpTimestamp());
    }

    static AddRaftVoterRequest add(QuorumVoter voter, String clusterId, int timeoutMs) {
        return AddRaftVoterRequest.builder()
                .clusterId(clusterId)
                .timeoutMs(timeoutMs)
                .voterId(voter.nodeId())
                .voterDirectoryId(voter.directoryId())
                .listeners(
                        List.of(
                                AddRaftVoterRequest.Listener.builder()
                                        .name(LISTENER)
                                        .host(voter.host())
                                        .port(voter.port())
                                        .build()))
                .build();
    }

    static RemoveRaftVoterRequest remove(int nodeId, Uuid directoryId, String clusterId) {
        return RemoveRaftVoterRequest.builder()
                .clusterId(clusterId)
                .voterId(nodeId)
                .voterDirectoryId(directoryId)
                .build();
    }

    public static ApiError error(short errorCode, @Nullable String message) {
        return new ApiError(code(errorCode), String.valueOf(message));
    }

    private static ErrorCode code(short code) {
        return ErrorCode.forCode(code).orElse(ErrorCode.UNKNOWN_SERVER_ERROR);
    }
}

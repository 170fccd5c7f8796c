package dev.ottla.quorum.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.metadata.QuorumVoter;
import dev.ottla.wire.Uuid;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests that a voter gets because another one had its address before.
final class DoorkeeperTest {
    @TempDir Path root;

    @Test
    void aVoterDoesNotAnswerForTheOneThatHadItsAddress() {
        try (TestCluster cluster = TestCluster.founded(root, TestVoter.OPTIONS)) {
            QuorumVoter here = cluster.leader().voter;
            RaftPeerId itself = Peers.id(here);
            RaftPeerId before =
                    Peers.id(
                            new QuorumVoter(
                                    here.nodeId(), new Uuid(9, 9), here.host(), here.port()));

            RequestVoteReplyProto answer = askForVote(here, itself);
            assertThat(RaftPeerId.valueOf(answer.getServerReply().getReplyId())).isEqualTo(itself);
            assertThatThrownBy(() -> askForVote(here, before))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            failure ->
                                    assertThat(failure.getStatus().getCode())
                                            .isEqualTo(Status.Code.UNAVAILABLE));
        }
    }

    @Test
    void clientsOfTheEngineAreRefused() {
        try (TestCluster cluster = TestCluster.founded(root, TestVoter.OPTIONS)) {
            QuorumVoter here = cluster.leader().voter;
            ManagedChannel channel =
                    ManagedChannelBuilder.forAddress(here.host(), here.port())
                            .usePlaintext()
                            .build();
            try {
                assertThatThrownBy(() ->
                                AdminProtocolServiceGrpc.newBlockingStub(channel)
                                        .withDeadlineAfter(20, TimeUnit.SECONDS)
                                        .groupList(GroupListRequestProto.getDefaultInstance()))
                        .isInstanceOfSatisfying(
                                StatusRuntimeException.class,
                                failure ->
                                        assertThat(failure.getStatus().getCode())
                                                .isEqualTo(Status.Code.PERMISSION_DENIED));
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static RequestVoteReplyProto askForVote(QuorumVoter there, RaftPeerId meant) {
        ManagedChannel channel =
                ManagedChannelBuilder.forAddress(there.host(), there.port()).usePlaintext().build();
        try {
            return RaftServerProtocolServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .requestVote(
                            RequestVoteRequestProto.newBuilder()
                                    .setPreVote(true)
                                    .setServerRequest(
                                            RaftRpcRequestProto.newBuilder()
                                                    .setRequestorId(
                                                            RaftPeerId.valueOf("somebody")
                                                                    .toByteString())
                                                    .setReplyId(meant.toByteString())
                                                    .setRaftGroupId(
                                                            RaftGroupIdProto.newBuilder()
                                                                    .setId(
                                                                            Peers.group(
                                                                                            TestVoter
                                                                                                    .CLUSTER)
                                                                                    .toByteString())))
                                    .build());
        } finally {
            channel.shutdownNow();
        }
    }
}

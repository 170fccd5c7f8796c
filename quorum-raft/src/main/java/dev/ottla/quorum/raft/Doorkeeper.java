package dev.ottla.quorum.raft;

import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/// Lets in what other voters send and is meant for this one.
///
/// Clients and administrators of Ratis are strangers here: what this node itself asks of the engine
/// goes no way over the network, and entries of others could not be read. Ratis looks at the group
/// alone, so a voter that took the address of another one, as a node does that lost its disk, would
/// answer for that one: with a log and votes that it does not have. A vote that could not be noted
/// down is not given, and nobody is made a leader who could not lead. Immutable; called by threads
/// of Ratis.
///
/// @param heard is told who sent something to this voter
/// @param room of this voter
record Doorkeeper(RaftPeerId self, Consumer<RaftPeerId> heard, VoterRoom room)
        implements ServerInterceptor {
    private static final String FOR_VOTERS = RaftServerProtocolServiceGrpc.SERVICE_NAME;

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!FOR_VOTERS.equals(call.getMethodDescriptor().getServiceName())) {
            call.close(
                    Status.PERMISSION_DENIED.withDescription("only voters are let in"),
                    new Metadata());
            return new ServerCall.Listener<>() {};
        }
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (refused) return;
                String reason = refusal(message);
                if (reason.isEmpty()) {
                    super.onMessage(message);
                    return;
                }
                refused = true;
                call.close(Status.UNAVAILABLE.withDescription(reason), new Metadata());
                super.onCancel();
            }

            @Override
            public void onHalfClose() {
                if (!refused) super.onHalfClose();
            }

            @Override
            public void onCancel() {
                if (!refused) super.onCancel();
            }
        };
    }

    /// Why a message is not let in; empty if it is.
    private String refusal(Object message) {
        if (!isForThisVoter(message)) return "voter " + self + " lives here";
        boolean hasRoom =
                switch (message) {
                    case RequestVoteRequestProto _ -> room.isThereForAVote();
                    case StartLeaderElectionRequestProto _ -> room.isThereForATerm();
                    default -> true;
                };
        return hasRoom ? "" : "voter " + self + " has no room on its disk";
    }

    private boolean isForThisVoter(Object message) {
        return switch (message) {
            case RequestVoteRequestProto m -> isForThisVoter(m.getServerRequest());
            case AppendEntriesRequestProto m -> isForThisVoter(m.getServerRequest());
            case InstallSnapshotRequestProto m -> isForThisVoter(m.getServerRequest());
            case StartLeaderElectionRequestProto m -> isForThisVoter(m.getServerRequest());
            case ReadIndexRequestProto m -> isForThisVoter(m.getServerRequest());
            default -> true;
        };
    }

    private boolean isForThisVoter(RaftRpcRequestProto request) {
        boolean meant = RaftPeerId.valueOf(request.getReplyId()).equals(self);
        if (meant) heard.accept(RaftPeerId.valueOf(request.getRequestorId()));
        return meant;
    }
}

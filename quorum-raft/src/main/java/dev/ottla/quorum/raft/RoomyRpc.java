package dev.ottla.quorum.raft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;

/// What a voter sends to others, except that it asks nobody for a vote while its disk has no room
/// for a term. The questions before an election change nothing yet, so Ratis takes that for a
/// refusal of the others, follows, and asks again later. Thread-safe.
///
/// @param grpc does the rest
record RoomyRpc(GrpcServices grpc, VoterRoom room) implements GrpcServices {
    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        if (!room.isThereForATerm()) {
            throw new IOException("this voter has no room to lead in " + room.directory());
        }
        return grpc.requestVote(request);
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request)
            throws IOException {
        return grpc.appendEntries(request);
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request)
            throws IOException {
        return grpc.installSnapshot(request);
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(
            StartLeaderElectionRequestProto request) throws IOException {
        return grpc.startLeaderElection(request);
    }

    @Override
    public RaftServerAsynchronousProtocol async() {
        return grpc.async();
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
        grpc.addRaftPeers(peers);
    }

    @Override
    public void handleException(RaftPeerId serverId, Exception e, boolean reconnect) {
        grpc.handleException(serverId, e, reconnect);
    }

    @Override
    public void notifyNotLeader(RaftGroupId groupId) {
        grpc.notifyNotLeader(groupId);
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
        return grpc.getInetSocketAddress();
    }

    @Override
    public InetSocketAddress getClientServerAddress() {
        return grpc.getClientServerAddress();
    }

    @Override
    public InetSocketAddress getAdminServerAddress() {
        return grpc.getAdminServerAddress();
    }

    @Override
    public RpcType getRpcType() {
        return grpc.getRpcType();
    }

    @Override
    public void start() throws IOException {
        grpc.start();
    }

    @Override
    public void close() throws IOException {
        grpc.close();
    }
}

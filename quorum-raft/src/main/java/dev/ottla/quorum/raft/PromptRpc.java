package dev.ottla.quorum.raft;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/// gRPC as Ratis has it, but a leader sends its log by a [PromptAppender], and who has no room does
/// not stand for election ([RoomyRpc]). Made by Ratis, by its name.
public final class PromptRpc implements RpcType {
    private static final String ROOM = VoterRoom.class.getName();

    @Override
    public String name() {
        return PromptRpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters);
    }

    /// What a voter's parts of Ratis find in its parameters.
    static void setRoom(Parameters parameters, VoterRoom room) {
        parameters.put(ROOM, room, VoterRoom.class);
    }

    private static final class Factory extends GrpcFactory {
        private final VoterRoom room;

        Factory(Parameters parameters) {
            super(parameters);
            room = parameters.getNonNull(ROOM, VoterRoom.class);
        }

        @Override
        public GrpcServices newRaftServerRpc(RaftServer server) {
            return new RoomyRpc(super.newRaftServerRpc(server), room);
        }

        @Override
        public LogAppender newLogAppender(
                RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            LogAppender appender = new PromptAppender(server, state, follower);
            ((MetadataStateMachine) server.getStateMachine()).onAppender(appender);
            return appender;
        }
    }
}

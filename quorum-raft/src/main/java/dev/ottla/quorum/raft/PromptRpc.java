package dev.ottla.quorum.raft;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/// gRPC as Ratis has it, but a leader sends its log by a [PromptAppender]. Made by Ratis, by its
/// name.
public final class PromptRpc implements RpcType {
    @Override
    public String name() {
        return PromptRpc.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters);
    }

    private static final class Factory extends GrpcFactory {
        Factory(Parameters parameters) {
            super(parameters);
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

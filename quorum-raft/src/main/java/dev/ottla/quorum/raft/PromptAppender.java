package dev.ottla.quorum.raft;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.util.AwaitForSignal;

/// What sends a leader's log to one other voter, and tells it at once what is committed. Ratis
/// itself says so with the next entry or heartbeat, which may be half an election time-out later.
///
/// Owned by its own thread of Ratis; woken up by any.
final class PromptAppender extends GrpcLogAppender {
    private final WakeUp wakeUp = new WakeUp();
    private long toldIndex = RaftLog.INVALID_LOG_INDEX;

    PromptAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
        super(server, state, follower);
    }

    @Override
    public GrpcServicesImpl getServerRpc() {
        return (GrpcServicesImpl) ((RoomyRpc) getServer().getRaftServer().getServerRpc()).grpc();
    }

    @Override
    public AppendEntriesRequestProto newAppendEntriesRequest(long callId, boolean heartbeat)
            throws RaftLogIOException {
        long index = worthTelling();
        AppendEntriesRequestProto request = super.newAppendEntriesRequest(callId, heartbeat);
        if (request != null) toldIndex = index;
        return request;
    }

    /// A voter takes for committed only what it has on its disk.
    private long worthTelling() {
        return Math.min(getRaftLog().getLastCommittedIndex(), getFollower().getMatchIndex());
    }

    /// A heartbeat is due when it has something to tell that no entry is about to.
    @Override
    public long getHeartbeatWaitTimeMs() {
        boolean hasNews = toldIndex < worthTelling() && !hasAppendEntries();
        return hasNews ? 0 : super.getHeartbeatWaitTimeMs();
    }

    @Override
    public AwaitForSignal getEventAwaitForSignal() {
        return wakeUp;
    }

    /// A signal that comes while nobody waits counts for the next who does: what woke this thread
    /// up may have happened after it looked.
    private static final class WakeUp extends AwaitForSignal {
        private final Semaphore signals = new Semaphore(0);

        WakeUp() {
            super("appender");
        }

        @Override
        public void await() throws InterruptedException {
            signals.acquire();
            signals.drainPermits();
        }

        @Override
        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            boolean signaled = signals.tryAcquire(time, unit);
            signals.drainPermits();
            return signaled;
        }

        @Override
        public void signal() {
            if (signals.availablePermits() == 0) signals.release();
        }
    }
}

package dev.ottla.quorum.raft;

import dev.ottla.metadata.QuorumVoter;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;

/// One running server of Ratis with one group: what the engine asks of it, in its words.
/// Thread-safe.
final class RaftNode implements AutoCloseable {
    /// Pause and number of the tries to reach a voter that does not answer, about. With what Ratis
    /// has by itself, one that was away for some seconds waits ten more for the leader.
    private static final String RETRY = "1ms,10, 100ms,100, 250ms,1000000000";

    private static final long REQUEST_MS = 10_000;
    private static final int MAX_HEARD = 100;
    private static final TimeDuration LONG_PAUSE = TimeDuration.valueOf(1, TimeUnit.DAYS);

    private final RaftServer server;
    private final RaftPeerId self;
    private final RaftGroupId group;
    private final VoterRoom room;

    /// When others last sent something, be it only that they want to lead. Written by threads of
    /// Ratis; recent values will do.
    private final Map<RaftPeerId, Timestamp> heard;

    private final ClientId client = ClientId.randomId();
    private final AtomicLong callIds = new AtomicLong();

    private RaftNode(
            RaftServer server,
            RaftPeerId self,
            RaftGroupId group,
            VoterRoom room,
            Map<RaftPeerId, Timestamp> heard) {
        this.server = server;
        this.self = self;
        this.group = group;
        this.room = room;
        this.heard = heard;
    }

    /// What the connections of Ratis have to tell by the logging of the JDK; held here, because
    /// that forgets the level of a logger that nobody holds.
    private static final Logger CONNECTIONS = Logger.getLogger("org.apache.ratis.thirdparty");

    static {
        CONNECTIONS.setLevel(Level.SEVERE);
    }

    /// @param founder whether this node is the first voter; otherwise it joins, or was here before
    /// @param existing whether it was here before
    static RaftNode create(
            Path directory,
            Uuid clusterId,
            QuorumVoter voter,
            boolean founder,
            boolean existing,
            MetadataStateMachine machine,
            RaftOptions options)
            throws IOException {
        RaftGroupId group = Peers.group(clusterId);
        RaftPeerId self = Peers.id(voter);
        RaftGroup first =
                founder ? RaftGroup.valueOf(group, Peers.peer(voter)) : RaftGroup.valueOf(group);
        Map<RaftPeerId, Timestamp> heard = new ConcurrentHashMap<>();
        VoterRoom room = new VoterRoom(directory);
        RaftServer server =
                RaftServer.newBuilder()
                        .setServerId(self)
                        .setGroup(first)
                        .setStateMachineRegistry(_ -> machine)
                        .setProperties(properties(directory, voter, options))
                        .setParameters(parameters(self, room, heard))
                        .setOption(
                                existing
                                        ? RaftStorage.StartupOption.RECOVER
                                        : RaftStorage.StartupOption.FORMAT)
                        .build();
        return new RaftNode(server, self, group, room, heard);
    }

    private static Parameters parameters(
            RaftPeerId self, VoterRoom room, Map<RaftPeerId, Timestamp> heard) {
        Parameters parameters = new Parameters();
        PromptRpc.setRoom(parameters, room);
        Doorkeeper doorkeeper =
                new Doorkeeper(
                        self,
                        peer -> {
                            if (heard.size() >= MAX_HEARD) heard.clear();
                            heard.put(peer, Timestamp.currentTime());
                        },
                        room);
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters, (builder, _) -> builder.intercept(doorkeeper));
        return parameters;
    }

    private static RaftProperties properties(
            Path directory, QuorumVoter voter, RaftOptions options) {
        RaftProperties p = new RaftProperties();
        RaftConfigKeys.Rpc.setType(p, new PromptRpc());
        GrpcConfigKeys.Server.setPort(p, voter.port());
        if (!options.bindHost().isEmpty()) {
            GrpcConfigKeys.Server.setHost(p, options.bindHost());
        }
        RaftServerConfigKeys.setStorageDir(p, List.of(directory.toFile()));

        int timeoutMs = options.electionTimeoutMs();
        RaftServerConfigKeys.Rpc.setTimeoutMin(p, ms(timeoutMs));
        RaftServerConfigKeys.Rpc.setTimeoutMax(p, ms(2L * timeoutMs));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, ms(timeoutMs / 4));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, ms(timeoutMs / 2));
        RaftServerConfigKeys.setStagingTimeout(p, ms(60_000));
        RaftServerConfigKeys.setCloseThreshold(p, LONG_PAUSE);
        RaftServerConfigKeys.RetryCache.setExpiryTime(p, ms(10_000));

        RaftServerConfigKeys.Log.setSegmentSizeMax(p, SizeInBytes.valueOf(options.segmentBytes()));
        RaftServerConfigKeys.Log.setPreallocatedSize(
                p, SizeInBytes.valueOf(Math.min(options.segmentBytes(), VoterRoom.LOG_FILE_BYTES)));

        // An entry must fit into all of these, also one that an earlier version wrote.
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, SizeInBytes.valueOf("8MB"));
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(p, RETRY);
        RaftServerConfigKeys.Log.setWriteBufferSize(p, SizeInBytes.valueOf("12MB"));
        RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
        RaftServerConfigKeys.Log.setPurgeGap(p, 1);

        // Snapshots are made when the metadata thread has an image for one.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
        RaftServerConfigKeys.Snapshot.setCreationGap(p, 1);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(p, 2);
        return p;
    }

    private static TimeDuration ms(long ms) {
        return TimeDuration.valueOf(ms, TimeUnit.MILLISECONDS);
    }

    void start() throws IOException {
        server.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    // --- appending

    /// Appends an entry; the order is that of the calls of one thread. The future is true when the
    /// entry counted.
    CompletableFuture<Boolean> append(ByteString entry) {
        RaftClientRequest request =
                RaftClientRequest.newBuilder()
                        .setClientId(client)
                        .setServerId(self)
                        .setGroupId(group)
                        .setCallId(callIds.incrementAndGet())
                        .setMessage(Message.valueOf(entry))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        try {
            return server.submitClientRequestAsync(request).thenApply(RaftNode::counted);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(new QuorumException(e));
        }
    }

    private static boolean counted(RaftClientReply reply) {
        if (reply.getException() != null) throw new QuorumException(reply.getException());
        return reply.isSuccess()
                && reply.getMessage()
                        .getContent()
                        .equals(MetadataStateMachine.COUNTED.getContent());
    }

    /// Gives up leading, if this node leads.
    CompletableFuture<Void> stepDown() {
        return transfer(null);
    }

    /// Lets the other voter lead that has most.
    CompletableFuture<Void> handOver() {
        return commits().stream()
                .filter(commit -> !RaftPeerId.valueOf(commit.getServer().getId()).equals(self))
                .max(Comparator.comparingLong(CommitInfoProto::getCommitIndex))
                .map(commit -> transfer(RaftPeerId.valueOf(commit.getServer().getId())))
                .orElseGet(this::stepDown);
    }

    private CompletableFuture<Void> transfer(@Nullable RaftPeerId next) {
        return done(() ->
                server.transferLeadershipAsync(
                        new TransferLeadershipRequest(
                                client, self, group, callIds.incrementAndGet(), next, REQUEST_MS)));
    }

    /// Asks the others for their votes at once, as a follower does whom a leader wants to hand over
    /// to. Ratis itself refuses when this node follows nobody or its log lacks what the leader of
    /// its term began with; then the time-out decides.
    void stand() {
        DivisionInfo info = division().getInfo();
        RaftPeerId leader = info.getLeaderId();
        if (leader == null || !room.isThereForATerm()) return;
        RaftRpcRequestProto.Builder asIfOfLeader =
                RaftRpcRequestProto.newBuilder()
                        .setRequestorId(leader.toByteString())
                        .setReplyId(self.toByteString())
                        .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group.toByteString()))
                        .setCallId(callIds.incrementAndGet());
        try {
            var _ =
                    server.startLeaderElection(
                            StartLeaderElectionRequestProto.newBuilder()
                                    .setServerRequest(asIfOfLeader)
                                    .setLeaderLastEntry(
                                            TermIndexProto.newBuilder()
                                                    .setTerm(info.getCurrentTerm()))
                                    .build());
        } catch (IOException e) {
            throw new QuorumException(e);
        }
    }

    /// Tells Ratis that the state machine has a newer snapshot to report.
    CompletableFuture<Void> reportSnapshot() {
        return done(() ->
                server.snapshotManagementAsync(
                        SnapshotManagementRequest.newCreate(
                                client, self, group, callIds.incrementAndGet(), REQUEST_MS)));
    }

    /// Changes who votes, if the voters are still those of now.
    CompletableFuture<Void> changeVoters(List<RaftPeer> voters, List<RaftPeer> votersNow) {
        SetConfigurationRequest.Arguments arguments =
                SetConfigurationRequest.Arguments.newBuilder()
                        .setServersInNewConf(voters)
                        .setServersInCurrentConf(votersNow)
                        .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                        .build();
        return done(() ->
                server.setConfigurationAsync(
                        new SetConfigurationRequest(
                                client, self, group, callIds.incrementAndGet(), arguments)));
    }

    private interface Request {
        CompletableFuture<RaftClientReply> send() throws IOException;
    }

    private static CompletableFuture<Void> done(Request request) {
        try {
            return request.send()
                    .thenAccept(reply -> {
                        if (reply.getException() != null) {
                            throw new QuorumException(reply.getException());
                        }
                    });
        } catch (IOException e) {
            return CompletableFuture.failedFuture(new QuorumException(e));
        }
    }

    // --- looking

    private RaftServer.Division division() {
        try {
            return server.getDivision(group);
        } catch (IOException e) {
            throw new QuorumException(e);
        }
    }

    /// Whether this node leads in a term, and its state machine has applied everything of before.
    boolean leads(long term) {
        DivisionInfo info = division().getInfo();
        return info.isLeader() && info.isLeaderReady() && info.getCurrentTerm() == term;
    }

    boolean leads() {
        return division().getInfo().isLeader();
    }

    /// Whether Ratis has stopped because this node is no voter any more, as a leader does that
    /// takes out itself.
    boolean hasLeft() {
        RaftServer.Division present = division();
        return !present.getInfo().isAlive()
                && present.getRaftConf().getAllPeers().stream()
                        .noneMatch(peer -> peer.getId().equals(self));
    }

    long term() {
        return division().getInfo().getCurrentTerm();
    }

    Optional<RaftPeerId> leader() {
        return Optional.ofNullable(division().getInfo().getLeaderId());
    }

    List<RaftPeer> voters() {
        return List.copyOf(division().getRaftConf().getAllPeers());
    }

    long firstIndex() {
        return division().getRaftLog().getStartIndex();
    }

    /// How far each member is known to have committed.
    Collection<CommitInfoProto> commits() {
        return division().getCommitInfos();
    }

    long committedIndex() {
        return division().getRaftLog().getLastCommittedIndex();
    }

    /// Since when each member has not answered, as the leader knows it; elsewhere since when it has
    /// sent nothing, which all voters do when there is no leader. This node itself is never silent.
    Map<RaftPeerId, Long> silentMs() {
        Map<RaftPeerId, Long> silent = new HashMap<>();
        heard.forEach((peer, at) -> silent.put(peer, at.elapsedTimeMs()));
        silent.put(self, 0L);
        for (ServerRpcProto follower :
                division().getInfo().getRoleInfoProto().getLeaderInfo().getFollowerInfoList()) {
            silent.put(
                    RaftPeerId.valueOf(follower.getId().getId()),
                    follower.getLastRpcElapsedTimeMs());
        }
        return silent;
    }

    RaftPeerId self() {
        return self;
    }
}

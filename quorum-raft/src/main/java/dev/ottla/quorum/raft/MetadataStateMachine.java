package dev.ottla.quorum.raft;

import dev.ottla.metadata.MetadataRecord;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What Ratis applies committed entries to: it keeps count of the offsets, so that every copy gives
/// the same ones, drops what a leader wrote that led no longer, and hands the rest over.
///
/// An entry counts when its epoch is that of the term it was written in and its base offset is the
/// next one. Whatever a leader appended behind a lost entry has too high an offset, so nothing can
/// be committed around a gap.
///
/// Called by threads of Ratis. Entries are applied by one of them, which owns the count.
final class MetadataStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataStateMachine.class);

    /// The answer to an entry that counted.
    static final Message COUNTED = Message.valueOf("1");

    private static final Message DROPPED = Message.valueOf("0");

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final Listener listener;

    /// Written by threads of Ratis one after the other, read by the metadata thread.
    private volatile @Nullable Base base;

    private long nextOffset;

    /// Written before the engine starts.
    private Runnable beforeSync = () -> {};

    private final DataApi data =
            new DataApi() {
                @Override
                public CompletableFuture<Void> flush(long index) {
                    beforeSync.run();
                    return CompletableFuture.completedFuture(null);
                }
            };

    /// The last change of the voters, which is the first entry of each leader. Written and read by
    /// threads of Ratis one after the other.
    private volatile TermIndex configurationAt = TermIndex.INITIAL_VALUE;

    /// The newest snapshot that may be reported. Written by the metadata thread, read by the thread
    /// that applies: any recent one will do.
    private volatile long reportedIndex = RaftLog.INVALID_LOG_INDEX;

    /// What sends the log to the other voters while this one leads, by their ids; those of an
    /// earlier term may still be there and do nothing.
    private final Map<RaftPeerId, LogAppender> appenders = new ConcurrentHashMap<>();

    /// Hears what is applied, on threads of Ratis, in the order of the log; except [#onNotLeader],
    /// [#onTakenOut] and [#onFailed], which come when they happen.
    interface Listener {
        /// A snapshot takes the place of everything before. The file is the listener's to close.
        void onSnapshot(SnapshotFile snapshot);

        /// May block while there is too much to do.
        void onBatch(TermIndex at, Entries.Batch batch);

        /// Ratis leads, and everything of before is applied.
        ///
        /// @param at the first entry of the term
        void onLeaderReady(int epoch, TermIndex at);

        void onNotLeader();

        void onTakenOut();

        void onFailed(String reason, @Nullable Throwable cause);
    }

    /// @param base what to go on from when there is no snapshot yet; empty for a node that joins:
    ///   it gets one first
    MetadataStateMachine(Optional<Base> base, Listener listener) {
        this.listener = listener;
        this.base = base.orElse(null);
        this.nextOffset = base.map(Base::endOffset).orElse(0L);
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage)
            throws IOException {
        super.initialize(server, group, raftStorage);
        storage.init(raftStorage);
        getLifeCycle().transition(LifeCycle.State.STARTING);
        SingleFileSnapshotInfo newest = storage.getLatestSnapshot();
        if (newest != null) load(newest);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void load(SingleFileSnapshotInfo info) throws IOException {
        Path path = info.getFile().getPath();
        SnapshotFile snapshot = SnapshotFile.open(path);
        base = snapshot.header().base();
        nextOffset = snapshot.header().endOffset();
        reportedIndex = info.getIndex();
        setLastAppliedTermIndex(info.getTermIndex());
        listener.onSnapshot(snapshot);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /// After a snapshot of the leader was put into the place of ours.
    @Override
    public void reinitialize() throws IOException {
        SingleFileSnapshotInfo newest = storage.loadLatestSnapshot();
        if (newest == null) throw new IOException("the snapshot of the leader is not there");
        makeDurable(newest.getFile().getPath());
        load(newest);
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
    }

    /// Ratis renames the directory of a new snapshot into place, but syncs nothing.
    private static void makeDurable(Path snapshot) throws IOException {
        sync(snapshot);
        Path checksum = MD5FileUtil.getDigestFileForFile(snapshot.toFile()).toPath();
        if (Files.exists(checksum)) sync(checksum);
        sync(snapshot.resolveSibling("."));
        sync(snapshot.resolveSibling(".."));
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            file.force(true);
        }
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    /// Called on the thread that syncs the log, whenever it is about to.
    @Override
    public DataApi data() {
        return data;
    }

    /// To be called before the engine starts.
    ///
    /// @param wait for tests of disks that take their time
    void beforeSync(Runnable wait) {
        beforeSync = wait;
    }

    // --- entries

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        TermIndex at = TermIndex.valueOf(entry.getTerm(), entry.getIndex());
        Message reply = apply(at, entry.getStateMachineLogEntry().getLogData());
        updateLastAppliedTermIndex(at);
        appenders.values().forEach(LogAppender::notifyLogAppender);
        return CompletableFuture.completedFuture(reply);
    }

    /// This node leads, and sends its log to one more voter: that wants to be woken up when more is
    /// committed. Any thread.
    void onAppender(LogAppender appender) {
        appenders.put(appender.getFollowerId(), appender);
    }

    /// Whatever is thrown stops the engine: a node that cannot follow the log must not go on.
    private Message apply(TermIndex at, ByteString entry) {
        try {
            return count(at, entry);
        } catch (RuntimeException e) {
            listener.onFailed("entry " + at + " of the quorum's log cannot be read", e);
            throw e;
        }
    }

    private Message count(TermIndex at, ByteString entry) {
        byte kind = entry.isEmpty() ? 0 : entry.byteAt(0);
        if (kind == Entries.EMPTY) return COUNTED;
        if (kind != Entries.RECORDS) {
            throw new IllegalStateException(
                    "an entry has the unknown kind " + kind + ": a newer version wrote it");
        }
        Base from = base;
        if (from == null) {
            throw new IllegalStateException("an entry comes before the snapshot to start from");
        }
        Entries.Batch batch = Entries.batch(entry);
        int epoch = from.epochOfTerm(at.getTerm());
        if (batch.records().epoch() != epoch || batch.records().baseOffset() != nextOffset) {
            LOG.warn(
                    "A batch for offset {} in epoch {} is dropped at offset {}, epoch {}: its controller led no longer.",
                    batch.records().baseOffset(),
                    batch.records().epoch(),
                    nextOffset,
                    epoch);
            return DROPPED;
        }
        nextOffset = batch.records().lastOffset() + 1;
        listener.onBatch(at, batch);
        return COUNTED;
    }

    // --- events

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto conf) {
        configurationAt = TermIndex.valueOf(term, index);
    }

    @Override
    public void notifyLeaderReady() {
        Base from = base;
        if (from == null) {
            listener.onFailed("this voter leads without having a snapshot", null);
            return;
        }
        TermIndex at = configurationAt;
        listener.onLeaderReady(from.epochOfTerm(at.getTerm()), at);
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        listener.onNotLeader();
    }

    /// Ratis gives up by itself: one division when another voter says that this one was taken out,
    /// all of them for other reasons.
    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServers) {
        if (allServers) {
            listener.onFailed("the quorum's engine has stopped", null);
        } else {
            listener.onTakenOut();
        }
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
        listener.onFailed("the quorum's log cannot be written", cause);
    }

    // --- snapshots

    /// Where the log before this engine's ended; empty as long as a node that joins has not heard.
    Optional<Base> knownBase() {
        return Optional.ofNullable(base);
    }

    boolean hasNoSnapshot() {
        return reportedIndex < 0;
    }

    /// Writes a snapshot file. Any one thread at a time.
    SingleFileSnapshotInfo write(
            TermIndex at, SnapshotFile.Header header, Iterable<MetadataRecord> image)
            throws IOException {
        File target = storage.getSnapshotFile(at.getTerm(), at.getIndex());
        Path temporary = target.toPath().resolveSibling(target.getName() + ".tmp");
        SnapshotFile.write(temporary, header, image);
        MD5Hash checksum = MD5FileUtil.computeMd5ForFile(temporary.toFile());
        MD5FileUtil.saveMD5File(target, checksum);
        Files.move(
                temporary,
                target.toPath(),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        makeDurable(target.toPath());
        return new SingleFileSnapshotInfo(new FileInfo(target.toPath(), checksum), at);
    }

    /// From now on Ratis may drop its log up to the snapshot.
    void report(SingleFileSnapshotInfo written) {
        storage.updateLatestSnapshot(written);
        reportedIndex = Math.max(reportedIndex, written.getIndex());
    }

    /// Tells Ratis of the newest snapshot that was reported; writes none.
    @Override
    public long takeSnapshot() {
        return reportedIndex;
    }
}

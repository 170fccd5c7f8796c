package dev.ottla.quorum.raft;

import dev.ottla.log.disk.FileDisk;
import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataLogException;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumMembers;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.quorum.store.Engine;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.SnapshotId;
import dev.ottla.wire.Check;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The metadata log of several controllers. Ratis puts the batches into one order; what it has
/// committed is put into the [MetadataStore] of every voter and told to the listener.
///
/// | from      | to        | when                                                                  |
/// |-----------|-----------|-----------------------------------------------------------------------|
/// | new       | following | started                                                               |
/// | following | founding  | the first voter leads and has no snapshot yet                         |
/// | founding  | leading   | its snapshot is on disk and it was told so                            |
/// | following | leading   | Ratis leads, everything of before is applied and in the store         |
/// | leading   | following | Ratis leads no longer, an append failed, or the store takes no batch  |
/// | any       | offline   | Ratis has stopped or failed, or the directory of the store did        |
/// | any       | closed    | closed or detached                                                    |
///
/// Appends are pipelined: each gets the offset behind the one before. When one is lost, those after
/// it do not count either (see [MetadataStateMachine]), so any failure ends the term.
///
/// Owned by the metadata thread.
public final class RaftMetadataLog implements Engine, QuorumMembers {
    private static final Duration PORT_PATIENCE = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(RaftMetadataLog.class);

    /// Committed batches that wait for the metadata thread or for the store; when there are as
    /// many, Ratis applies no more.
    private static final int MOST_WAITING = 256;

    private final MetadataStore store;
    private final Seat seat;
    private final Beginning beginning;
    private final Executor metadataThread;
    private final Executor lane;
    private final InstantSource clock;
    private final RaftOptions options;
    private final Owner owner;
    private final MetadataStateMachine machine;
    private final Arrivals arrivals = new Arrivals();

    /// Taken by the thread that applies, given back by the metadata thread: the only wait between
    /// the two.
    private final Semaphore room = new Semaphore(MOST_WAITING);

    /// Written by the metadata thread, read by threads of Ratis, which then hand nothing over.
    private volatile boolean closed;

    /// Committed batches that the store has no room for.
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    private State state = State.NEW;
    private Optional<String> failure = Optional.empty();
    private @Nullable RaftNode node;
    private @Nullable Listener listener;
    private int epoch;
    private long nextOffset;
    private boolean mustStepDown;
    private long lastEntryMs;

    /// The last entry whose records the listener has seen, and the offset of the last of them.
    private TermIndex seenAt = TermIndex.INITIAL_VALUE;

    private long seenOffset = -1;
    private long seenTimestampMs;
    private long indexOfSnapshot;
    private boolean writingSnapshot;
    private @Nullable Written unreported;

    private enum State {
        NEW,
        FOLLOWING,
        FOUNDING,
        LEADING,
        OFFLINE,
        CLOSED
    }

    private record Waiting(TermIndex at, Entries.Batch batch) {}

    /// A snapshot that is on disk, while what it contains may not yet be so in the store.
    private record Written(SingleFileSnapshotInfo file, long endOffset) {}

    /// Hears what ends this log before it is closed; on the metadata thread.
    public interface Owner {
        /// This node is not one of the voters any more.
        void onTakenOut();

        /// Ratis has found no room on the disk, or no descriptor, for what it must note down, and
        /// does not try again: another log on the same seat can, when there is room.
        ///
        /// @param term the highest that Ratis has heard of
        void onNoRoom(long term);
    }

    /// @param store this log closes it
    /// @param metadataThread runs tasks on the thread that owns this log, in order
    /// @param lane writes snapshots; of threads that nobody interrupts
    public RaftMetadataLog(
            MetadataStore store,
            Seat seat,
            Beginning beginning,
            Executor metadataThread,
            Executor lane,
            InstantSource clock,
            RaftOptions options,
            Owner owner) {
        this.store = store;
        this.seat = seat;
        this.beginning = beginning;
        this.metadataThread = metadataThread;
        this.lane = lane;
        this.clock = clock;
        this.options = options;
        this.owner = owner;
        this.machine = new MetadataStateMachine(baseOf(beginning), new FromRatis());
    }

    private static Optional<Base> baseOf(Beginning beginning) {
        return switch (beginning) {
            case Beginning.Founder(Base base, Runnable _) -> Optional.of(base);
            case Beginning.Joiner _, Beginning.Returning _ -> Optional.empty();
        };
    }

    /// To be called before this log is started.
    ///
    /// @param wait runs before each sync of the engine's log, for tests of disks that take their
    ///   time
    void beforeSync(Runnable wait) {
        machine.beforeSync(wait);
    }

    // --- starting and stopping

    /// Tells the listener what the store has; the rest comes when Ratis knows that it is committed.
    @Override
    public void start(Listener newListener) {
        Check.check(state == State.NEW, "the metadata log is started twice");
        listener = newListener;
        store.openCopy(newListener, new FromStore());
        run();
    }

    @Override
    public void resume(Listener newListener) {
        Check.check(state == State.NEW, "the metadata log is started twice");
        listener = newListener;
        store.follow(new FromStore());
        run();
    }

    private void run() {
        boolean existing = beginning instanceof Beginning.Returning;
        if (existing != seat.isTaken()) {
            throw new MetadataLogException(
                    existing
                            ? "The files of the quorum in %s are gone: this voter cannot come back. Remove it from the quorum and let it join again."
                                    .formatted(seat.directory())
                            : "There are files of a quorum in %s already."
                                    .formatted(seat.directory()));
        }
        seenOffset = store.endOffset() - 1;
        state = State.FOLLOWING;
        lastEntryMs = clock.millis();
        try {
            mendVote();
            FreePort.await(seat.voter().port(), options.bindHost(), PORT_PATIENCE);
            RaftNode made =
                    RaftNode.create(
                            seat.directory(),
                            seat.clusterId(),
                            seat.voter(),
                            beginning instanceof Beginning.Founder,
                            existing,
                            machine,
                            options);
            node = made;
            made.start();
        } catch (IOException e) {
            stop();
            throw new MetadataLogException(
                    "The quorum's engine in %s does not start: %s"
                            .formatted(seat.directory(), e.getMessage()),
                    e);
        }
    }

    private void mendVote() throws IOException {
        if (VoteFile.isWhole(seat.groupDirectory())) return;
        if (beginning instanceof Beginning.Returning(long term) && term >= 0) {
            VoteFile.write(seat.groupDirectory(), term, Peers.id(seat.voter()).toString());
        } else {
            VoteFile.mend(seat.groupDirectory(), store.latestEpoch());
        }
    }

    @Override
    public void close() {
        close(() -> {});
    }

    @Override
    public void close(Runnable done) {
        stop();
        store.close(done);
    }

    @Override
    public void detach() {
        resign();
        stop();
    }

    /// Ends the engine, not the store.
    private void stop() {
        if (state == State.CLOSED) return;
        state = State.CLOSED;
        closed = true;
        room.release(MOST_WAITING);
        RaftNode running = node;
        if (running == null) return;
        try {
            running.close();
        } catch (IOException e) {
            LOG.warn("The quorum's engine did not stop in order: {}", e.getMessage());
        }
    }

    // --- appending

    @Override
    public long nextOffset() {
        return state == State.LEADING ? nextOffset : store.endOffset();
    }

    @Override
    public int maxBatchBytes() {
        return options.maxBatchBytes();
    }

    @Override
    public long append(List<MetadataRecord> records, int ofEpoch) {
        if (state != State.LEADING || ofEpoch != epoch) {
            throw new NotControllerException(
                    "Epoch %d of the controller is over: try again.".formatted(ofEpoch));
        }
        ByteString entry = Entries.records(records, clock.millis(), nextOffset, epoch);
        if (entry.size() > RaftOptions.MAX_ENTRY_BYTES) {
            throw new IllegalArgumentException(
                    "a batch of %d bytes does not fit into an entry of the quorum's log, %d bytes at most"
                            .formatted(entry.size(), RaftOptions.MAX_ENTRY_BYTES));
        }
        long baseOffset = nextOffset;
        nextOffset += records.size();
        var _ = submit(entry);
        return baseOffset;
    }

    private CompletableFuture<Boolean> submit(ByteString entry) {
        lastEntryMs = clock.millis();
        int ofEpoch = epoch;
        return running()
                .append(entry)
                .whenComplete((counted, failure) -> {
                    if (failure != null || !counted) {
                        onMetadataThread(() -> onAppendFailed(ofEpoch, failure));
                    }
                });
    }

    private void onAppendFailed(int ofEpoch, @Nullable Throwable failure) {
        if (state != State.LEADING || epoch != ofEpoch) return;
        LOG.warn(
                "An append of the controller was lost, so it ends its term {}: {}",
                epoch,
                failure == null ? "another one leads" : QuorumException.words(failure));
        resign();
        stepDown();
    }

    private void resign() {
        if (state == State.FOUNDING) state = State.FOLLOWING;
        if (state != State.LEADING) return;
        state = State.FOLLOWING;
        arrivals.forgetAll();
        started().onResigned();
    }

    /// Ratis leads, but this log cannot: another voter, or another term, is needed.
    private void stepDown() {
        mustStepDown = false;
        var _ =
                running()
                        .stepDown()
                        .whenComplete((_, failure) -> {
                            if (failure != null) onMetadataThread(() -> mustStepDown = true);
                        });
    }

    // --- what is committed

    private void onBatch(Waiting next) {
        waiting.add(next);
        drain();
    }

    private void drain() {
        for (Waiting next = waiting.peek(); next != null && take(next); next = waiting.peek()) {
            waiting.remove();
            room.release();
        }
        started().onBlind(!waiting.isEmpty());
    }

    private boolean take(Waiting next) {
        MetadataBatch batch = next.batch().records();
        boolean stored = batch.lastOffset() < store.endOffset();
        if (!stored) {
            Check.check(
                    batch.baseOffset() == store.endOffset(),
                    "the batch at %d does not follow on the metadata log, which ends at %d",
                    batch.baseOffset(),
                    store.endOffset());
            Optional<String> problem = store.append(next.batch().bytes(), batch.epoch());
            if (problem.isPresent()) {
                onNoRoom(problem.get());
                return false;
            }
            store.committedAt(batch.timestampMs());
        }
        seenAt = next.at();
        seenOffset = batch.lastOffset();
        seenTimestampMs = batch.timestampMs();
        if (!stored) started().onCommitted(batch);
        return true;
    }

    /// The batch waits until [#sweep] finds room, and Ratis applies no more meanwhile.
    private void onNoRoom(String problem) {
        LOG.warn("What the quorum has committed is held back: {}", problem);
        if (state != State.LEADING) return;
        resign();
        stepDown();
    }

    private void onSnapshot(SnapshotFile snapshot) {
        try (snapshot) {
            SnapshotFile.Header header = snapshot.header();
            if (header.endOffset() <= store.endOffset()) return;
            room.release(waiting.size());
            waiting.clear();
            store.restore(
                    new SnapshotId(header.endOffset(), header.epoch()),
                    header.timestampMs(),
                    snapshot);
            seenOffset = header.endOffset() - 1;
            seenTimestampMs = header.timestampMs();
            started().onSnapshot(seenOffset, header.epoch(), snapshot);
        } catch (IOException | RuntimeException e) {
            onFailed("the snapshot of the leader cannot be taken over", e);
        }
    }

    private void onLeaderReady(int ofEpoch, TermIndex at) {
        if (state != State.FOLLOWING || !running().leads(at.getTerm())) return;
        if (!waiting.isEmpty()) {
            stepDown();
            return;
        }
        epoch = ofEpoch;
        nextOffset = store.endOffset();
        if (seenAt.getIndex() < at.getIndex()) seenAt = at;
        if (beginning instanceof Beginning.Founder && machine.hasNoSnapshot()) {
            state = State.FOUNDING;
            started().onSnapshotDue();
        } else {
            lead();
        }
    }

    private void lead() {
        state = State.LEADING;
        started().onLeader(epoch);
    }

    private void onTakenOut() {
        if (state == State.OFFLINE) return;
        LOG.info("This node is no voter of the quorum any more.");
        owner.onTakenOut();
    }

    private void onFailed(String reason, @Nullable Throwable cause) {
        if (state == State.OFFLINE || state == State.CLOSED) return;
        if (FileDisk.isShortage(cause)) {
            onShortage(reason);
            return;
        }
        LOG.error("The metadata log is offline, nothing can be changed: {}.", reason, cause);
        becomeOffline(reason);
    }

    /// It leads and votes no more, and the engine must be another one to go on.
    private void onShortage(String reason) {
        LOG.error(
                "The disk has no room for what this voter of the quorum must note down in {}: {}. It neither votes nor leads until {} MB are free, and goes on by itself then.",
                seat.directory(),
                reason,
                VoterRoom.RETURN_BYTES >> 20);
        resign();
        state = State.OFFLINE;
        owner.onNoRoom(running().term());
    }

    private void becomeOffline(String reason) {
        resign();
        if (state == State.CLOSED) return;
        state = State.OFFLINE;
        failure = Optional.of(reason);
    }

    @Override
    public Optional<String> failure() {
        return failure;
    }

    // --- from time to time

    @Override
    public void sweep() {
        if (state == State.NEW || state == State.CLOSED) return;
        store.sweep();
        drain();
        if (state == State.OFFLINE) return;
        if (running().hasLeft()) {
            onTakenOut();
            return;
        }
        if (!isVoteNoted()) {
            onShortage("its term and its vote could not be written");
            return;
        }
        if (mustStepDown) stepDown();
        long nowMs = clock.millis();
        if (state == State.LEADING && nowMs - lastEntryMs >= options.idleMs()) writeNothing(nowMs);
        if (seenAt.getIndex() - indexOfSnapshot >= options.snapshotEntries()) {
            started().onSnapshotDue();
        }
        store.askForSnapshot();
    }

    /// Ratis tells nobody when it cannot write that file, and asks for no votes any more.
    private boolean isVoteNoted() {
        try {
            return VoteFile.isWhole(seat.groupDirectory());
        } catch (IOException e) {
            return FileDisk.isShortage(e);
        }
    }

    private void writeNothing(long nowMs) {
        lastEntryMs = nowMs;
        if (running().voters().size() > 1) {
            var _ = submit(Entries.NONE);
        }
    }

    // --- snapshots

    @Override
    public void snapshot(long lastOffset, int ofEpoch, Iterable<MetadataRecord> image) {
        if (state == State.CLOSED || state == State.OFFLINE) return;
        long endOffset = store.endOffset();
        store.snapshot(new SnapshotId(lastOffset + 1, ofEpoch), image);
        // While batches are held back, or before the first, nobody can say which entry this is.
        boolean known = waiting.isEmpty() && seenAt.getIndex() >= 0 && seenOffset == endOffset - 1;
        Optional<Base> base = machine.knownBase();
        if (writingSnapshot || !known || base.isEmpty()) return;
        writingSnapshot = true;
        indexOfSnapshot = seenAt.getIndex();
        TermIndex at = seenAt;
        SnapshotFile.Header header =
                new SnapshotFile.Header(base.get(), endOffset, ofEpoch, seenTimestampMs);
        lane.execute(() -> {
            try {
                Written written = new Written(machine.write(at, header, image), endOffset);
                onMetadataThread(() -> onWritten(written));
            } catch (IOException | RuntimeException e) {
                LOG.error("A snapshot could not be written to {}.", seat.directory(), e);
                onMetadataThread(() -> writingSnapshot = false);
            }
        });
    }

    private void onWritten(Written written) {
        writingSnapshot = false;
        unreported = written;
        reportSnapshot();
    }

    /// Ratis drops its log up to a snapshot that it knows, so the store must have it all by then.
    private void reportSnapshot() {
        Written written = unreported;
        if (written == null || store.flushedEndOffset() < written.endOffset()) return;
        unreported = null;
        machine.report(written.file());
        var _ =
                running()
                        .reportSnapshot()
                        .whenComplete((_, failure) -> {
                            if (failure != null) {
                                LOG.info(
                                        "The quorum's log is not shortened yet: {}",
                                        QuorumException.words(failure));
                            }
                        });
        if (state == State.FOUNDING && beginning instanceof Beginning.Founder founder) {
            try {
                founder.begun().run();
            } catch (RuntimeException e) {
                onFailed("the quorum's beginning could not be noted down", e);
                return;
            }
            lead();
        }
    }

    // --- the quorum

    @Override
    public QuorumState quorum() {
        RaftNode present = node;
        if (present == null) {
            return new QuorumState(-1, epoch, store.endOffset(), List.of(), List.of());
        }
        int leader = present.leader().map(Peers::nodeId).orElse(-1);
        int ofEpoch = machine.knownBase().map(b -> b.epochOfTerm(present.term())).orElse(0);
        long nowMs = clock.millis();
        QuorumReplicas replicas = new QuorumReplicas(present, store.endOffset(), nowMs);
        List<RaftPeer> voting = new ArrayList<>(present.voters());
        List<RaftPeer> arriving =
                voting.stream()
                        .filter(v ->
                                arrivals.isAwaited(
                                        v.getId(), replicas.committedIndex(v.getId()), nowMs))
                        .toList();
        voting.removeAll(arriving);
        return new QuorumState(
                leader, ofEpoch, store.endOffset(), replicas.of(voting), replicas.of(arriving));
    }

    /// Only what a majority takes is counted. Ratis has reads for this; one of 3.3.0 is answered
    /// without the others once they had all that is committed.
    @Override
    public CompletableFuture<Boolean> confirmLead() {
        if (state != State.LEADING) return CompletableFuture.completedFuture(false);
        if (running().voters().size() == 1) return CompletableFuture.completedFuture(true);
        return submit(Entries.NONE).handle((counted, failure) -> failure == null && counted);
    }

    @Override
    public void leaderIsGone(int nodeId) {
        if (state != State.FOLLOWING) return;
        boolean leads = running().leader().map(Peers::nodeId).map(id -> id == nodeId).orElse(false);
        if (leads) running().stand();
    }

    /// The first entry that the engine's log still has.
    long firstIndex() {
        return running().firstIndex();
    }

    @Override
    public List<QuorumVoter> voters() {
        return running().voters().stream().map(Peers::voter).toList();
    }

    @Override
    public boolean isThere(QuorumVoter voter) {
        long silentMs = running().silentMs().getOrDefault(Peers.id(voter), Long.MAX_VALUE);
        return silentMs < 5L * options.electionTimeoutMs();
    }

    @Override
    public CompletableFuture<Void> addVoters(List<QuorumVoter> added) {
        List<QuorumVoter> known = voters();
        List<RaftPeerId> arriving =
                added.stream().filter(voter -> !known.contains(voter)).map(Peers::id).toList();
        arrivals.expect(arriving);
        return new MemberChange(running(), metadataThread)
                .add(added)
                .whenCompleteAsync(
                        (_, failure) -> {
                            if (failure != null) arrivals.forget(arriving);
                            else
                                arrivals.agreed(
                                        arriving, running().committedIndex(), clock.millis());
                        },
                        metadataThread);
    }

    /// A leader hands over before it is taken out by the next one: Ratis stands still for ever when
    /// one that takes itself out gets something to append meanwhile.
    @Override
    public CompletableFuture<Void> removeVoter(int nodeId, Uuid directoryId) {
        if (!Peers.isOf(running().self(), nodeId, directoryId)) {
            return new MemberChange(running(), metadataThread)
                    .remove(id -> Peers.isOf(id, nodeId, directoryId));
        }
        return running()
                .handOver()
                .thenAccept(_ -> {
                    throw new NotControllerException(
                            "Node %d has handed over to another controller, which can take it out: try again."
                                    .formatted(nodeId));
                });
    }

    // --- helpers

    private RaftNode running() {
        RaftNode present = node;
        if (present == null) throw new IllegalStateException("the metadata log is not started");
        return present;
    }

    private Listener started() {
        Listener present = listener;
        if (present == null) throw new IllegalStateException("the metadata log is not started");
        return present;
    }

    private void onMetadataThread(Runnable task) {
        metadataThread.execute(() -> {
            if (!closed) task.run();
        });
    }

    /// On threads of Ratis.
    private final class FromRatis implements MetadataStateMachine.Listener {
        @Override
        public void onSnapshot(SnapshotFile snapshot) {
            metadataThread.execute(() -> RaftMetadataLog.this.onSnapshot(snapshot));
        }

        @Override
        public void onBatch(TermIndex at, Entries.Batch batch) {
            room.acquireUninterruptibly();
            onMetadataThread(() -> RaftMetadataLog.this.onBatch(new Waiting(at, batch)));
        }

        @Override
        public void onLeaderReady(int ofEpoch, TermIndex at) {
            onMetadataThread(() -> RaftMetadataLog.this.onLeaderReady(ofEpoch, at));
        }

        @Override
        public void onNotLeader() {
            onMetadataThread(RaftMetadataLog.this::resign);
        }

        @Override
        public void onTakenOut() {
            onMetadataThread(RaftMetadataLog.this::onTakenOut);
        }

        @Override
        public void onFailed(String reason, @Nullable Throwable cause) {
            onMetadataThread(() -> RaftMetadataLog.this.onFailed(reason, cause));
        }
    }

    private final class FromStore implements MetadataStore.Listener {
        @Override
        public void onFlushed(long flushedEndOffset) {
            reportSnapshot();
        }

        @Override
        public void onSnapshotDue() {
            started().onSnapshotDue();
        }

        @Override
        public void onOffline(String reason) {
            becomeOffline(reason);
        }
    }
}

package dev.ottla.quorum.engine;

import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataLogException;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumMembers;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.quorum.local.LocalMetadataLog;
import dev.ottla.quorum.raft.Base;
import dev.ottla.quorum.raft.Beginning;
import dev.ottla.quorum.raft.QuorumFiles;
import dev.ottla.quorum.raft.RaftMetadataLog;
import dev.ottla.quorum.store.Engine;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The engine of this node, which may become another one while the node runs. Who uses it sees one
/// log all the time.
///
/// | from     | to       | steps, each of which may be the last before a power loss                    |
/// |----------|----------|-----------------------------------------------------------------------------|
/// | local    | quorum   | the log is sealed; the quorum begins with this voter; its snapshot; marker   |
/// | observer | quorum   | the quorum's files are made; marker; then the leader may add this voter      |
/// | quorum   | observer | this voter was taken out: the marker goes, then the files                    |
/// | quorum   | observer | its disk has no room: it rests, its files stay                               |
/// | observer | quorum   | it rested and there is room                                                  |
///
/// A start that finds the seal without the marker goes on where the steps were cut off: nothing was
/// added since the seal, so what is left of the attempt is removed and it begins anew.
///
/// Owned by the metadata thread.
public final class QuorumEngine implements MetadataLog, QuorumMembers, RaftMetadataLog.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(QuorumEngine.class);

    private final MetadataStore store;
    private final Makers makers;
    private final QuorumFiles files;
    private final Place place;

    private @Nullable Engine engine;
    private @Nullable Listener listener;
    private boolean isVoter;
    private boolean takenOut;
    private boolean closed;

    /// The hand-over from local to quorum that is on its way, tried again until it is done.
    private @Nullable Founding founding;

    /// The voters that a voter knew when its disk had no room any more: it copies until there is
    /// some, and is one of them as one that is down is. None while it does not rest.
    private List<QuorumVoter> resting = List.of();

    private long termOfRest;

    /// How a node takes part.
    public interface Place {
        /// Whether it copies the log of others, and never begins one.
        boolean joins();

        /// It as a voter, with the address where the other voters reach it.
        QuorumVoter self();
    }

    private static final class Founding {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private boolean begun;
    }

    public QuorumEngine(MetadataStore store, Makers makers, QuorumFiles files, Place place) {
        this.store = store;
        this.makers = makers;
        this.files = files;
        this.place = place;
    }

    // --- starting and stopping

    @Override
    public void start(Listener newListener) {
        listener = newListener;
        Optional<QuorumVoter> voter;
        try {
            voter = files.voter();
        } catch (IOException e) {
            throw new MetadataLogException(
                    "The files of the quorum cannot be read: " + e.getMessage(), e);
        }
        if (voter.isPresent()) {
            isVoter = true;
            use(makers.raft(voter.get(), new Beginning.Returning(), this)).start(newListener);
        } else if (place.joins()) {
            use(makers.observer()).start(newListener);
        } else {
            LocalMetadataLog local = makers.local();
            use(local).start(newListener);
            if (local.isSealed()) {
                LOG.info("The hand-over to the quorum was cut off; it goes on.");
                var _ = handOver(local);
            }
        }
    }

    private Engine use(Engine next) {
        engine = next;
        return next;
    }

    @Override
    public void sweep() {
        if (closed) return;
        Founding present = founding;
        if (present != null && !present.begun) tryToFound(present);
        if (!resting.isEmpty() && files.hasRoom()) tryToReturn();
        current().sweep();
    }

    @Override
    public Optional<String> failure() {
        return current().failure();
    }

    @Override
    public void close() {
        close(() -> {});
    }

    @Override
    public void close(Runnable done) {
        closed = true;
        Engine present = engine;
        if (present == null) {
            done.run();
        } else {
            present.close(done);
        }
    }

    // --- becoming another engine

    /// Whether this node runs the quorum's engine, be it added to the quorum yet or not.
    public boolean isVoter() {
        return isVoter;
    }

    /// Makes this node ready to vote: the only node of a cluster begins the quorum, an observer
    /// waits to be added by the quorum's leader. Done at once when it is so already. On the
    /// metadata thread; the future is completed there.
    public CompletableFuture<Void> becomeVoter() {
        if (isVoter) return CompletableFuture.completedFuture(null);
        if (current() instanceof LocalMetadataLog local) return handOver(local);
        return join();
    }

    private CompletableFuture<Void> handOver(LocalMetadataLog local) {
        Founding present = founding;
        if (present != null) return present.done;
        Founding made = new Founding();
        founding = made;
        made.begun = true; // until it is sealed there is nothing to try again
        local.seal(
                place.self(),
                problem -> {
                    if (problem.isPresent()) {
                        founding = null;
                        made.done.completeExceptionally(new NotControllerException(problem.get()));
                    } else {
                        tryToFound(made);
                    }
                });
        return made.done;
    }

    /// After the seal nothing but the quorum can go on, so this is tried until it works.
    private void tryToFound(Founding attempt) {
        attempt.begun = true;
        QuorumVoter self = place.self();
        Base base = new Base(store.endOffset(), store.latestEpoch());
        try {
            files.clear();
            Engine quorum =
                    makers.raft(
                            self,
                            new Beginning.Founder(base, () -> onFounded(attempt, self)),
                            this);
            quorum.resume(listening());
            current().detach();
            use(quorum);
        } catch (IOException | MetadataLogException e) {
            attempt.begun = false;
            LOG.error(
                    "The quorum does not begin, so nothing can be changed in the cluster; trying again: {}",
                    e.getMessage());
        }
    }

    private void onFounded(Founding attempt, QuorumVoter self) {
        try {
            files.mark(self);
        } catch (IOException e) {
            throw new MetadataLogException(
                    "The marker of the quorum cannot be written: " + e.getMessage(), e);
        }
        LOG.info("The metadata log is kept by a quorum from now on; this node is its first voter.");
        isVoter = true;
        founding = null;
        attempt.done.complete(null);
    }

    private CompletableFuture<Void> join() {
        QuorumVoter self = place.self();
        Engine observer = current();
        try {
            files.clear();
            Engine quorum = makers.raft(self, new Beginning.Joiner(), this);
            observer.detach();
            use(quorum).resume(listening());
            files.mark(self);
        } catch (IOException | MetadataLogException e) {
            observe();
            return CompletableFuture.failedFuture(e);
        }
        isVoter = true;
        return CompletableFuture.completedFuture(null);
    }

    /// This node votes no longer and copies what the voters have.
    public void leave() {
        if (isVoter) observe();
    }

    /// Whether this voter waits for room on its disk.
    public boolean isResting() {
        return !resting.isEmpty();
    }

    /// Whether this node was taken out of the quorum since it started.
    public boolean wasTakenOut() {
        return takenOut;
    }

    @Override
    public void onTakenOut() {
        if (closed) return;
        takenOut = true;
        leave();
    }

    private void observe() {
        isVoter = false;
        resting = List.of();
        current().detach();
        try {
            files.clear();
        } catch (IOException e) {
            LOG.warn("The files of the quorum stay: {}", e.getMessage());
        }
        use(makers.observer()).resume(listening());
    }

    /// The promises of a voter that votes stay, so it may vote again.
    @Override
    public void onNoRoom(long term) {
        if (closed) return;
        Founding present = founding;
        if (present != null) {
            present.begun = false; // The next sweep begins it anew.
            return;
        }
        List<QuorumVoter> known = voters();
        if (known.stream().noneMatch(this::isSelf)) {
            leave();
            return;
        }
        current().detach();
        listening().onBlind(true); // Until it has copied what there is.
        use(makers.observer()).resume(listening());
        resting = known;
        termOfRest = term;
    }

    private boolean isSelf(QuorumVoter voter) {
        QuorumVoter self = place.self();
        return voter.nodeId() == self.nodeId() && voter.directoryId().equals(self.directoryId());
    }

    private void tryToReturn() {
        Engine observer = current();
        List<QuorumVoter> known = resting;
        try {
            QuorumVoter voter =
                    files.voter().orElseThrow(() -> new MetadataLogException("its files are gone"));
            Engine quorum = makers.raft(voter, new Beginning.Returning(termOfRest), this);
            observer.detach();
            use(quorum);
            resting = List.of();
            quorum.resume(listening());
            LOG.info("There is room again: this voter of the quorum goes on.");
        } catch (IOException | MetadataLogException e) {
            LOG.warn("This voter does not come back yet, it tries again: {}", e.getMessage());
            use(makers.observer()).resume(listening());
            resting = known;
        }
    }

    // --- the log

    @Override
    public long nextOffset() {
        return current().nextOffset();
    }

    @Override
    public long append(List<MetadataRecord> records, int epoch) {
        return current().append(records, epoch);
    }

    @Override
    public int maxBatchBytes() {
        return current().maxBatchBytes();
    }

    @Override
    public void snapshot(long lastOffset, int epoch, Iterable<MetadataRecord> image) {
        current().snapshot(lastOffset, epoch, image);
    }

    @Override
    public QuorumState quorum() {
        return current().quorum();
    }

    @Override
    public CompletableFuture<Boolean> confirmLead() {
        return current().confirmLead();
    }

    @Override
    public void leaderIsGone(int nodeId) {
        current().leaderIsGone(nodeId);
    }

    // --- the voters

    @Override
    public List<QuorumVoter> voters() {
        return current() instanceof QuorumMembers quorum ? quorum.voters() : resting;
    }

    @Override
    public boolean isThere(QuorumVoter voter) {
        return current() instanceof QuorumMembers quorum && quorum.isThere(voter);
    }

    @Override
    public CompletableFuture<Void> addVoters(List<QuorumVoter> added) {
        return current() instanceof QuorumMembers quorum ? quorum.addVoters(added) : noQuorum();
    }

    @Override
    public CompletableFuture<Void> removeVoter(int nodeId, Uuid directoryId) {
        return current() instanceof QuorumMembers quorum
                ? quorum.removeVoter(nodeId, directoryId)
                : noQuorum();
    }

    private static CompletableFuture<Void> noQuorum() {
        return CompletableFuture.failedFuture(
                new NotControllerException("This node is no voter of the quorum."));
    }

    private Engine current() {
        Engine present = engine;
        if (present == null) throw new IllegalStateException("the metadata log is not started");
        return present;
    }

    private Listener listening() {
        Listener present = listener;
        if (present == null) throw new IllegalStateException("the metadata log is not started");
        return present;
    }
}

package dev.ottla.quorum.local;

import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.quorum.store.Engine;
import dev.ottla.quorum.store.MetadataBatches;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.SnapshotId;
import dev.ottla.wire.Check;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The metadata log of a cluster of one node. Records are committed when they are on disk; this
/// node leads from the end of [#start] on, under an epoch that rises at each start.
///
/// | from      | to        | when                                                            |
/// |-----------|-----------|-----------------------------------------------------------------|
/// | new       | leading   | started                                                         |
/// | leading   | refusing  | an append found no room                                         |
/// | refusing  | leading   | [#sweep], nothing is outstanding and a first append is taken    |
/// | leading   | sealed    | [#seal], and nothing is outstanding                             |
/// | new       | sealed    | started with a copy that was sealed                             |
/// | any       | offline   | the directory failed                                            |
/// | any       | closed    | closed or detached                                              |
///
/// Owned by the metadata thread.
public final class LocalMetadataLog implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(LocalMetadataLog.class);

    private final MetadataStore store;
    private final int nodeId;
    private final InstantSource clock;
    private final int maxBatchBytes;

    /// Batches that are not on disk yet, in their order.
    private final Queue<MetadataBatch> outstanding = new ArrayDeque<>();

    private State state = State.NEW;
    private @Nullable Listener listener;
    private int epoch;
    private @Nullable Seal seal;
    private boolean sealOnDisk;

    /// A wish to end this engine, until it is fulfilled.
    private record Seal(QuorumVoter first, Consumer<Optional<String>> done) {}

    private enum State {
        NEW,
        LEADING,
        REFUSING,
        SEALED,
        OFFLINE,
        CLOSED
    }

    /// @param store not open yet; this log closes it
    /// @param maxBatchBytes largest batch
    public LocalMetadataLog(
            MetadataStore store, int nodeId, InstantSource clock, int maxBatchBytes) {
        this.store = store;
        this.nodeId = nodeId;
        this.clock = clock;
        this.maxBatchBytes = maxBatchBytes;
    }

    @Override
    public void start(Listener newListener) {
        Check.check(state == State.NEW, "the metadata log is started twice");
        listener = newListener;
        store.open(newListener, new Progress());
        begin();
    }

    @Override
    public void resume(Listener newListener) {
        Check.check(state == State.NEW, "the metadata log is started twice");
        listener = newListener;
        store.follow(new Progress());
        begin();
    }

    private void begin() {
        epoch = store.latestEpoch();
        if (store.wasSealed()) {
            state = State.SEALED;
            sealOnDisk = true;
            return;
        }
        state = State.REFUSING;
        lead();
    }

    // --- the end

    /// Whether a quorum goes on after this engine.
    public boolean isSealed() {
        return state == State.SEALED;
    }

    /// Ends this engine for good: its last batch names the voter that goes on, and nothing can be
    /// appended any more. `done` hears on the metadata thread when that is on disk, or what went
    /// wrong; then this engine goes on.
    public void seal(QuorumVoter first, Consumer<Optional<String>> done) {
        if (seal != null) {
            done.accept(Optional.of("The metadata log is being handed over already."));
            return;
        }
        if (state != State.LEADING && state != State.SEALED) {
            done.accept(Optional.of("The metadata log takes no records."));
            return;
        }
        seal = new Seal(first, done);
        sealIfQuiet();
    }

    /// What was appended before gets its answer first.
    private void sealIfQuiet() {
        Seal wish = seal;
        if (wish == null || !outstanding.isEmpty()) return;
        if (state == State.LEADING) {
            Optional<String> problem =
                    store.append(MetadataBatches.seal(wish.first(), clock.millis()), epoch);
            if (problem.isPresent()) {
                seal = null;
                wish.done().accept(problem);
                return;
            }
            state = State.SEALED;
            started().onResigned();
        }
        if (state == State.SEALED && sealOnDisk) {
            seal = null;
            wish.done().accept(Optional.empty());
        }
    }

    @Override
    public void detach() {
        if (state == State.LEADING) started().onResigned();
        state = State.CLOSED;
    }

    /// Begins a new epoch with a batch that says so.
    private void lead() {
        Optional<String> problem =
                store.append(MetadataBatches.leaderChange(nodeId, clock.millis()), epoch + 1);
        if (problem.isPresent()) {
            LOG.warn("The metadata log takes no records: {}", problem.get());
            return;
        }
        epoch++;
        state = State.LEADING;
        started().onLeader(epoch);
    }

    @Override
    public long nextOffset() {
        return store.endOffset();
    }

    @Override
    public long append(List<MetadataRecord> records, int ofEpoch) {
        if (state != State.LEADING || ofEpoch != epoch) {
            throw new NotControllerException(
                    "Epoch %d of the controller is over: try again.".formatted(ofEpoch));
        }
        long baseOffset = store.endOffset();
        long nowMs = clock.millis();
        Optional<String> problem = store.append(MetadataBatches.encode(records, nowMs), epoch);
        if (problem.isPresent()) {
            if (state == State.LEADING) state = State.REFUSING;
            throw new NotControllerException(problem.get());
        }
        outstanding.add(new MetadataBatch(baseOffset, epoch, nowMs, records));
        return baseOffset;
    }

    @Override
    public int maxBatchBytes() {
        return maxBatchBytes;
    }

    /// To be called every few seconds: moves recovery points, asks for a snapshot in time and,
    /// after the disk was full, tries to lead again.
    @Override
    public void sweep() {
        if (state == State.NEW || state == State.CLOSED) return;
        store.sweep();
        if (state == State.REFUSING && outstanding.isEmpty()) lead();
        store.askForSnapshot();
    }

    @Override
    public void snapshot(long lastOffset, int ofEpoch, Iterable<MetadataRecord> image) {
        if (state == State.CLOSED) return;
        store.snapshot(new SnapshotId(lastOffset + 1, ofEpoch), image);
    }

    @Override
    public QuorumState quorum() {
        long nowMs = clock.millis();
        return new QuorumState(
                state == State.LEADING ? nodeId : -1,
                epoch,
                store.flushedEndOffset(),
                List.of(
                        new QuorumState.Replica(
                                nodeId, store.directoryId(), store.endOffset(), nowMs, nowMs)),
                List.of());
    }

    @Override
    public void close() {
        close(() -> {});
    }

    @Override
    public void close(Runnable done) {
        state = State.CLOSED;
        store.close(done);
    }

    private Listener started() {
        Listener present = listener;
        if (present == null) throw new IllegalStateException("the metadata log is not started");
        return present;
    }

    private final class Progress implements MetadataStore.Listener {
        @Override
        public void onFlushed(long flushedEndOffset) {
            for (MetadataBatch next = outstanding.peek();
                    next != null && next.lastOffset() < flushedEndOffset;
                    next = outstanding.peek()) {
                outstanding.remove();
                store.committedAt(next.timestampMs());
                started().onCommitted(next);
            }
            if (state == State.SEALED && flushedEndOffset == store.endOffset()) sealOnDisk = true;
            sealIfQuiet();
        }

        @Override
        public void onSnapshotDue() {
            started().onSnapshotDue();
        }

        @Override
        public void onOffline(String reason) {
            state = State.OFFLINE;
            outstanding.clear();
            started().onResigned();
        }
    }
}

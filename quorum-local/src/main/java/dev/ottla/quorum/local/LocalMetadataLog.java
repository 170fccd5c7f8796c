package dev.ottla.quorum.local;

import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.quorum.store.MetadataBatches;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.SnapshotId;
import dev.ottla.wire.Check;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
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
/// | any       | offline   | the directory failed                                            |
/// | any       | closed    | closed                                                          |
///
/// Owned by the metadata thread.
public final class LocalMetadataLog implements MetadataLog {
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

    private enum State {
        NEW,
        LEADING,
        REFUSING,
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
        epoch = store.latestEpoch();
        state = State.REFUSING;
        lead();
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

package dev.ottla.quorum.observer;

import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.quorum.feed.ActiveController;
import dev.ottla.quorum.feed.BatchAnswer;
import dev.ottla.quorum.feed.BatchQuestion;
import dev.ottla.quorum.feed.Delay;
import dev.ottla.quorum.feed.MetadataSource;
import dev.ottla.quorum.feed.SnapshotAnswer;
import dev.ottla.quorum.store.Engine;
import dev.ottla.quorum.store.IncomingSnapshot;
import dev.ottla.quorum.store.MetadataBatches;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.SnapshotId;
import dev.ottla.record.MalformedRecordsException;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.wire.Check;
import dev.ottla.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The metadata log of a node that is no voter. It copies what the active controller committed,
/// batch by batch or from a snapshot where it is far behind, and reports each batch when that is in
/// the copy's file. One question is on its way at any time. This node never leads.
///
/// | what comes                       | what follows                                          |
/// |----------------------------------|-------------------------------------------------------|
/// | batches                          | they are appended and reported, the next question     |
/// | a snapshot is to be taken        | its parts are asked for; it replaces the copy         |
/// | less than the copy, nothing new  | the same question, after a pause                      |
/// | another history, another cluster | [#caughtUp] fails; the log says so; asked again later |
/// | no answer                        | the same question, after a pause                      |
///
/// Owned by the metadata thread.
public final class ObserverMetadataLog implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(ObserverMetadataLog.class);

    /// How long the controller may hold a question without news.
    private static final long MAX_WAIT_MS = 500;

    /// So that a new controller is found soon.
    private static final long PAUSE_MS = 50;

    private static final long LONG_PAUSE_MS = 1000;
    private static final int MAX_TROUBLES = 20;

    private final MetadataStore store;
    private final MetadataSource source;
    private final Delay delay;
    private final int nodeId;
    private final int maxBytes;

    /// Done when the copy first had all that the controller had committed.
    private final CompletableFuture<Void> caughtUp = new CompletableFuture<>();

    private State state = State.NEW;
    private Optional<String> failure = Optional.empty();
    private @Nullable Listener listener;
    private ActiveController controller = ActiveController.UNKNOWN;
    private long committedEnd = -1;

    /// Exclusive end of what was reported.
    private long reportedEnd;

    /// What went wrong since all was well, so that the log says each thing once; a few at most.
    private final Set<String> troubles = new HashSet<>();

    /// Written by the metadata thread, read by whoever waits for this node to join; a recent one
    /// will do.
    private volatile Optional<String> trouble = Optional.empty();

    private enum State {
        NEW,
        FOLLOWING,
        OFFLINE,
        CLOSED
    }

    /// @param store not open yet; this log closes it
    /// @param maxBytes of one answer
    public ObserverMetadataLog(
            MetadataStore store, MetadataSource source, Delay delay, int nodeId, int maxBytes) {
        this.store = store;
        this.source = source;
        this.delay = delay;
        this.nodeId = nodeId;
        this.maxBytes = maxBytes;
    }

    /// Done when this node first knows all that the controller had committed then; fails with a
    /// sentence for the operator when this node cannot be a part of the cluster. Any thread.
    public CompletableFuture<Void> caughtUp() {
        return caughtUp;
    }

    /// What went wrong last, as a sentence; empty while all is well. Any thread.
    public Optional<String> trouble() {
        return trouble;
    }

    @Override
    public void start(Listener newListener) {
        Check.check(state == State.NEW, "the metadata log is started twice");
        listener = newListener;
        store.openCopy(newListener, new Progress());
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
        reportedEnd = store.writtenEndOffset();
        state = State.FOLLOWING;
        ask();
    }

    @Override
    public void detach() {
        state = State.CLOSED;
    }

    private void ask() {
        if (state != State.FOLLOWING) return;
        if (store.endOffset() != reportedEnd) {
            // A part of an append found no room, which the log is about to forget.
            askAfter(PAUSE_MS);
            return;
        }
        BatchQuestion question =
                new BatchQuestion(
                        nodeId,
                        store.directoryId(),
                        reportedEnd,
                        store.latestEpoch(),
                        maxBytes,
                        MAX_WAIT_MS);
        source.fetch(question, this::onAnswer);
    }

    private void askAfter(long pauseMs) {
        delay.after(pauseMs, this::ask);
    }

    private void onAnswer(BatchAnswer answer) {
        if (state != State.FOLLOWING) return;
        switch (answer) {
            case BatchAnswer.Batches batches -> onBatches(batches);
            case BatchAnswer.InSnapshot(ActiveController from, SnapshotId id) -> {
                heardOf(from);
                take(id);
            }
            case BatchAnswer.Less(ActiveController from) -> {
                heardOf(from);
                trouble(
                        "The controller, node %d, has less of the metadata than this node, which ends at offset %d: waiting for it."
                                .formatted(from.nodeId(), reportedEnd));
                askAfter(LONG_PAUSE_MS);
            }
            case BatchAnswer.Diverging diverging -> refuse(sentence(diverging));
            case BatchAnswer.OtherCluster(String message) -> refuse(message);
            case BatchAnswer.NotController(ActiveController known) -> {
                heardOf(known);
                trouble = Optional.of("No node that was asked leads the cluster.");
                askAfter(PAUSE_MS);
            }
            case BatchAnswer.Failed(String reason) -> {
                failed(reason);
                askAfter(PAUSE_MS);
            }
        }
    }

    private String sentence(BatchAnswer.Diverging found) {
        return "The metadata in %s is not of the history that the controller, node %d, has: records of epoch %d up to offset %d are here, there epoch %d ends at offset %d. This node was part of another cluster, or the controller has lost records. Restore those, or give this node an empty directory."
                .formatted(
                        store.path(),
                        found.controller().nodeId(),
                        store.latestEpoch(),
                        reportedEnd,
                        found.epoch(),
                        found.endOffset());
    }

    private void refuse(String sentence) {
        trouble(sentence);
        caughtUp.completeExceptionally(new NotControllerException(sentence));
        askAfter(LONG_PAUSE_MS);
    }

    private void heardOf(ActiveController known) {
        if (known.epoch() >= controller.epoch()) controller = known;
    }

    private void failed(String reason) {
        trouble("The metadata of the cluster cannot be copied, trying on: " + reason);
        trouble = Optional.of(reason);
    }

    private void trouble(String what) {
        trouble = Optional.of(what);
        if (troubles.size() >= MAX_TROUBLES) troubles.clear();
        if (troubles.add(what)) LOG.warn("{}", what);
    }

    // --- batches

    private void onBatches(BatchAnswer.Batches answer) {
        heardOf(answer.controller());
        committedEnd = Math.max(committedEnd, answer.committedEnd());
        if (answer.bytes().hasRemaining() && !copy(answer.bytes())) {
            started().onBlind(true);
            askAfter(LONG_PAUSE_MS);
            return;
        }
        troubles.clear();
        trouble = Optional.empty();
        if (reportedEnd >= answer.committedEnd()) {
            caughtUp.complete(null);
            started().onBlind(false);
        }
        ask();
    }

    /// Appends batches and reports those that are in the file; whether these are all.
    private boolean copy(ByteBuffer bytes) {
        List<RecordBatch> batches;
        List<Optional<MetadataBatch>> decoded = new ArrayList<>();
        try {
            batches = checked(bytes);
            for (RecordBatch batch : batches) {
                decoded.add(
                        batch.isControl()
                                ? Optional.empty()
                                : Optional.of(MetadataBatches.decode(batch)));
            }
        } catch (RuntimeException e) {
            trouble(
                    "The controller, node %d, sent metadata from offset %d on that cannot be read: %s"
                            .formatted(controller.nodeId(), reportedEnd, e.getMessage()));
            return false;
        }
        long end = batches.getLast().nextOffset();
        store.appendCopied(bytes).ifPresent(this::trouble);
        long written = store.writtenEndOffset();
        for (int i = 0; i < batches.size() && batches.get(i).nextOffset() <= written; i++) {
            reportedEnd = batches.get(i).nextOffset();
            store.committedAt(batches.get(i).maxTimestamp());
            decoded.get(i).ifPresent(started()::onCommitted);
        }
        return reportedEnd == end;
    }

    /// The batches follow on the copy without a gap, and are as they were written.
    private List<RecordBatch> checked(ByteBuffer bytes) {
        List<RecordBatch> batches = new ArrayList<>();
        long next = reportedEnd;
        for (RecordBatch batch : RecordBatches.in(bytes)) {
            if (batch.baseOffset() != next || !batch.isCrcValid()) {
                throw new MalformedRecordsException(
                        "a batch of offset %d, %s, is where offset %d should be"
                                .formatted(
                                        batch.baseOffset(),
                                        batch.isCrcValid() ? "whole" : "damaged",
                                        next));
            }
            next = batch.nextOffset();
            batches.add(batch);
        }
        if (batches.isEmpty()) throw new MalformedRecordsException("no whole batch");
        return batches;
    }

    // --- snapshots

    private void take(SnapshotId id) {
        if (id.endOffset() <= reportedEnd) {
            askAfter(PAUSE_MS);
            return;
        }
        LOG.info(
                "This node takes a snapshot of the metadata up to offset {}, its own ends at {}.",
                id.endOffset(),
                reportedEnd);
        askForPart(store.receive(id));
    }

    private void askForPart(IncomingSnapshot incoming) {
        if (state != State.FOLLOWING) return;
        source.fetchSnapshot(
                new MetadataSource.SnapshotQuestion(nodeId, incoming.id(), incoming.sizeBytes()),
                answer -> onPart(incoming, answer));
    }

    private void onPart(IncomingSnapshot incoming, SnapshotAnswer answer) {
        if (state != State.FOLLOWING) return;
        switch (answer) {
            case SnapshotAnswer.Part(long sizeBytes, ByteBuffer bytes) -> {
                boolean last = incoming.sizeBytes() + bytes.remaining() >= sizeBytes;
                if (!bytes.hasRemaining() && !last) {
                    trouble("The controller sent an empty part of a snapshot, trying on.");
                    askAfter(LONG_PAUSE_MS);
                    return;
                }
                store.receive(incoming, bytes, problem -> onReceived(incoming, last, problem));
            }
            case SnapshotAnswer.Gone _ -> askAfter(PAUSE_MS);
            case SnapshotAnswer.Failed(String reason) -> {
                failed(reason);
                delay.after(PAUSE_MS, () -> askForPart(incoming));
            }
        }
    }

    private void onReceived(IncomingSnapshot incoming, boolean last, Optional<String> problem) {
        if (state != State.FOLLOWING) return;
        if (problem.isPresent()) {
            notTaken(problem.get());
        } else if (last) {
            store.install(incoming, started(), this::onInstalled);
        } else {
            askForPart(incoming);
        }
    }

    private void onInstalled(Optional<String> problem) {
        if (state != State.FOLLOWING) return;
        if (problem.isPresent()) {
            notTaken(problem.get());
            return;
        }
        reportedEnd = store.endOffset();
        ask();
    }

    private void notTaken(String problem) {
        trouble("A snapshot of the metadata cannot be taken, trying on: " + problem);
        askAfter(LONG_PAUSE_MS);
    }

    // --- the port

    @Override
    public long nextOffset() {
        return store.endOffset();
    }

    @Override
    public long append(List<MetadataRecord> records, int ofEpoch) {
        throw new NotControllerException("This node is not the active controller: try again.");
    }

    @Override
    public int maxBatchBytes() {
        return maxBytes;
    }

    @Override
    public void sweep() {
        store.sweep();
        store.askForSnapshot();
    }

    @Override
    public void snapshot(long lastOffset, int ofEpoch, Iterable<MetadataRecord> image) {
        if (state == State.CLOSED) return;
        store.snapshot(new SnapshotId(lastOffset + 1, ofEpoch), image);
    }

    /// As last heard: of the voters, only the active controller is known here.
    @Override
    public QuorumState quorum() {
        List<QuorumState.Replica> voters =
                controller.nodeId() < 0
                        ? List.of()
                        : List.of(
                                new QuorumState.Replica(
                                        controller.nodeId(), Uuid.ZERO, -1, -1, -1));
        return new QuorumState(
                controller.nodeId(), controller.epoch(), committedEnd, voters, List.of());
    }

    @Override
    public Optional<String> failure() {
        return failure;
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
        public void onSnapshotDue() {
            started().onSnapshotDue();
        }

        @Override
        public void onOffline(String reason) {
            state = State.OFFLINE;
            failure = Optional.of(reason);
            caughtUp.completeExceptionally(new NotControllerException(reason));
            started().onResigned();
        }
    }
}

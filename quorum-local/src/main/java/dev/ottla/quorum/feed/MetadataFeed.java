package dev.ottla.quorum.feed;

import dev.ottla.log.epoch.EpochEndOffset;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.QuorumState;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.SnapshotId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Answers those who copy the metadata log of this node while it is the active controller: what is
/// committed and nothing else, so copies never have to be cut. Who has everything waits for more.
///
/// Owned by the metadata thread.
public final class MetadataFeed {
    private static final int SNAPSHOT_PART_BYTES = 1 << 20;

    /// An observer that was silent for so long is gone.
    private static final long OBSERVER_SILENCE_MS = 300_000;

    private static final int MAX_OBSERVERS = 10_000;

    private final int nodeId;
    private final MetadataLog log;
    private final MetadataStore store;
    private final Delay delay;
    private final InstantSource clock;

    /// Questions with nothing to answer yet; one for each connection of an observer, and each ends
    /// with its time.
    private final List<Waiting> waiting = new ArrayList<>();

    /// By node id.
    private final Map<Integer, QuorumState.Replica> observers = new TreeMap<>();

    private boolean stopping;

    /// Equal only to itself.
    private static final class Waiting {
        private final BatchQuestion question;
        private final Consumer<BatchAnswer> answer;

        Waiting(BatchQuestion question, Consumer<BatchAnswer> answer) {
            this.question = question;
            this.answer = answer;
        }

        BatchQuestion question() {
            return question;
        }

        void answer(BatchAnswer found) {
            answer.accept(found);
        }
    }

    /// @param nodeId this node
    /// @param log the engine that writes to the copy
    /// @param store its copy
    public MetadataFeed(
            int nodeId, MetadataLog log, MetadataStore store, Delay delay, InstantSource clock) {
        this.nodeId = nodeId;
        this.log = log;
        this.store = store;
        this.delay = delay;
        this.clock = clock;
        store.watch(this::wake);
    }

    /// Answers at once, or when there is something new, or when the question's time is over.
    public void fetch(BatchQuestion question, Consumer<BatchAnswer> answer) {
        QuorumState quorum = log.quorum();
        if (!leads(quorum)) {
            answer.accept(new BatchAnswer.NotController(controller(quorum)));
            return;
        }
        note(question, quorum.highWatermark());
        BatchAnswer found = look(question, quorum);
        if (isEmpty(found) && question.maxWaitMs() > 0 && !stopping) {
            Waiting entry = new Waiting(question, answer);
            waiting.add(entry);
            delay.after(question.maxWaitMs(), () -> end(entry));
        } else {
            answer.accept(found);
        }
    }

    private boolean leads(QuorumState quorum) {
        return quorum.leaderId() >= 0 && quorum.leaderId() == nodeId;
    }

    private static ActiveController controller(QuorumState quorum) {
        return new ActiveController(quorum.leaderId(), quorum.leaderEpoch());
    }

    private static boolean isEmpty(BatchAnswer answer) {
        return answer instanceof BatchAnswer.Batches batches && !batches.bytes().hasRemaining();
    }

    private BatchAnswer look(BatchQuestion question, QuorumState quorum) {
        ActiveController controller = controller(quorum);
        long offset = question.offset();
        long end = quorum.highWatermark();
        if (offset < store.startOffset()) {
            return store.newestSnapshot()
                    .<BatchAnswer>map(id -> new BatchAnswer.InSnapshot(controller, id))
                    .orElseGet(() -> new BatchAnswer.Failed("there is no snapshot yet"));
        }
        Optional<BatchAnswer> misfit = misfit(question, controller);
        if (misfit.isPresent()) return misfit.get();
        if (offset >= end) {
            return new BatchAnswer.Batches(controller, end, ByteBuffer.allocate(0));
        }
        try {
            return new BatchAnswer.Batches(
                    controller, end, store.read(offset, question.maxBytes(), end));
        } catch (IOException e) {
            return new BatchAnswer.Failed("the metadata log cannot be read: " + e.getMessage());
        }
    }

    /// Whether the end of the copy is a part of the history here. Nothing fits everything.
    private Optional<BatchAnswer> misfit(BatchQuestion question, ActiveController controller) {
        long offset = question.offset();
        int epoch = question.lastEpoch();
        if (offset == 0) return Optional.empty();
        Optional<SnapshotId> snapshot = store.snapshotAt(offset);
        if (snapshot.isPresent() && snapshot.get().epoch() == epoch) return Optional.empty();
        if (epoch > store.latestEpoch()) return Optional.of(new BatchAnswer.Less(controller));
        EpochEndOffset known = store.endOf(epoch);
        if (known.leaderEpoch() == epoch && offset <= known.endOffset()) return Optional.empty();
        return Optional.of(
                epoch == store.latestEpoch() && offset > store.endOffset()
                        ? new BatchAnswer.Less(controller)
                        : new BatchAnswer.Diverging(
                                controller, known.leaderEpoch(), known.endOffset()));
    }

    /// Answers at once.
    public void fetchSnapshot(
            MetadataSource.SnapshotQuestion question, Consumer<SnapshotAnswer> answer) {
        if (!leads(log.quorum())) {
            answer.accept(new SnapshotAnswer.Gone());
            return;
        }
        SnapshotAnswer found;
        try {
            found =
                    store.readSnapshot(question.id(), question.position(), SNAPSHOT_PART_BYTES)
                            .<SnapshotAnswer>map(
                                    part -> new SnapshotAnswer.Part(part.sizeBytes(), part.bytes()))
                            .orElseGet(SnapshotAnswer.Gone::new);
        } catch (IOException e) {
            found = new SnapshotAnswer.Failed("the snapshot cannot be read: " + e.getMessage());
        }
        answer.accept(found);
    }

    /// Answers those who waited for something new, or for another controller.
    public void wake() {
        if (waiting.isEmpty()) return;
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        QuorumState quorum = log.quorum();
        for (Waiting entry : all) {
            if (!leads(quorum)) {
                entry.answer(new BatchAnswer.NotController(controller(quorum)));
                continue;
            }
            BatchAnswer found = look(entry.question(), quorum);
            if (isEmpty(found)) {
                waiting.add(entry);
            } else {
                entry.answer(found);
            }
        }
    }

    /// Nobody waits any more: who does is answered now.
    public void stopWaiting() {
        stopping = true;
        List.copyOf(waiting).forEach(this::end);
    }

    private void end(Waiting entry) {
        if (!waiting.remove(entry)) return;
        QuorumState quorum = log.quorum();
        entry.answer(
                leads(quorum)
                        ? look(entry.question(), quorum)
                        : new BatchAnswer.NotController(controller(quorum)));
    }

    private void note(BatchQuestion question, long committedEnd) {
        long nowMs = clock.millis();
        QuorumState.Replica before = observers.get(question.nodeId());
        if (before == null && observers.size() >= MAX_OBSERVERS) return;
        long caughtUpMs =
                question.offset() >= committedEnd
                        ? nowMs
                        : before == null ? -1 : before.lastCaughtUpTimestampMs();
        observers.put(
                question.nodeId(),
                new QuorumState.Replica(
                        question.nodeId(),
                        question.directoryId(),
                        question.offset(),
                        nowMs,
                        caughtUpMs));
    }

    /// Who copies from this node, with how far each is.
    public List<QuorumState.Replica> observers() {
        long oldestMs = clock.millis() - OBSERVER_SILENCE_MS;
        observers.values().removeIf(each -> each.lastFetchTimestampMs() < oldestMs);
        return List.copyOf(observers.values());
    }
}

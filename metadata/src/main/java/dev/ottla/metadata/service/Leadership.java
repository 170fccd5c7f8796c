package dev.ottla.metadata.service;

import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.codec.MetadataCodec;
import dev.ottla.metadata.controller.Controller;
import dev.ottla.metadata.controller.Outcome;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.Uuid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One term of this node as the active controller: the controller with its speculative state, the
/// batch that is being filled, and the replies that wait for their records. Dropped as a whole when
/// the term ends. Owned by the metadata thread.
final class Leadership {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    /// What a record costs in a batch besides its value, at most.
    private static final int RECORD_OVERHEAD_BYTES = 32;

    private final MetadataLog log;
    private final int epoch;
    private final Uuid newClusterId;
    private final Controller controller;
    private final Consumer<NotControllerException> resign;
    private final List<MetadataRecord> batch = new ArrayList<>();
    private int batchBytes;

    /// Replies in the order of their commands; bounded by the commands, which wait in a bounded
    /// queue, and by the batches that the engine takes.
    private final Queue<Waiting<?>> waiting = new ArrayDeque<>();

    private final List<Waiting<?>> waitingForBatch = new ArrayList<>();
    private long lastAppendedOffset;
    private long committedOffset;
    private boolean over;

    private record Waiting<R>(long offset, R reply, CompletableFuture<R> future) {
        Waiting<R> at(long lastOffset) {
            return new Waiting<>(lastOffset, reply, future);
        }

        void complete() {
            future.complete(reply);
        }
    }

    Leadership(
            MetadataLog log,
            int epoch,
            ControllerSettings settings,
            ClusterImage committed,
            Consumer<NotControllerException> resign) {
        this.log = log;
        this.epoch = epoch;
        this.resign = resign;
        this.newClusterId = settings.newClusterId();
        this.lastAppendedOffset = committed.version().offset();
        this.committedOffset = lastAppendedOffset;
        this.controller =
                new Controller(
                        settings.fileSettings(),
                        settings.machine(),
                        settings.ids(),
                        committed,
                        log.nextOffset());
    }

    int epoch() {
        return epoch;
    }

    /// Leaves nothing half done by an earlier controller, and gives a new cluster its first
    /// records.
    ///
    /// @param inTransaction whether an earlier controller began a transaction and never ended it
    void begin(boolean inTransaction) {
        if (inTransaction) {
            append(List.of(new MetadataRecord.AbortTransaction("The controller was lost.")));
        }
        List<MetadataRecord> first = controller.bootstrap(newClusterId);
        if (!first.isEmpty()) {
            add(first, sizeBytes(first));
            flush();
        }
    }

    <R> void run(Function<Controller, Outcome<R>> command, CompletableFuture<R> future) {
        if (over) {
            future.completeExceptionally(overReason());
            return;
        }
        Outcome<R> outcome;
        int bytes;
        try {
            outcome = command.apply(controller);
            bytes = sizeBytes(outcome.records());
        } catch (RuntimeException e) {
            // The command changed nothing, so the others go on.
            LOG.error("A command of the controller failed.", e);
            future.completeExceptionally(e);
            return;
        }
        try {
            add(outcome.records(), bytes);
        } catch (RuntimeException e) {
            LOG.error("The controller cannot follow its own records and stops to lead.", e);
            resign.accept(new NotControllerException("The controller failed.", e));
        }
        if (over) {
            future.completeExceptionally(overReason());
            return;
        }
        Waiting<R> reply = new Waiting<>(lastAppendedOffset, outcome.reply(), future);
        if (batch.isEmpty()) {
            waiting.add(reply);
            completeCommitted();
        } else {
            waitingForBatch.add(reply);
        }
    }

    private static NotControllerException overReason() {
        return new NotControllerException("This node leads no longer: try again.");
    }

    /// Adds the records of one command to the batch, after which the next command sees them.
    private void add(List<MetadataRecord> records, int bytes) {
        if (records.isEmpty()) return;
        if (batchBytes + bytes > log.maxBatchBytes()) flush();
        if (bytes > log.maxBatchBytes()) {
            appendTransaction(records);
        } else {
            batch.addAll(records);
            batchBytes += bytes;
        }
        if (!over) controller.replay(records, log.nextOffset() + batch.size());
    }

    private static int sizeBytes(List<MetadataRecord> records) {
        int bytes = 0;
        for (MetadataRecord record : records) {
            bytes += MetadataCodec.sizeBytes(record) + RECORD_OVERHEAD_BYTES;
        }
        return bytes;
    }

    /// A command too large for one batch takes effect when its end record is committed.
    private void appendTransaction(List<MetadataRecord> records) {
        append(List.of(new MetadataRecord.BeginTransaction("A command of the controller")));
        List<MetadataRecord> part = new ArrayList<>();
        int partBytes = 0;
        for (MetadataRecord record : records) {
            int bytes = MetadataCodec.sizeBytes(record) + RECORD_OVERHEAD_BYTES;
            if (partBytes + bytes > log.maxBatchBytes() && !part.isEmpty()) {
                append(part);
                part = new ArrayList<>();
                partBytes = 0;
            }
            part.add(record);
            partBytes += bytes;
        }
        append(part);
        append(List.of(new MetadataRecord.EndTransaction()));
    }

    /// Appends the batch.
    void flush() {
        if (batch.isEmpty()) return;
        List<MetadataRecord> records = List.copyOf(batch);
        batch.clear();
        batchBytes = 0;
        append(records);
        for (Waiting<?> reply : waitingForBatch) waiting.add(reply.at(lastAppendedOffset));
        waitingForBatch.clear();
    }

    private void append(List<MetadataRecord> records) {
        if (over) return;
        try {
            lastAppendedOffset = log.append(records, epoch) + records.size() - 1;
        } catch (NotControllerException e) {
            resign.accept(e);
        } catch (RuntimeException e) {
            LOG.error("The metadata log does not take records; this node stops to lead.", e);
            resign.accept(new NotControllerException("The metadata log takes no records.", e));
        }
    }

    void onCommitted(long lastOffset, ClusterImage committed) {
        committedOffset = lastOffset;
        completeCommitted();
        if (lastOffset == lastAppendedOffset && batch.isEmpty()) controller.adopt(committed);
    }

    private void completeCommitted() {
        for (Waiting<?> next = waiting.peek();
                next != null && next.offset() <= committedOffset;
                next = waiting.peek()) {
            waiting.remove();
            next.complete();
        }
    }

    /// The term is over: nobody can say what becomes of the records that were not committed.
    void abandon(NotControllerException reason) {
        over = true;
        failAll(reason);
    }

    private void failAll(NotControllerException reason) {
        waiting.forEach(reply -> reply.future().completeExceptionally(reason));
        waiting.clear();
        waitingForBatch.forEach(reply -> reply.future().completeExceptionally(reason));
        waitingForBatch.clear();
    }
}

package dev.ottla.broker.partition;

import dev.ottla.broker.shard.Timer;
import dev.ottla.log.AppendOutcome;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.LoadOutcome;
import dev.ottla.log.LogListener;
import dev.ottla.log.LogSlice;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.ReadOutcome;
import dev.ottla.log.StartOutcome;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.record.MalformedRecordsException;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves one partition to another data directory of this broker while it is read and written. Owned
/// by the shard's thread.
///
/// | from | to | cause |
/// |---|---|---|
/// | waiting | copying | its turn |
/// | copying | settling | the copy has nearly everything: the partition takes no appends for a moment |
/// | settling | closing | everything is flushed and in the copy |
/// | closing | assigning | the copy is durable |
/// | assigning | adopting | the cluster knows the new directory |
/// | adopting | over | the log is open there, the old one goes away |
/// | all before assigning | over | given up: the copy goes away |
/// | assigning | over | the cluster refused: the copy goes away |
///
/// Until the cluster knows it, the old log is the truth, and afterwards the copy, whatever happens
/// to the process.
final class ReplicaMove implements LogListener {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaMove.class);

    private static final int STEP_BYTES = 1 << 20;
    private static final long ASSIGN_RETRY_MS = 500;

    private enum State {
        WAITING,
        COPYING,
        SETTLING,
        CLOSING,
        ASSIGNING,
        ADOPTING,
        OVER
    }

    private final ReplicaMoves moves;
    private final HostedPartition partition;
    private final DataDirectory target;
    private State state = State.WAITING;
    private @Nullable PartitionLog copy;
    private boolean copyHasStarted;
    private boolean stepUnderWay;
    private int cutsSeen;

    ReplicaMove(ReplicaMoves moves, HostedPartition partition, DataDirectory target) {
        this.moves = moves;
        this.partition = partition;
        this.target = target;
    }

    HostedPartition partition() {
        return partition;
    }

    DataDirectory target() {
        return target;
    }

    boolean hasBegun() {
        return state != State.WAITING;
    }

    ReplicaReport report(PartitionLog source) {
        PartitionLog made = copy;
        long have = made == null ? source.logStartOffset() : made.logEndOffset();
        return new ReplicaReport(
                partition.key(),
                target.id(),
                made == null ? 0 : made.sizeBytes(),
                Math.max(0, source.logEndOffset() - have),
                true);
    }

    // --- copying

    void begin() {
        state = State.COPYING;
        PartitionLog source = source().orElse(null);
        if (source == null) {
            giveUp("the partition is not open any more");
            return;
        }
        switch (target.beginCopy(source.id(), source.config(), moves.logs(), this)) {
            case LoadOutcome.Failed failed -> giveUp(failed.reason());
            case LoadOutcome.Ready ready -> {
                LOG.info("Partition {} begins to move to {}.", partition, target);
                copy = ready.log();
                step();
            }
        }
    }

    private Optional<PartitionLog> source() {
        return partition.openLog().filter(log -> log.offlineReason().isEmpty());
    }

    private PartitionLog copy() {
        PartitionLog made = copy;
        if (made == null) {
            throw new IllegalStateException("the move of " + partition + " has no copy");
        }
        return made;
    }

    /// Copies some more, or goes on when there is nothing more to copy. At most one step is under
    /// way.
    private void step() {
        if (stepUnderWay || (state != State.COPYING && state != State.SETTLING)) {
            return;
        }
        PartitionLog source = source().orElse(null);
        if (source == null) {
            giveUp("its log cannot be used any more");
            return;
        }
        boolean fits =
                copyHasStarted
                        && cutsSeen == partition.cuts()
                        && copy().logEndOffset() >= source.logStartOffset()
                        && copy().logEndOffset() <= source.logEndOffset();
        if (!fits) {
            // Nothing is there yet, or the original was cut at either end.
            copyHasStarted = false;
            cutsSeen = partition.cuts();
        }
        long from = copyHasStarted ? copy().logEndOffset() : source.logStartOffset();
        switch (source.read(from, STEP_BYTES, source.writtenEndOffset(), true)) {
            case ReadOutcome.Batches batches -> {
                stepUnderWay = true;
                boolean nearlyAll = batches.slice().sizeBytes() < STEP_BYTES;
                inBackground(batches.slice(), nearlyAll);
            }
            case ReadOutcome.AtEnd _ -> onNothingToCopy(source);
            case ReadOutcome.OutOfRange _ -> giveUp("its log changed under the copy");
            case ReadOutcome.Offline offline -> giveUp(offline.reason());
        }
    }

    private void inBackground(LogSlice slice, boolean nearlyAll) {
        try {
            moves.surroundings().background().execute(() -> read(slice, nearlyAll));
        } catch (RejectedExecutionException _) {
            slice.release();
            giveUp("the broker stops");
        }
    }

    /// In the background.
    private void read(LogSlice slice, boolean nearlyAll) {
        ByteBuffer bytes;
        try {
            bytes = wholeBatches(slice.readAll());
        } catch (IOException | RuntimeException e) {
            onShard(() -> giveUp("its log cannot be read: " + e.getMessage()));
            return;
        } finally {
            slice.release();
        }
        onShard(() -> append(bytes, nearlyAll));
    }

    /// Damage is not copied: the original, which is deleted in the end, may be all that is left to
    /// repair from.
    private static ByteBuffer wholeBatches(ByteBuffer bytes) {
        int wholeBytes = 0;
        for (RecordBatch batch : RecordBatches.in(bytes)) {
            if (batch.computeCrc() != batch.crc()) {
                throw new MalformedRecordsException(
                        "the batch at offset %d does not match its checksum"
                                .formatted(batch.baseOffset()));
            }
            wholeBytes += batch.sizeBytes();
        }
        if (wholeBytes == 0) {
            throw new MalformedRecordsException(
                    "%d bytes hold no batch".formatted(bytes.remaining()));
        }
        return bytes.limit(bytes.position() + wholeBytes);
    }

    private void onShard(Runnable task) {
        moves.partitions().shard().execute(() -> guarded(task));
    }

    private void guarded(Runnable task) {
        moves.partitions().guarded(partition, task);
    }

    private void append(ByteBuffer bytes, boolean nearlyAll) {
        stepUnderWay = false;
        if (state != State.COPYING && state != State.SETTLING) {
            return;
        }
        if (!copyHasStarted) {
            copyHasStarted = true;
            long first = RecordBatch.at(bytes, bytes.position()).baseOffset();
            if (first != copy().logEndOffset() || copy().segmentCount() > 0) {
                copy().truncateFullyAndStartAt(first);
            }
        }
        // A move is never so urgent that it may take the room that is left.
        AppendOutcome outcome =
                copy().appendCopied(
                                bytes, AppendOrigin.CLIENT, moves.surroundings().clock().millis());
        if (!(outcome instanceof AppendOutcome.Appended)) {
            giveUp("the copy takes no records: " + outcome);
            return;
        }
        if (nearlyAll && state == State.COPYING) {
            becomeSettling();
        }
    }

    /// The copy wrote what it was given: time for the next step.
    @Override
    public void onWritten(PartitionLog log, long writtenEndOffset) {
        step();
    }

    @Override
    public void onOffline(PartitionLog log, String reason) {
        giveUp(reason);
    }

    @Override
    public void onDropped(PartitionLog log, long fromOffset) {
        giveUp("there is no room for the copy");
    }

    // --- the end

    private void onNothingToCopy(PartitionLog source) {
        if (state == State.COPYING) {
            becomeSettling();
            step();
            return;
        }
        boolean level =
                source.writtenEndOffset() == source.logEndOffset()
                        && source.flushedEndOffset() == source.logEndOffset()
                        && partition.hasWrittenAll();
        if (!level) {
            return; // The partition tells when it has come further.
        }
        if (!copyHasStarted && source.logEndOffset() > 0) {
            copyHasStarted = true;
            copy().truncateFullyAndStartAt(source.logEndOffset());
        }
        if (copy().logEndOffset() == source.logEndOffset()) {
            becomeClosing(source);
        } else {
            giveUp("its last offsets have no records");
        }
    }

    private void becomeSettling() {
        state = State.SETTLING;
        moves.partitions().freeze(partition, this::step);
        source().ifPresent(PartitionLog::flush);
    }

    private void becomeClosing(PartitionLog source) {
        state = State.CLOSING;
        copy().advanceLogStartOffset(
                        source.logStartOffset(),
                        new StartOutcome() {
                            @Override
                            public void onDurable() {
                                if (state == State.CLOSING) {
                                    copy().close(ReplicaMove.this::onCopyClosed);
                                }
                            }

                            @Override
                            public void onFailed(IOException cause) {
                                giveUp("the start of the copy cannot be written: " + cause);
                            }
                        });
    }

    private void onCopyClosed() {
        if (state != State.CLOSING) {
            return;
        }
        Optional<String> offline = target.offlineReason();
        if (offline.isPresent()) {
            giveUp(offline.get());
            return;
        }
        state = State.ASSIGNING;
        assign();
    }

    private void assign() {
        var _ =
                moves.surroundings()
                        .assign()
                        .apply(partition.key(), target.id())
                        .whenComplete((error, failure) ->
                                onShard(() -> {
                                    if (failure == null) onAssigned(error);
                                    else onAssignmentUnknown(failure);
                                }));
    }

    private void onAssignmentUnknown(Throwable failure) {
        LOG.warn(
                "Whether the cluster knows that partition {} moved is open, it is told again: {}.",
                partition,
                failure.getMessage());
        moves.partitions().shard().scheduleMs(new Retry(), ASSIGN_RETRY_MS);
    }

    /// As often as it takes: neither the old log nor the copy may go before the answer is known.
    /// Ends with the broker.
    private final class Retry extends Timer {
        @Override
        protected void onTimeout() {
            guarded(ReplicaMove.this::assign);
        }
    }

    private void onAssigned(ApiError error) {
        if (!error.isNone()) {
            drop("the cluster does not take the new directory: " + error.message());
            return;
        }
        state = State.ADOPTING;
        target.adoptCopy(
                copy(),
                partition,
                moves.surroundings().clock().millis(),
                outcome -> guarded(() -> onAdopted(outcome)));
    }

    private void onAdopted(LoadOutcome outcome) {
        switch (outcome) {
            case LoadOutcome.Failed failed -> partition.becomeOffline(failed.reason());
            case LoadOutcome.Ready ready -> {
                moves.partitions().onMoved(partition, ready.log());
                LOG.info("Partition {} moved to {}.", partition, target);
            }
        }
        end();
    }

    // --- giving up

    /// Ends the move unless the cluster may know of it already.
    boolean tryGiveUp() {
        if (state == State.ASSIGNING || state == State.ADOPTING) {
            return false;
        }
        giveUp("it is not wanted any more");
        return true;
    }

    private void giveUp(String reason) {
        if (state != State.ASSIGNING && state != State.ADOPTING && state != State.OVER) {
            drop(reason);
        }
    }

    private void drop(String reason) {
        LOG.warn("Partition {} does not move to {}, because {}", partition, target, reason);
        PartitionLog made = copy;
        if (made != null) {
            made.delete();
        }
        end();
    }

    private void end() {
        boolean hadBegun = hasBegun();
        state = State.OVER;
        moves.partitions().unfreeze(partition);
        moves.onEnded(this, hadBegun);
    }
}

package dev.ottla.broker.produce;

import static dev.ottla.wire.Check.check;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PendingAppend;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.log.AppendOutcome;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.ValidationResult.RecordError;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The batch for one partition in a produce request, and what became of it. Owned first by the
/// loop, then by the shard, then by whoever answers; the hand-overs go through the shard's mailbox
/// and the operation's countdown.
public final class ProducePart extends PendingAppend {
    private static final long NONE = -1;

    private final PartitionKey key;
    private final ByteBuffer records;
    private @Nullable ByteBuffer checked;
    private @Nullable ProduceShardPart shardPart;

    private @Nullable PartitionError error;
    private List<RecordError> recordErrors = List.of();
    private long baseOffset = NONE;
    private long logAppendTimeMs = NONE;
    private long logStartOffset = NONE;
    private int appendedBytes;
    private long appendedRecords;

    /// @param records as they came
    /// @param memory what they live in
    ProducePart(PartitionKey key, ByteBuffer records, Acks acks, RequestMemory memory) {
        super(acks, memory);
        this.key = key;
        this.records = records;
    }

    public PartitionKey key() {
        return key;
    }

    /// Empty when the records were appended.
    public Optional<PartitionError> error() {
        return Optional.ofNullable(error);
    }

    /// The records at fault, when it is single ones.
    public List<RecordError> recordErrors() {
        return recordErrors;
    }

    /// -1 after an error.
    public long baseOffset() {
        return baseOffset;
    }

    /// -1 when the topic keeps the creators' times.
    public long logAppendTimeMs() {
        return logAppendTimeMs;
    }

    /// -1 when it is not known.
    public long logStartOffset() {
        return logStartOffset;
    }

    /// 0 unless the append put the batch into the log.
    int appendedBytes() {
        return appendedBytes;
    }

    long appendedRecords() {
        return appendedRecords;
    }

    ByteBuffer records() {
        return records;
    }

    /// The batch may be appended.
    void accept(ByteBuffer batch, long appendTimeMs) {
        checked = batch;
        logAppendTimeMs = appendTimeMs;
    }

    /// The batch, which was checked.
    RecordBatch batch() {
        ByteBuffer batch = checked();
        return RecordBatch.at(batch, batch.position());
    }

    private ByteBuffer checked() {
        ByteBuffer batch = checked;
        if (batch == null) {
            throw new IllegalStateException("a batch was not checked");
        }
        return batch;
    }

    void refuse(ErrorCode code, String message) {
        refuse(code, message, List.of());
    }

    void refuse(ErrorCode code, String message, List<RecordError> faults) {
        error = new PartitionError(code, message);
        recordErrors = faults;
        logAppendTimeMs = NONE;
    }

    boolean isRefused() {
        return error != null;
    }

    /// Appends to `partition`; afterwards `owner` hears once that the part is done.
    void append(HostedPartition partition, ProduceShardPart owner, long nowMs) {
        shardPart = owner;
        ByteBuffer batch = checked();
        logStartOffset = partition.log().logStartOffset();
        switch (partition.append(this, batch, AppendOrigin.CLIENT, nowMs)) {
            case AppendOutcome.Appended appended -> {
                baseOffset = appended.firstOffset();
                appendedRecords = appended.lastOffset() - appended.firstOffset() + 1;
                appendedBytes = batch.remaining();
            }
            case AppendOutcome.Duplicate duplicate -> {
                baseOffset = duplicate.firstOffset();
                logAppendTimeMs = duplicate.timestamp();
                owner.hasDuplicates(partition);
            }
            case AppendOutcome.OutOfOrderSequence wrong ->
                    refuseForGood(
                            partition, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, wrong.message());
            case AppendOutcome.StaleProducerEpoch stale ->
                    refuseForGood(partition, ErrorCode.INVALID_PRODUCER_EPOCH, stale.message());
            case AppendOutcome.StaleCoordinatorEpoch stale ->
                    done(ErrorCode.TRANSACTION_COORDINATOR_FENCED, stale.message());
            case AppendOutcome.TooLarge tooLarge ->
                    done(
                            ErrorCode.RECORD_LIST_TOO_LARGE,
                            "A batch of %d bytes does not fit into a segment of %s, which has at most %d."
                                    .formatted(
                                            tooLarge.sizeBytes(),
                                            partition,
                                            tooLarge.segmentBytes()));
            case AppendOutcome.StorageFull full ->
                    done(ErrorCode.KAFKA_STORAGE_ERROR, full.message());
            case AppendOutcome.Offline offline ->
                    done(ErrorCode.KAFKA_STORAGE_ERROR, offline.reason());
            case AppendOutcome.UnexpectedOffset unexpected ->
                    throw new IllegalStateException(
                            "a produced batch brought its own offset: " + unexpected);
        }
    }

    /// The producer ends because of this. A leader that others may have replaced says instead that
    /// it is to be tried again: its successor may well have what is missing here.
    private void refuseForGood(HostedPartition partition, ErrorCode code, String message) {
        if (partition.isCertainToLead()) {
            done(code, message);
        } else {
            done(
                    ErrorCode.NOT_LEADER_OR_FOLLOWER,
                    "Partition %s may have another leader by now: its followers were not heard of for a while. Here it looks as if: %s"
                            .formatted(partition, message));
        }
    }

    private void done(ErrorCode code, String message) {
        refuse(code, message);
        owner().partDone();
    }

    /// The client has waited long enough. A part that was refused waits for nothing and keeps its
    /// error.
    void timeOut() {
        if (!isRefused() && giveUp()) {
            refuse(
                    ErrorCode.REQUEST_TIMED_OUT,
                    "The records are in the leader's log but not yet on every in-sync replica.");
            owner().partDone();
        }
    }

    @Override
    protected boolean mayGoElsewhere() {
        return true;
    }

    @Override
    protected void onAcknowledged(HostedPartition partition) {
        check(error == null, "a refused batch is acknowledged");
        owner().partDone();
    }

    @Override
    protected void onFailed(PartitionError failure) {
        done(failure.code(), failure.message());
    }

    @Override
    protected void onFailure(RuntimeException failure) {
        owner().onFailure(failure);
    }

    private ProduceShardPart owner() {
        ProduceShardPart present = shardPart;
        if (present == null) {
            throw new IllegalStateException("a batch reports before it was appended");
        }
        return present;
    }
}

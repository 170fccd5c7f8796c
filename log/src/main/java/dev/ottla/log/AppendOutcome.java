package dev.ottla.log;

import dev.ottla.log.producer.SequenceCheck;

/// What became of an append. All but [Appended] leave the log as it was.
public sealed interface AppendOutcome {
    /// The records have their offsets, both inclusive. They are in the file once the written end
    /// offset is past the last one, on disk once the flushed end offset is; until they are written
    /// the buffer must not change.
    record Appended(long firstOffset, long lastOffset) implements AppendOutcome {}

    /// The producer's batch is in the log already, with these offsets and this largest timestamp.
    /// To be answered when the original satisfies the request.
    record Duplicate(long firstOffset, long lastOffset, long timestamp) implements AppendOutcome {}

    /// Records before this batch are missing: OUT_OF_ORDER_SEQUENCE_NUMBER.
    record OutOfOrderSequence(String message) implements AppendOutcome {}

    /// A newer incarnation of the producer has written: INVALID_PRODUCER_EPOCH.
    record StaleProducerEpoch(String message) implements AppendOutcome {}

    /// The end marker is from a replaced transaction coordinator: TRANSACTION_COORDINATOR_FENCED.
    record StaleCoordinatorEpoch(String message) implements AppendOutcome {}

    /// Larger than a segment: RECORD_LIST_TOO_LARGE.
    record TooLarge(int sizeBytes, int segmentBytes) implements AppendOutcome {}

    /// Copied records do not follow on the log's end.
    record UnexpectedOffset(long firstOffset, long logEndOffset) implements AppendOutcome {}

    /// The disk has too little room, or no descriptor is free to open a file; to be tried again
    /// later. Reads go on.
    record StorageFull(String message) implements AppendOutcome {}

    /// The directory or this log cannot be used: KAFKA_STORAGE_ERROR.
    record Offline(String reason) implements AppendOutcome {}

    /// What a failed check of a producer's batch means for the append.
    static AppendOutcome refused(SequenceCheck sequence, PartitionId id) {
        return switch (sequence) {
            case SequenceCheck.Accepted _ ->
                    throw new IllegalStateException("an accepted batch was refused");
            case SequenceCheck.Duplicate(long firstOffset, long lastOffset, long timestamp) ->
                    new Duplicate(firstOffset, lastOffset, timestamp);
            case SequenceCheck.OutOfOrder(long producerId, short epoch, int first, int last) ->
                    new OutOfOrderSequence(
                            "Producer %d of epoch %d sent sequence %d to partition %s, whose last one is %d."
                                    .formatted(producerId, epoch, first, id, last));
            case SequenceCheck.StaleEpoch(long producerId, short epoch, short current) ->
                    new StaleProducerEpoch(
                            "Producer %d of epoch %d is replaced by epoch %d in partition %s."
                                    .formatted(producerId, epoch, current, id));
            case SequenceCheck.StaleCoordinator(long producerId, int epoch, int current) ->
                    new StaleCoordinatorEpoch(
                            "The end marker for producer %d is from coordinator epoch %d, partition %s knows epoch %d."
                                    .formatted(producerId, epoch, id, current));
        };
    }
}

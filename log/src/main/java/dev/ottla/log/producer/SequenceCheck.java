package dev.ottla.log.producer;

/// Whether a producer's batch may be appended.
public sealed interface SequenceCheck {
    SequenceCheck ACCEPTED = new Accepted();

    record Accepted() implements SequenceCheck {}

    /// The very batch is in the log already, at these offsets, both inclusive.
    record Duplicate(long firstOffset, long lastOffset, long timestamp) implements SequenceCheck {}

    /// Records before this batch are missing, or it repeats only a part of what is there.
    record OutOfOrder(long producerId, short producerEpoch, int firstSequence, int lastSequence)
            implements SequenceCheck {}

    /// A newer incarnation of the producer has written already.
    record StaleEpoch(long producerId, short producerEpoch, short currentEpoch)
            implements SequenceCheck {}

    /// An end marker of a transaction coordinator that has been replaced.
    record StaleCoordinator(long producerId, int coordinatorEpoch, int currentEpoch)
            implements SequenceCheck {}
}

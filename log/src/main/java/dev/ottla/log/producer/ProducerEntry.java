package dev.ottla.log.producer;

import dev.ottla.record.RecordBatch;

/// One producer's newest batches, up to five, and its open transaction. Owned by the shard thread.
public final class ProducerEntry {
    public static final long NO_TRANSACTION = -1;
    public static final int NO_COORDINATOR_EPOCH = -1;

    /// As many as a producer may have in flight when it wants order.
    static final int BATCHES_KEPT = 5;

    private final long producerId;
    private short producerEpoch = RecordBatch.NO_PRODUCER_EPOCH;
    private int coordinatorEpoch = NO_COORDINATOR_EPOCH;
    private long lastTimestamp = RecordBatch.NO_TIMESTAMP;
    private long currentTransactionFirstOffset = NO_TRANSACTION;

    // Ring of the newest batches: `count` of them, ending before `next`.
    private final int[] lastSequences = new int[BATCHES_KEPT];
    private final int[] offsetDeltas = new int[BATCHES_KEPT];
    private final long[] lastOffsets = new long[BATCHES_KEPT];
    private final long[] timestamps = new long[BATCHES_KEPT];
    private int count;
    private int next;

    ProducerEntry(long producerId) {
        this.producerId = producerId;
    }

    public long producerId() {
        return producerId;
    }

    public short producerEpoch() {
        return producerEpoch;
    }

    /// Epoch of the coordinator that wrote the last end marker, or [#NO_COORDINATOR_EPOCH].
    public int coordinatorEpoch() {
        return coordinatorEpoch;
    }

    public long lastTimestamp() {
        return lastTimestamp;
    }

    /// First offset of the open transaction, or [#NO_TRANSACTION].
    public long currentTransactionFirstOffset() {
        return currentTransactionFirstOffset;
    }

    public boolean hasBatches() {
        return count > 0;
    }

    /// Sequence of the newest record, or [RecordBatch#NO_SEQUENCE].
    public int lastSequence() {
        return lastSequence(0);
    }

    /// Offset of the newest record, -1 when none is known.
    public long lastOffset() {
        return lastOffset(0);
    }

    /// Whether `batch` is the next one of the same epoch.
    public boolean precedes(RecordBatch batch) {
        return batch.producerEpoch() == producerEpoch
                && hasBatches()
                && batch.baseSequence() == ((lastSequence() + 1) & Integer.MAX_VALUE);
    }

    // Of a batch by its age, 0 for the newest.

    int batchCount() {
        return count;
    }

    int lastSequence(int age) {
        return count == 0 ? RecordBatch.NO_SEQUENCE : lastSequences[slot(age)];
    }

    long lastOffset(int age) {
        return count == 0 ? -1 : lastOffsets[slot(age)];
    }

    int lastOffsetDelta(int age) {
        return count == 0 ? 0 : offsetDeltas[slot(age)];
    }

    /// Of the newest, when the producer was last heard of: a marker may have followed.
    long timestamp(int age) {
        return age == 0 ? lastTimestamp : timestamps[slot(age)];
    }

    private int slot(int age) {
        return (next + BATCHES_KEPT - 1 - age) % BATCHES_KEPT;
    }

    /// Where in the ring the batch with exactly these sequences is, -1 when it is not there.
    int findBatch(short epoch, int firstSequence, int lastSequence) {
        if (epoch != producerEpoch) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            int slot = slot(i);
            int first =
                    (int) ((lastSequences[slot] - (long) offsetDeltas[slot]) & Integer.MAX_VALUE);
            if (lastSequences[slot] == lastSequence && first == firstSequence) {
                return slot;
            }
        }
        return -1;
    }

    SequenceCheck.Duplicate duplicate(int slot) {
        return new SequenceCheck.Duplicate(
                lastOffsets[slot] - offsetDeltas[slot], lastOffsets[slot], timestamps[slot]);
    }

    void addBatch(short epoch, int lastSequence, long lastOffset, int offsetDelta, long timestamp) {
        becomeEpoch(epoch);
        lastSequences[next] = lastSequence;
        offsetDeltas[next] = offsetDelta;
        lastOffsets[next] = lastOffset;
        timestamps[next] = timestamp;
        next = (next + 1) % BATCHES_KEPT;
        count = Math.min(count + 1, BATCHES_KEPT);
        lastTimestamp = timestamp;
    }

    /// A new epoch starts with no batches.
    private void becomeEpoch(short epoch) {
        if (epoch != producerEpoch) {
            producerEpoch = epoch;
            count = 0;
            next = 0;
        }
    }

    void beginTransaction(long firstOffset) {
        currentTransactionFirstOffset = firstOffset;
    }

    void endTransaction(short epoch, int markerCoordinatorEpoch, long timestamp) {
        becomeEpoch(epoch);
        currentTransactionFirstOffset = NO_TRANSACTION;
        coordinatorEpoch = markerCoordinatorEpoch;
        lastTimestamp = timestamp;
    }

    void restore(
            short epoch, int savedCoordinatorEpoch, long timestamp, long transactionFirstOffset) {
        becomeEpoch(epoch);
        coordinatorEpoch = savedCoordinatorEpoch;
        lastTimestamp = timestamp;
        currentTransactionFirstOffset = transactionFirstOffset;
    }
}

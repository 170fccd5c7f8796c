package dev.ottla.broker.partition;

import dev.ottla.record.RecordBatch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The batches of idempotent producers that one shard could not take for the moment. A producer
/// sends up to five before it hears of the first: when the first was refused and the obstacle is
/// gone before the second comes, that one is refused for the same reason. Otherwise a gap would be
/// reported to the producer, which is the end of some, or, where nothing is known of the producer
/// yet, the second batch taken before the first.
///
/// Bounded, and forgotten soon. Owned by the shard's thread.
public final class Refusals {
    /// Much longer than what was under way then takes to arrive.
    private static final long KEPT_NS = 5_000_000_000L;

    private static final int MOST = 4_096;

    private record Producer(PartitionKey partition, long id, short epoch) {}

    private record Refusal(int firstSequence, long atNs, PartitionError error) {}

    /// The longest untouched first.
    private final Map<Producer, Refusal> refusals = new LinkedHashMap<>();

    /// A batch was refused before it came to the log. The first in order counts.
    public void add(PartitionKey partition, RecordBatch batch, PartitionError error, long nowNs) {
        if (batch.producerId() < 0 || reason(partition, batch, nowNs).isPresent()) {
            return;
        }
        Producer producer = producer(partition, batch);
        refusals.remove(producer);
        refusals.put(producer, new Refusal(batch.baseSequence(), nowNs, error));
        if (refusals.size() > MOST) {
            refusals.remove(refusals.keySet().iterator().next());
        }
    }

    /// Why a batch is to be sent again if it does not follow on what the log has: one before it was
    /// refused for this. Empty when none was.
    public Optional<PartitionError> reason(PartitionKey partition, RecordBatch batch, long nowNs) {
        if (refusals.isEmpty()) {
            return Optional.empty();
        }
        Producer producer = producer(partition, batch);
        Refusal refusal = refusals.get(producer);
        if (refusal == null) {
            return Optional.empty();
        }
        if (nowNs - refusal.atNs() > KEPT_NS) {
            refusals.remove(producer);
            return Optional.empty();
        }
        return isLater(batch.baseSequence(), refusal.firstSequence())
                ? Optional.of(refusal.error())
                : Optional.empty();
    }

    public boolean isEmpty() {
        return refusals.isEmpty();
    }

    /// A batch was taken: those before it are there.
    public void remove(PartitionKey partition, RecordBatch batch) {
        if (!refusals.isEmpty()) {
            refusals.remove(producer(partition, batch));
        }
    }

    private static Producer producer(PartitionKey partition, RecordBatch batch) {
        return new Producer(partition, batch.producerId(), batch.producerEpoch());
    }

    /// Sequences begin again at 0 behind the largest number.
    private static boolean isLater(int sequence, int than) {
        int ahead = (sequence - than) & Integer.MAX_VALUE;
        return ahead > 0 && ahead < 1 << 30;
    }
}

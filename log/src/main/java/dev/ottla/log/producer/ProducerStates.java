package dev.ottla.log.producer;

import dev.ottla.record.ControlRecords;
import dev.ottla.record.ControlType;
import dev.ottla.record.EndTransactionMarker;
import dev.ottla.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// The producers of one partition: what they wrote last, so that a repeated batch is recognised and
/// a gap refused, and their open transactions. [#check] before a batch gets its offsets, [#update]
/// after. Owned by the shard thread.
///
/// Sources: KIP-98, KIP-360.
public final class ProducerStates {
    private final Map<Long, ProducerEntry> producers = new HashMap<>();

    /// First offset → last offset, or `Long.MAX_VALUE` while the transaction is open. A closed one
    /// stays until the high watermark has passed its marker.
    private final TreeMap<Long, Long> transactions = new TreeMap<>();

    public boolean isEmpty() {
        return producers.isEmpty();
    }

    public Collection<ProducerEntry> producers() {
        return Collections.unmodifiableCollection(producers.values());
    }

    // --- checking

    /// Whether the batch may be appended now. Changes nothing.
    public SequenceCheck check(RecordBatch batch, AppendOrigin origin) {
        long producerId = batch.producerId();
        if (producerId < 0) {
            return SequenceCheck.ACCEPTED;
        }
        ProducerEntry entry = producers.get(producerId);
        if (entry == null) {
            // Nothing is known, maybe because retention removed it: any sequence may be the next
            // one.
            return SequenceCheck.ACCEPTED;
        }
        short epoch = batch.producerEpoch();
        int firstSequence = batch.baseSequence();
        if (origin == AppendOrigin.CLIENT) {
            int slot = entry.findBatch(epoch, firstSequence, batch.lastSequence());
            if (slot >= 0) {
                return entry.duplicate(slot);
            }
        }
        if (epoch < entry.producerEpoch()) {
            return new SequenceCheck.StaleEpoch(producerId, epoch, entry.producerEpoch());
        }
        if (batch.isControl()) {
            return checkCoordinator(batch, entry);
        }
        if (origin == AppendOrigin.CLIENT && !followsOn(entry, epoch, firstSequence)) {
            return new SequenceCheck.OutOfOrder(
                    producerId, epoch, firstSequence, entry.lastSequence());
        }
        return SequenceCheck.ACCEPTED;
    }

    private static boolean followsOn(ProducerEntry entry, short epoch, int firstSequence) {
        if (entry.producerEpoch() == RecordBatch.NO_PRODUCER_EPOCH) {
            return true;
        }
        if (epoch != entry.producerEpoch()) {
            return firstSequence == 0;
        }
        return firstSequence == entry.lastSequence() + 1L
                || (firstSequence == 0 && entry.lastSequence() == Integer.MAX_VALUE);
    }

    private static SequenceCheck checkCoordinator(RecordBatch batch, ProducerEntry entry) {
        if (!isEndMarker(batch)) {
            return SequenceCheck.ACCEPTED;
        }
        int coordinatorEpoch = ControlRecords.endTransactionMarker(batch).coordinatorEpoch();
        return coordinatorEpoch < entry.coordinatorEpoch()
                ? new SequenceCheck.StaleCoordinator(
                        batch.producerId(), coordinatorEpoch, entry.coordinatorEpoch())
                : SequenceCheck.ACCEPTED;
    }

    private static boolean isEndMarker(RecordBatch batch) {
        ControlType type = ControlRecords.typeOf(batch);
        return type == ControlType.ABORT || type == ControlType.COMMIT;
    }

    // --- updating

    /// Notes a batch that has its offsets. Returns the transaction that it closed, if it did.
    public Optional<CompletedTransaction> update(RecordBatch batch) {
        if (batch.producerId() < 0) {
            return Optional.empty();
        }
        if (batch.isControl()) {
            return isEndMarker(batch)
                    ? onEndMarker(
                            ControlRecords.endTransactionMarker(batch),
                            batch.producerId(),
                            batch.producerEpoch(),
                            batch.baseOffset(),
                            batch.maxTimestamp())
                    : Optional.empty();
        }
        onData(
                batch.producerId(),
                batch.producerEpoch(),
                batch.lastSequence(),
                batch.lastOffset(),
                batch.lastOffsetDelta(),
                batch.maxTimestamp(),
                batch.isTransactional());
        return Optional.empty();
    }

    /// Notes a data batch by the fields of its header.
    public void onData(
            long producerId,
            short producerEpoch,
            int lastSequence,
            long lastOffset,
            int lastOffsetDelta,
            long timestamp,
            boolean isTransactional) {
        ProducerEntry entry = producers.computeIfAbsent(producerId, ProducerEntry::new);
        entry.addBatch(producerEpoch, lastSequence, lastOffset, lastOffsetDelta, timestamp);
        if (isTransactional
                && entry.currentTransactionFirstOffset() == ProducerEntry.NO_TRANSACTION) {
            long firstOffset = lastOffset - lastOffsetDelta;
            entry.beginTransaction(firstOffset);
            transactions.put(firstOffset, Long.MAX_VALUE);
        }
    }

    private Optional<CompletedTransaction> onEndMarker(
            EndTransactionMarker marker,
            long producerId,
            short producerEpoch,
            long offset,
            long timestamp) {
        ProducerEntry entry = producers.computeIfAbsent(producerId, ProducerEntry::new);
        long firstOffset = entry.currentTransactionFirstOffset();
        entry.endTransaction(producerEpoch, marker.coordinatorEpoch(), timestamp);
        if (firstOffset == ProducerEntry.NO_TRANSACTION) {
            return Optional.empty(); // The producer wrote nothing here.
        }
        transactions.put(firstOffset, offset);
        long lastStableOffset = offset + 1;
        for (Map.Entry<Long, Long> open : transactions.entrySet()) {
            if (open.getValue() == Long.MAX_VALUE) {
                lastStableOffset = open.getKey();
                break;
            }
        }
        return Optional.of(
                new CompletedTransaction(
                        producerId, firstOffset, offset, !marker.commit(), lastStableOffset));
    }

    /// Where readers of committed data must stop even if the high watermark is further: the first
    /// offset of the oldest transaction that is open, or whose end marker the high watermark has
    /// not passed. `Long.MAX_VALUE` without one.
    public long firstUnstableOffset() {
        return transactions.isEmpty() ? Long.MAX_VALUE : transactions.firstKey();
    }

    public void onHighWatermark(long highWatermark) {
        if (!transactions.isEmpty()) {
            transactions.values().removeIf(lastOffset -> lastOffset < highWatermark);
        }
    }

    /// Forgets producers that have written nothing since `expiredBeforeMs` and have no open
    /// transaction.
    public boolean removeExpired(long expiredBeforeMs) {
        return producers
                .values()
                .removeIf(entry ->
                        entry.lastTimestamp() <= expiredBeforeMs
                                && entry.currentTransactionFirstOffset()
                                        == ProducerEntry.NO_TRANSACTION);
    }

    public void clear() {
        producers.clear();
        transactions.clear();
    }

    /// What is known for certain when everything before `logStartOffset` is gone.
    public void onLogStartOffset(long logStartOffset) {
        transactions.values().removeIf(lastOffset -> lastOffset < logStartOffset);
    }

    // --- snapshots

    private static final short SNAPSHOT_VERSION = 1;
    private static final int SNAPSHOT_HEADER_BYTES = 2 + 4 + 4;
    private static final int SNAPSHOT_CRC_AT = 2;
    private static final int SNAPSHOT_ENTRY_BYTES = 8 + 2 + 4 + 8 + 4 + 8 + 4 + 8;

    /// The content of a `.snapshot` file: the batches of each producer that are known, the newest
    /// last. Kafka writes the newest alone and, reading, takes the last entry of a producer, so it
    /// reads these too. Without the others a retry of one that was in flight would be refused after
    /// a crash.
    ///
    ///     | version int16 (1) | crc uint32 | entry count int32 |
    ///     | producer id int64 | epoch int16 | last sequence int32 | last offset int64 | offset delta int32 |
    ///     | timestamp int64 | coordinator epoch int32 | current transaction's first offset int64 | ...
    ///
    /// The CRC-32C covers what follows it. Source: Kafka's message definition ProducerSnapshot.
    public ByteBuffer snapshot() {
        List<ProducerEntry> known = new ArrayList<>(producers.values());
        int entries = known.stream().mapToInt(ProducerStates::entryCount).sum();
        ByteBuffer bytes =
                ByteBuffer.allocate(SNAPSHOT_HEADER_BYTES + entries * SNAPSHOT_ENTRY_BYTES);
        bytes.putShort(SNAPSHOT_VERSION).putInt(0).putInt(entries);
        for (ProducerEntry producer : known) {
            for (int age = entryCount(producer) - 1; age >= 0; age--) put(bytes, producer, age);
        }
        bytes.flip();
        return bytes.putInt(SNAPSHOT_CRC_AT, snapshotCrc(bytes));
    }

    private static int entryCount(ProducerEntry producer) {
        return Math.max(1, producer.batchCount());
    }

    private static void put(ByteBuffer bytes, ProducerEntry producer, int age) {
        bytes.putLong(producer.producerId())
                .putShort(producer.producerEpoch())
                .putInt(producer.lastSequence(age))
                .putLong(producer.lastOffset(age))
                .putInt(producer.lastOffsetDelta(age))
                .putLong(producer.timestamp(age))
                .putInt(producer.coordinatorEpoch())
                .putLong(producer.currentTransactionFirstOffset());
    }

    /// Takes the state from a snapshot, without the producers expired before `expiredBeforeMs`.
    /// False, and nothing is known then, when the bytes are no whole snapshot.
    public boolean restore(ByteBuffer bytes, long expiredBeforeMs) {
        clear();
        if (bytes.remaining() < SNAPSHOT_HEADER_BYTES
                || bytes.getShort(bytes.position()) != SNAPSHOT_VERSION
                || bytes.getInt(bytes.position() + SNAPSHOT_CRC_AT) != snapshotCrc(bytes)) {
            return false;
        }
        int count = bytes.getInt(bytes.position() + SNAPSHOT_HEADER_BYTES - Integer.BYTES);
        ByteBuffer in =
                bytes.slice(
                        bytes.position() + SNAPSHOT_HEADER_BYTES,
                        bytes.remaining() - SNAPSHOT_HEADER_BYTES);
        if (count < 0 || in.remaining() != (long) count * SNAPSHOT_ENTRY_BYTES) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            restoreEntry(in, expiredBeforeMs);
        }
        return true;
    }

    private void restoreEntry(ByteBuffer in, long expiredBeforeMs) {
        long producerId = in.getLong();
        short epoch = in.getShort();
        int lastSequence = in.getInt();
        long lastOffset = in.getLong();
        int offsetDelta = in.getInt();
        long timestamp = in.getLong();
        int coordinatorEpoch = in.getInt();
        long transactionFirstOffset = in.getLong();
        if (timestamp <= expiredBeforeMs
                && transactionFirstOffset == ProducerEntry.NO_TRANSACTION) {
            return;
        }
        ProducerEntry entry = producers.computeIfAbsent(producerId, ProducerEntry::new);
        if (lastOffset >= 0) {
            entry.addBatch(epoch, lastSequence, lastOffset, offsetDelta, timestamp);
        }
        entry.restore(epoch, coordinatorEpoch, timestamp, transactionFirstOffset);
        if (transactionFirstOffset != ProducerEntry.NO_TRANSACTION) {
            transactions.put(transactionFirstOffset, Long.MAX_VALUE);
        }
    }

    private static int snapshotCrc(ByteBuffer bytes) {
        int from = bytes.position() + SNAPSHOT_CRC_AT + Integer.BYTES;
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, bytes.limit() - from));
        return (int) crc.getValue();
    }
}

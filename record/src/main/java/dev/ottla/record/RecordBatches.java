package dev.ottla.record;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Walks the batches that stand one after the other in a buffer, and tells precisely what it met.
/// Checksums and records are not looked at. Iterating with `for` is for bytes known to be good: it
/// stops at a cut-off batch, as consumers do with the end of a fetched range, and throws
/// [MalformedRecordsException] on broken framing.
public final class RecordBatches implements Iterable<RecordBatch> {
    /// Smallest legal batch length: a header without records.
    private static final int MIN_LENGTH =
            RecordBatch.HEADER_BYTES - RecordBatch.LENGTH_PREFIX_BYTES;

    /// Smallest length in message formats 0 and 1; below it, the magic says nothing.
    private static final int OLD_MIN_LENGTH = 14;

    private final ByteBuffer buffer;
    private int position;

    private RecordBatches(ByteBuffer buffer) {
        this.buffer = RecordBatch.bigEndian(buffer);
        this.position = buffer.position();
    }

    /// The batches between the buffer's position and its limit, as they are now.
    public static RecordBatches in(ByteBuffer buffer) {
        return new RecordBatches(buffer);
    }

    /// What stands at the current place; moves on only over a complete batch.
    public Step next() {
        Step step = stepAt(buffer, position);
        if (step instanceof Step.Batch(RecordBatch batch)) {
            position += batch.sizeBytes();
        }
        return step;
    }

    /// Absolute position in the buffer of the next step.
    public int position() {
        return position;
    }

    static Step stepAt(ByteBuffer given, int position) {
        ByteBuffer buffer = RecordBatch.bigEndian(given);
        int available = buffer.limit() - position;
        if (available <= 0) {
            return new Step.End(position);
        }
        if (available < RecordBatch.LENGTH_PREFIX_BYTES) {
            return new Step.Partial(position, available, RecordBatch.HEADER_BYTES);
        }
        int length = buffer.getInt(position + RecordBatch.LENGTH);
        byte magic =
                available > RecordBatch.MAGIC_AT && length >= OLD_MIN_LENGTH
                        ? buffer.get(position + RecordBatch.MAGIC_AT)
                        : RecordBatch.MAGIC;
        boolean old = magic == 0 || magic == 1;
        if (magic != RecordBatch.MAGIC && !old) {
            return new Step.Malformed(position, Fault.MAGIC, magic);
        }
        if (length < (old ? OLD_MIN_LENGTH : MIN_LENGTH)
                || length > Integer.MAX_VALUE - RecordBatch.LENGTH_PREFIX_BYTES) {
            return new Step.Malformed(position, Fault.LENGTH, length);
        }
        int sizeBytes = length + RecordBatch.LENGTH_PREFIX_BYTES;
        if (old && sizeBytes <= available) {
            return new Step.Malformed(position, Fault.MAGIC, magic);
        }
        return sizeBytes <= available
                ? new Step.Batch(new RecordBatch(buffer, position, sizeBytes))
                : new Step.Partial(position, available, sizeBytes);
    }

    @Override
    public Iterator<RecordBatch> iterator() {
        return new BatchIterator(
                RecordBatches.in(buffer.slice(position, buffer.limit() - position)));
    }

    /// What is wrong with a batch's framing.
    public enum Fault {
        /// The batch length cannot be one.
        LENGTH,
        /// Message formats 0 and 1, or no message format at all.
        MAGIC
    }

    /// What one place of a buffer holds. Positions are absolute positions of the buffer.
    public sealed interface Step {
        record Batch(RecordBatch batch) implements Step {}

        /// The buffer ends exactly here.
        record End(int position) implements Step {}

        /// The buffer ends inside a batch: it has `availableBytes` of at least `neededBytes`.
        record Partial(int position, int availableBytes, int neededBytes) implements Step {
            public String describe() {
                return "record batch at position %d is cut off: %d bytes of %d"
                        .formatted(position, availableBytes, neededBytes);
            }
        }

        /// No batch of version 2 stands here; `value` is the length or the magic that says so.
        record Malformed(int position, Fault fault, int value) implements Step {
            public String message() {
                return switch (fault) {
                    case LENGTH ->
                            "record batch at position %d declares the length %d, expected at least %d"
                                    .formatted(position, value, MIN_LENGTH);
                    case MAGIC ->
                            "record batch at position %d has magic %d, only %d is supported"
                                    .formatted(position, value, RecordBatch.MAGIC);
                };
            }
        }
    }

    private static final class BatchIterator implements Iterator<RecordBatch> {
        private final RecordBatches batches;
        private @Nullable RecordBatch upcoming;

        BatchIterator(RecordBatches batches) {
            this.batches = batches;
        }

        @Override
        public boolean hasNext() {
            if (upcoming == null) {
                upcoming =
                        switch (batches.next()) {
                            case Step.Batch(RecordBatch batch) -> batch;
                            case Step.End _, Step.Partial _ -> null;
                            case Step.Malformed malformed ->
                                    throw new MalformedRecordsException(malformed.message());
                        };
            }
            return upcoming != null;
        }

        @Override
        public RecordBatch next() {
            RecordBatch batch = hasNext() ? upcoming : null;
            if (batch == null) {
                throw new NoSuchElementException("no further record batch");
            }
            upcoming = null;
            return batch;
        }
    }
}

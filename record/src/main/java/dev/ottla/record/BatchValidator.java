package dev.ottla.record;

import dev.ottla.record.ValidationResult.OverLimit;
import dev.ottla.record.ValidationResult.RecordError;
import dev.ottla.record.ValidationResult.Rejected;
import dev.ottla.record.ValidationResult.Valid;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Decides whether the records of one partition in a produce request may enter the log, so that no
/// consumer ever meets a broken batch: exactly one batch of version 2, checksum, sizes, consistent
/// counts and offsets, no control batch, sequence numbers, timestamps within bounds, keys where the
/// topic is compacted. Reads every batch once, record by record, without keeping it; compressed
/// ones are unpacked within a limit. Owned by one thread at a time, on the network loop or off it.
///
/// Answers as Kafka 4.4 does, but lets less through. Refused here, though Kafka takes them:
/// uncompressed records whose offset deltas do not count from 0, compressed records whose fields
/// take more or less than their declared size, keys and values of a negative size other than -1,
/// producers with a negative id or epoch, transactional batches without a producer. And what makes
/// Kafka answer UNKNOWN_SERVER_ERROR (data that the codec cannot read, unknown codecs) is
/// INVALID_RECORD here, so that clients do not take it for a fault of the broker.
public final class BatchValidator implements AutoCloseable {
    /// More faulty records than these are counted, not listed.
    public static final int MAX_RECORD_ERRORS = 1_000;

    /// Version of Produce that brought zstd.
    private static final int ZSTD_PRODUCE_VERSION = 7;

    private static final int CHEAP_COMPRESSED_BYTES = 16 * 1024;
    private static final int CHEAP_UNCOMPRESSED_BYTES = 1 << 20;
    private static final int CHEAP_RECORDS = 16 * 1024;

    private final RecordReader reader;

    /// A validator that unpacks at most `maxUncompressedBytes` of a batch.
    public BatchValidator(int maxUncompressedBytes) {
        reader = new RecordReader(maxUncompressedBytes);
    }

    /// Whether checking these records takes little enough time for a network loop. A guess from the
    /// header, which may lie: on the loop, the limit of uncompressed bytes bounds the damage.
    public static boolean isCheap(ByteBuffer records) {
        if (records.remaining() < RecordBatch.HEADER_BYTES) {
            return true;
        }
        ByteBuffer header = RecordBatch.bigEndian(records);
        int start = records.position();
        boolean compressed =
                (header.getShort(start + RecordBatch.ATTRIBUTES) & Compression.MASK) != 0;
        int cheapBytes = compressed ? CHEAP_COMPRESSED_BYTES : CHEAP_UNCOMPRESSED_BYTES;
        return records.remaining() <= cheapBytes
                && header.getInt(start + RecordBatch.RECORD_COUNT) <= CHEAP_RECORDS;
    }

    /// Checks the bytes between position and limit of a writable buffer, and corrects the header's
    /// max timestamp.
    ///
    /// @param produceVersion version of the request, from 3 up
    public ValidationResult validate(
            ValidationRules rules,
            int partition,
            int produceVersion,
            ByteBuffer records,
            long nowMs) {
        Validation validation = new Validation(rules, partition, nowMs);
        try {
            RecordBatch batch = validation.onlyBatch(records, produceVersion);
            validation.header(batch);
            return validation.records(batch, reader.scan(batch));
        } catch (RejectedException e) {
            return e.rejection;
        } catch (MalformedRecordsException e) {
            return validation.rejected(
                    ErrorCode.INVALID_RECORD, e.getMessage() + "; the client built it wrongly");
        } catch (DecompressionLimitException e) {
            return new OverLimit(
                    validation.rejected(
                            ErrorCode.MESSAGE_TOO_LARGE,
                            e.getMessage() + "; send smaller batches"));
        } finally {
            reader.release();
        }
    }

    /// Rewrites a batch that needs it with the topic's codec, on the heap. Takes long: never on a
    /// network loop.
    public ValidationResult recompress(ValidationRules rules, int partition, Valid valid) {
        TopicCompression target =
                rules.compression()
                        .orElseThrow(
                                () -> new IllegalStateException("no compression.type to go to"));
        int maxBatchBytes = Math.min(rules.maxMessageBytes(), rules.segmentBytes());
        Optional<ByteBuffer> packed =
                Recompressor.recompress(
                        reader, valid.batch(), target.codec(), target.level(), maxBatchBytes);
        reader.release();
        if (packed.isEmpty()) {
            return new Validation(rules, partition, 0).outgrown(target.codec(), maxBatchBytes);
        }
        RecordBatch batch = RecordBatch.at(packed.get(), 0);
        return new Valid(batch, valid.maxTimestamp(), valid.maxTimestampOffsetDelta(), false);
    }

    /// Frees native memory.
    @Override
    public void close() {
        reader.close();
    }

    /// One validation.
    private static final class Validation {
        private final ValidationRules rules;
        private final int partition;
        private final long nowMs;
        private final List<RecordError> errors = new ArrayList<>(0);
        private int errorCount;
        private boolean anyBadTimestamp;

        Validation(ValidationRules rules, int partition, long nowMs) {
            this.rules = rules;
            this.partition = partition;
            this.nowMs = nowMs;
        }

        /// A cut-off batch after the first one is ignored, as Kafka does.
        RecordBatch onlyBatch(ByteBuffer records, int produceVersion) {
            RecordBatches batches = RecordBatches.in(records);
            RecordBatch batch =
                    switch (batches.next()) {
                        case RecordBatches.Step.Batch(RecordBatch first) -> first;
                        case RecordBatches.Step.End _ ->
                                throw reject(
                                        ErrorCode.INVALID_RECORD,
                                        "the request has no records; send one record batch");
                        case RecordBatches.Step.Partial partial ->
                                throw reject(ErrorCode.INVALID_RECORD, partial.describe());
                        case RecordBatches.Step.Malformed malformed -> throw reject(malformed);
                    };
            if (produceVersion < ZSTD_PRODUCE_VERSION
                    && batch.compressionId() == Compression.ZSTD.id()) {
                throw reject(
                        ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
                        "zstd needs version %d of Produce, the request has version %d; use another compression.type"
                                .formatted(ZSTD_PRODUCE_VERSION, produceVersion));
            }
            switch (batches.next()) {
                case RecordBatches.Step.Batch _ ->
                        throw reject(
                                ErrorCode.INVALID_RECORD,
                                "the request has several record batches; send exactly one per partition");
                case RecordBatches.Step.Malformed malformed -> throw reject(malformed);
                case RecordBatches.Step.End _, RecordBatches.Step.Partial _ -> {}
            }
            return batch;
        }

        private RejectedException reject(RecordBatches.Step.Malformed malformed) {
            boolean oldFormat =
                    malformed.fault() == RecordBatches.Fault.MAGIC
                            && malformed.value() >= 0
                            && malformed.value() < RecordBatch.MAGIC;
            return oldFormat
                    ? reject(
                            ErrorCode.INVALID_RECORD,
                            malformed.message()
                                    + "; upgrade the client to one of Kafka 0.11 or newer")
                    : reject(ErrorCode.CORRUPT_MESSAGE, malformed.message());
        }

        void header(RecordBatch batch) {
            if (batch.baseOffset() != 0) {
                throw reject(
                        ErrorCode.INVALID_RECORD,
                        "the base offset is %d, expected 0: the broker assigns offsets"
                                .formatted(batch.baseOffset()));
            }
            sizes(batch.sizeBytes());
            int computedCrc = batch.computeCrc();
            if (batch.crc() != computedCrc) {
                throw reject(
                        ErrorCode.CORRUPT_MESSAGE,
                        "the checksum is %08x, expected %08x: the batch was damaged on its way, send it again"
                                .formatted(batch.crc(), computedCrc));
            }
            int count = batch.recordCount();
            int lastOffsetDelta = batch.lastOffsetDelta();
            if (count <= 0 || lastOffsetDelta != count - 1) {
                throw reject(
                        ErrorCode.INVALID_RECORD,
                        "the header declares %d records and the last offset delta %d, expected one record or more and count - 1"
                                .formatted(count, lastOffsetDelta));
            }
            if (batch.isControl()) {
                throw reject(
                        ErrorCode.INVALID_RECORD,
                        "it is a control batch, which clients must not write");
            }
            if (batch.isTransactional() && !batch.hasProducerId()) {
                throw reject(
                        ErrorCode.INVALID_RECORD,
                        "it is transactional but has no producer id; call InitProducerId first");
            }
            if (batch.producerId() != RecordBatch.NO_PRODUCER_ID
                    && (batch.producerId() < 0
                            || batch.producerEpoch() < 0
                            || batch.baseSequence() < 0)) {
                throw reject(
                        ErrorCode.INVALID_RECORD,
                        "producer id %d comes with epoch %d and base sequence %d; all three count from 0"
                                .formatted(
                                        batch.producerId(),
                                        batch.producerEpoch(),
                                        batch.baseSequence()));
            }
        }

        void sizes(int size) {
            if (size > rules.maxMessageBytes()) {
                throw reject(
                        ErrorCode.MESSAGE_TOO_LARGE,
                        tooLarge(size, "max.message.bytes", rules.maxMessageBytes()));
            }
            if (size > rules.segmentBytes()) {
                throw reject(
                        ErrorCode.RECORD_LIST_TOO_LARGE,
                        tooLarge(size, "segment.bytes", rules.segmentBytes()));
            }
        }

        Rejected outgrown(Compression codec, int limit) {
            return rejected(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "compressed as the topic wants it (compression.type %s) the batch has more than %d bytes; send smaller batches or raise max.message.bytes"
                            .formatted(codec.name().toLowerCase(Locale.ROOT), limit));
        }

        private static String tooLarge(int size, String key, int limit) {
            return "the batch has %d bytes, %s allows %d; send smaller batches or raise it"
                    .formatted(size, key, limit);
        }

        ValidationResult records(RecordBatch batch, RecordScanner scanner) {
            boolean createTime = rules.timestampType() == TimestampType.CREATE_TIME;
            long earliest = createTime ? rules.earliestTimestamp(nowMs) : Long.MIN_VALUE;
            long latest = createTime ? rules.latestTimestamp(nowMs) : Long.MAX_VALUE;
            long maxTimestamp = RecordBatch.NO_TIMESTAMP;
            int maxTimestampDelta = 0;
            while (scanner.next()) {
                int index = scanner.index();
                if (scanner.offsetDelta() != index) {
                    throw reject(
                            ErrorCode.INVALID_RECORD,
                            "record %d has the offset delta %d; deltas count from 0 without gaps"
                                    .formatted(index, scanner.offsetDelta()));
                }
                long timestamp = scanner.createTimestamp();
                if (rules.keysRequired() && !scanner.hasKey()) {
                    addKeyError(index);
                } else if ((timestamp < earliest || timestamp > latest)
                        && timestamp != RecordBatch.NO_TIMESTAMP) {
                    addTimestampError(index, timestamp, earliest, latest);
                }
                if (timestamp > maxTimestamp) {
                    maxTimestamp = timestamp;
                    maxTimestampDelta = index;
                }
            }
            if (errorCount > 0) {
                return rejectedForRecords();
            }
            if (createTime) {
                batch.setMaxTimestamp(TimestampType.CREATE_TIME, maxTimestamp);
            }
            boolean recompress =
                    rules.compression().filter(c -> c.codec() != batch.compression()).isPresent();
            return new Valid(batch, maxTimestamp, maxTimestampDelta, recompress);
        }

        private void addKeyError(int index) {
            if (++errorCount <= MAX_RECORD_ERRORS) {
                errors.add(
                        new RecordError(
                                index, "record %d has no key; %s".formatted(index, keyRule())));
            }
        }

        private String keyRule() {
            return "topic %s is compacted (cleanup.policy), so every record needs one"
                    .formatted(rules.topic());
        }

        private void addTimestampError(int index, long timestamp, long earliest, long latest) {
            anyBadTimestamp = true;
            if (++errorCount <= MAX_RECORD_ERRORS) {
                String bounds = "%d to %d".formatted(earliest, latest);
                String message =
                        "record %d has the timestamp %d, expected %s; see message.timestamp.before.max.ms and message.timestamp.after.max.ms of topic %s"
                                .formatted(index, timestamp, bounds, rules.topic());
                errors.add(new RecordError(index, message));
            }
        }

        private Rejected rejectedForRecords() {
            String message =
                    errorCount == 1
                            ? errors.getFirst().message()
                            : "%d records are refused, the first one because %s"
                                    .formatted(errorCount, errors.getFirst().message());
            ErrorCode code =
                    anyBadTimestamp ? ErrorCode.INVALID_TIMESTAMP : ErrorCode.INVALID_RECORD;
            return new Rejected(code, inPartition(message), errors);
        }

        Rejected rejected(ErrorCode error, String message) {
            return new Rejected(error, inPartition(message));
        }

        private RejectedException reject(ErrorCode error, String message) {
            return new RejectedException(rejected(error, message));
        }

        private String inPartition(String message) {
            return "Batch refused by %s-%d: %s.".formatted(rules.topic(), partition, message);
        }
    }

    /// Carries a refusal out of nested checks; never leaves this class.
    private static final class RejectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Rejected rejection;

        RejectedException(Rejected rejection) {
            super(rejection.message(), null, false, false);
            this.rejection = rejection;
        }
    }
}

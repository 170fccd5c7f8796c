package dev.ottla.record;

import dev.ottla.wire.ErrorCode;
import java.util.List;

/// What became of a produced batch.
public sealed interface ValidationResult {
    /// The batch may be appended. Its header is consistent with its records; of a create-time
    /// topic, timestamp type and max timestamp too. With log-append time, whoever appends sets the
    /// time.
    ///
    /// @param batch the one batch of the request, in the buffer that was given
    /// @param maxTimestamp latest create time of the records, [RecordBatch#NO_TIMESTAMP] if none
    ///   has any
    /// @param maxTimestampOffsetDelta first record with that time, counted from the base offset
    /// @param needsRecompression the topic's `compression.type` is another one: see [Recompressor]
    record Valid(
            RecordBatch batch,
            long maxTimestamp,
            int maxTimestampOffsetDelta,
            boolean needsRecompression)
            implements ValidationResult {}

    /// The batch must not be appended.
    ///
    /// @param recordErrors the records at fault if it is single ones, at most
    ///   [BatchValidator#MAX_RECORD_ERRORS]
    record Rejected(ErrorCode error, String message, List<RecordError> recordErrors)
            implements ValidationResult {
        public Rejected {
            recordErrors = List.copyOf(recordErrors);
        }

        Rejected(ErrorCode error, String message) {
            this(error, message, List.of());
        }
    }

    /// The batch holds more uncompressed bytes than this validator may unpack. One with a larger
    /// limit may still find it good; where there is none, the rejection is the answer.
    record OverLimit(Rejected rejection) implements ValidationResult {}

    /// One record of a rejected batch; the index counts from 0.
    record RecordError(int batchIndex, String message) {}
}

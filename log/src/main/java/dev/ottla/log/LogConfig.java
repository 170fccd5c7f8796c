package dev.ottla.log;

/// The settings of one partition's log. Plain values, checked by whoever parsed them. Immutable.
///
/// @param segmentBytes a segment is rolled before it grows larger
/// @param segmentMs a segment is rolled when its records span more
/// @param segmentJitterMs subtracted from `segmentMs` for this log, so that not all roll at once
/// @param segmentIndexBytes a segment is rolled when an index is as large as this
/// @param indexIntervalBytes one index entry for about so many bytes of log
/// @param retentionMs records older are removed; negative: never
/// @param retentionBytes the oldest segments are removed above this size; negative: never
/// @param deletes whether retention applies: the cleanup policy contains `delete`
/// @param compacts whether older values of a key are removed: the cleanup policy contains `compact`
/// @param flushPolicy when records count as kept
/// @param flushMessages under `PAGE_CACHE` a sync follows when so many records are not synced
/// @param flushMs under `PAGE_CACHE` a sync follows when records have waited so long
/// @param fileDeleteDelayMs files of a segment stay for so long after it went out of use
/// @param producerIdExpirationMs producers that were silent for so long are forgotten
public record LogConfig(
        int segmentBytes,
        long segmentMs,
        long segmentJitterMs,
        int segmentIndexBytes,
        int indexIntervalBytes,
        long retentionMs,
        long retentionBytes,
        boolean deletes,
        boolean compacts,
        FlushPolicy flushPolicy,
        long flushMessages,
        long flushMs,
        long fileDeleteDelayMs,
        long producerIdExpirationMs) {
    /// Kafka's defaults, and every append synced.
    public static final LogConfig DEFAULTS = builder().build();

    public static Builder builder() {
        return new Builder();
    }

    public Builder toBuilder() {
        return new Builder()
                .segmentBytes(segmentBytes)
                .segmentMs(segmentMs)
                .segmentJitterMs(segmentJitterMs)
                .segmentIndexBytes(segmentIndexBytes)
                .indexIntervalBytes(indexIntervalBytes)
                .retentionMs(retentionMs)
                .retentionBytes(retentionBytes)
                .deletes(deletes)
                .compacts(compacts)
                .flushPolicy(flushPolicy)
                .flushMessages(flushMessages)
                .flushMs(flushMs)
                .fileDeleteDelayMs(fileDeleteDelayMs)
                .producerIdExpirationMs(producerIdExpirationMs);
    }

    /// Starts from Kafka's defaults.
    public static final class Builder {
        private int segmentBytes = 1 << 30;
        private long segmentMs = 7 * 24 * 3_600_000L;
        private long segmentJitterMs;
        private int segmentIndexBytes = 10 << 20;
        private int indexIntervalBytes = 4096;
        private long retentionMs = 7 * 24 * 3_600_000L;
        private long retentionBytes = -1;
        private boolean deletes = true;
        private boolean compacts;
        private FlushPolicy flushPolicy = FlushPolicy.FSYNC;
        private long flushMessages = Long.MAX_VALUE;
        private long flushMs = Long.MAX_VALUE;
        private long fileDeleteDelayMs = 60_000;
        private long producerIdExpirationMs = 24 * 3_600_000L;

        private Builder() {}

        public Builder segmentBytes(int value) {
            segmentBytes = value;
            return this;
        }

        public Builder segmentMs(long value) {
            segmentMs = value;
            return this;
        }

        public Builder segmentJitterMs(long value) {
            segmentJitterMs = value;
            return this;
        }

        public Builder segmentIndexBytes(int value) {
            segmentIndexBytes = value;
            return this;
        }

        public Builder indexIntervalBytes(int value) {
            indexIntervalBytes = value;
            return this;
        }

        public Builder retentionMs(long value) {
            retentionMs = value;
            return this;
        }

        public Builder retentionBytes(long value) {
            retentionBytes = value;
            return this;
        }

        public Builder deletes(boolean value) {
            deletes = value;
            return this;
        }

        public Builder compacts(boolean value) {
            compacts = value;
            return this;
        }

        public Builder flushPolicy(FlushPolicy value) {
            flushPolicy = value;
            return this;
        }

        public Builder flushMessages(long value) {
            flushMessages = value;
            return this;
        }

        public Builder flushMs(long value) {
            flushMs = value;
            return this;
        }

        public Builder fileDeleteDelayMs(long value) {
            fileDeleteDelayMs = value;
            return this;
        }

        public Builder producerIdExpirationMs(long value) {
            producerIdExpirationMs = value;
            return this;
        }

        public LogConfig build() {
            return new LogConfig(
                    segmentBytes,
                    segmentMs,
                    segmentJitterMs,
                    segmentIndexBytes,
                    indexIntervalBytes,
                    retentionMs,
                    retentionBytes,
                    deletes,
                    compacts,
                    flushPolicy,
                    flushMessages,
                    flushMs,
                    fileDeleteDelayMs,
                    producerIdExpirationMs);
        }
    }
}

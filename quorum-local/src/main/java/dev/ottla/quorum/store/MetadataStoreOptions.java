package dev.ottla.quorum.store;

/// Limits of a copy of the metadata log.
///
/// @param maxBatchBytes largest batch; a larger command becomes a transaction of several
/// @param segmentBytes a segment is rolled before it grows larger
/// @param segmentMs a segment is rolled when its records span more
/// @param snapshotBytes a snapshot is due when so much was appended since the last one
/// @param snapshotIntervalMs and when anything was, and so much time passed; 0 for never
/// @param retentionBytes old snapshots go, and the log before the ones that stay, while there is
///   more of both together; negative: never
/// @param retentionMs and while the oldest snapshot is older; negative: never
public record MetadataStoreOptions(
        int maxBatchBytes,
        int segmentBytes,
        long segmentMs,
        long snapshotBytes,
        long snapshotIntervalMs,
        long retentionBytes,
        long retentionMs) {
    /// Large enough for a topic of 10,000 partitions.
    public static final int MAX_BATCH_BYTES = 2 << 20;

    private static final long HOUR_MS = 3_600_000;

    /// Kafka's defaults, but segments so small that the room of old records comes back.
    public static final MetadataStoreOptions DEFAULTS =
            new MetadataStoreOptions(
                    MAX_BATCH_BYTES,
                    16 << 20,
                    7 * 24 * HOUR_MS,
                    20 << 20,
                    HOUR_MS,
                    100 << 20,
                    7 * 24 * HOUR_MS);

    public MetadataStoreOptions {
        if (maxBatchBytes < 1024 || segmentBytes < 2 * maxBatchBytes || snapshotBytes < 1) {
            throw new IllegalArgumentException(
                    "batches of %d bytes in segments of %d, a snapshot after %d"
                            .formatted(maxBatchBytes, segmentBytes, snapshotBytes));
        }
    }

    /// The same with other sizes.
    public MetadataStoreOptions withSizes(
            int newBatchBytes, int newSegmentBytes, long newSnapshotBytes) {
        return new MetadataStoreOptions(
                newBatchBytes,
                newSegmentBytes,
                segmentMs,
                newSnapshotBytes,
                snapshotIntervalMs,
                retentionBytes,
                retentionMs);
    }

    /// The same with another retention.
    public MetadataStoreOptions withRetention(long newRetentionBytes, long newRetentionMs) {
        return new MetadataStoreOptions(
                maxBatchBytes,
                segmentBytes,
                segmentMs,
                snapshotBytes,
                snapshotIntervalMs,
                newRetentionBytes,
                newRetentionMs);
    }
}

package dev.ottla.quorum.local;

/// Limits of the local metadata log.
///
/// @param maxBatchBytes largest batch; a larger command becomes a transaction of several
/// @param segmentBytes a segment is rolled before it grows larger
/// @param snapshotBytes a snapshot is due when so much was appended since the last one
public record LocalLogOptions(int maxBatchBytes, int segmentBytes, long snapshotBytes) {
    /// Snapshots as often as Kafka makes them, and segments small enough for the space of old
    /// records to come back.
    public static final LocalLogOptions DEFAULTS = new LocalLogOptions(2 << 20, 16 << 20, 20 << 20);

    public LocalLogOptions {
        if (maxBatchBytes < 1024 || segmentBytes < 2 * maxBatchBytes || snapshotBytes < 1) {
            throw new IllegalArgumentException(
                    "batches of %d bytes in segments of %d, a snapshot after %d"
                            .formatted(maxBatchBytes, segmentBytes, snapshotBytes));
        }
    }
}

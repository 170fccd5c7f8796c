package dev.ottla.quorum.store;

import java.util.Locale;
import java.util.Optional;

/// Which records a snapshot stands for. Snapshots order by their end.
///
/// @param endOffset exclusive: the first offset that is not contained
/// @param epoch of the last record
public record SnapshotId(long endOffset, int epoch) implements Comparable<SnapshotId> {
    private static final String SUFFIX = ".checkpoint";
    private static final int OFFSET_DIGITS = 20;
    private static final int EPOCH_DIGITS = 10;

    /// Kafka's name: the offset in 20 digits, a dash, the epoch in 10.
    public String fileName() {
        return String.format(Locale.ROOT, "%020d-%010d", endOffset, epoch) + SUFFIX;
    }

    /// Empty for the name of any other file.
    public static Optional<SnapshotId> parse(String fileName) {
        int dash = OFFSET_DIGITS;
        int end = dash + 1 + EPOCH_DIGITS;
        if (fileName.length() != end + SUFFIX.length()
                || fileName.charAt(dash) != '-'
                || !fileName.endsWith(SUFFIX)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new SnapshotId(
                            Long.parseLong(fileName.substring(0, dash)),
                            Integer.parseInt(fileName.substring(dash + 1, end))));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    @Override
    public int compareTo(SnapshotId other) {
        int byOffset = Long.compare(endOffset, other.endOffset);
        return byOffset != 0 ? byOffset : Integer.compare(epoch, other.epoch);
    }
}

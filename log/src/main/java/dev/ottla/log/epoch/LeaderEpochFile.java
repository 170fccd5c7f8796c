package dev.ottla.log.epoch;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The text of `leader-epoch-checkpoint`.
///
///     0                          version
///     2                          number of entries
///     5 0                        epoch, start offset
///     7 1200
///
/// Source: Kafka documentation, KIP-101.
public final class LeaderEpochFile {
    public static final String NAME = "leader-epoch-checkpoint";

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private LeaderEpochFile() {}

    /// The epochs that have records below `endOffset`.
    public static String format(LeaderEpochs epochs, long endOffset) {
        int count = epochs.countBelow(endOffset);
        StringBuilder text = new StringBuilder("0\n").append(count).append('\n');
        for (int entry = 0; entry < count; entry++) {
            text.append(epochs.epoch(entry))
                    .append(' ')
                    .append(epochs.startOffset(entry))
                    .append('\n');
        }
        return text.toString();
    }

    /// Empty when the text is no such file, whole and in order.
    public static Optional<LeaderEpochs> parse(String text) {
        LeaderEpochs epochs = new LeaderEpochs();
        List<String> lines = text.lines().toList();
        try {
            if (lines.size() < 2 || Integer.parseInt(lines.get(0)) != 0) {
                return Optional.empty();
            }
            int count = Integer.parseInt(lines.get(1));
            if (count != lines.size() - 2) {
                return Optional.empty();
            }
            for (int i = 2; i < lines.size(); i++) {
                String[] fields = SPACE.split(lines.get(i), -1);
                if (fields.length != 2
                        || !epochs.add(Integer.parseInt(fields[0]), Long.parseLong(fields[1]))) {
                    return Optional.empty();
                }
            }
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
        epochs.markWritten(Long.MAX_VALUE);
        return Optional.of(epochs);
    }
}

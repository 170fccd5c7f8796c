package dev.ottla.log;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The text of a file with one offset for each partition.
///
///     0                          version
///     1                          number of entries
///     orders 3 1200              topic, partition, offset
///
/// Source: Kafka documentation, `recovery-point-offset-checkpoint`.
final class OffsetCheckpointFile {
    static final String RECOVERY_POINTS = "recovery-point-offset-checkpoint";
    static final String HIGH_WATERMARKS = "replication-offset-checkpoint";
    static final String LOG_START_OFFSETS = "log-start-offset-checkpoint";

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private OffsetCheckpointFile() {}

    static String format(Map<TopicPartition, Long> offsets) {
        StringBuilder text = new StringBuilder(64 + 40 * offsets.size());
        text.append("0\n").append(offsets.size()).append('\n');
        offsets.forEach((partition, offset) ->
                text.append(partition.topic())
                        .append(' ')
                        .append(partition.partition())
                        .append(' ')
                        .append(offset)
                        .append('\n'));
        return text.toString();
    }

    /// Empty when the text is no such file, whole.
    static Optional<Map<TopicPartition, Long>> parse(String text) {
        Map<TopicPartition, Long> offsets = new TreeMap<>();
        List<String> lines = text.lines().toList();
        try {
            if (lines.size() < 2 || Integer.parseInt(lines.get(0)) != 0) {
                return Optional.empty();
            }
            if (Integer.parseInt(lines.get(1)) != lines.size() - 2) {
                return Optional.empty();
            }
            for (int i = 2; i < lines.size(); i++) {
                String[] fields = SPACE.split(lines.get(i), -1);
                if (fields.length != 3) {
                    return Optional.empty();
                }
                offsets.put(
                        new TopicPartition(fields[0], Integer.parseInt(fields[1])),
                        Long.parseLong(fields[2]));
            }
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
        return Optional.of(offsets);
    }
}

package dev.ottla.log;

import dev.ottla.wire.Uuid;
import java.util.Optional;

/// The text of `partition.metadata`, which ties a partition's directory to one incarnation of its topic.
///
///     version: 0
///     topic_id: 4Q1lnkXvTPOZ5dYzbl8vAA
///
/// Source: KIP-516.
final class PartitionMetadataFile {
    static final String NAME = "partition.metadata";

    private static final String TOPIC_ID = "topic_id: ";

    private PartitionMetadataFile() {}

    static String format(Uuid topicId) {
        return "version: 0\n" + TOPIC_ID + topicId;
    }

    /// Empty when the text holds no topic id.
    static Optional<Uuid> parse(String text) {
        return text.lines()
                .filter(line -> line.startsWith(TOPIC_ID))
                .findFirst()
                .flatMap(line -> parseId(line.substring(TOPIC_ID.length()).strip()));
    }

    private static Optional<Uuid> parseId(String id) {
        try {
            return Optional.of(Uuid.parse(id));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}

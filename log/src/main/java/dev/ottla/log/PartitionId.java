package dev.ottla.log;

import dev.ottla.wire.Uuid;
import java.util.Optional;

/// A partition of one incarnation of a topic. Immutable.
public record PartitionId(Uuid topicId, String topic, int partition) {
    public PartitionId {
        if (partition < 0) {
            throw new IllegalArgumentException(
                    "partition " + partition + " of topic " + topic + " is negative");
        }
    }

    /// Name of its directory, for example `orders-3`.
    public String directoryName() {
        return topic + "-" + partition;
    }

    /// Topic and partition in a directory name; empty for a name of another form.
    static Optional<TopicPartition> parse(String directoryName) {
        int dash = directoryName.lastIndexOf('-');
        if (dash <= 0
                || dash == directoryName.length() - 1
                || directoryName.indexOf('.', dash) >= 0) {
            return Optional.empty();
        }
        try {
            int partition = Integer.parseInt(directoryName.substring(dash + 1));
            String topic = directoryName.substring(0, dash);
            return partition < 0 || !directoryName.equals(topic + "-" + partition)
                    ? Optional.empty()
                    : Optional.of(new TopicPartition(topic, partition));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    TopicPartition topicPartition() {
        return new TopicPartition(topic, partition);
    }

    @Override
    public String toString() {
        return directoryName();
    }
}

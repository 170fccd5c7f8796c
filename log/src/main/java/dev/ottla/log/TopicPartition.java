package dev.ottla.log;

/// A partition by name, as the files that Kafka shares with us name it. Immutable.
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
    @Override
    public int compareTo(TopicPartition other) {
        int byTopic = topic.compareTo(other.topic);
        return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
    }

    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}

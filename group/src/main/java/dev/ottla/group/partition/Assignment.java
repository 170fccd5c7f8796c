package dev.ottla.group.partition;

import dev.ottla.wire.Uuid;
import java.util.HashMap;
import java.util.Map;

/// Partitions by topic id, none of the sets empty. Immutable.
public record Assignment(Map<Uuid, PartitionSet> topics) {
    public static final Assignment EMPTY = new Assignment(Map.of());

    public Assignment {
        if (topics.values().stream().anyMatch(PartitionSet::isEmpty)) {
            Map<Uuid, PartitionSet> withoutEmpty = new HashMap<>(topics);
            withoutEmpty.values().removeIf(PartitionSet::isEmpty);
            topics = withoutEmpty;
        }
        topics = Map.copyOf(topics);
    }

    /// The partitions of `topicId`, possibly none.
    public PartitionSet of(Uuid topicId) {
        return topics.getOrDefault(topicId, PartitionSet.EMPTY);
    }

    public boolean isEmpty() {
        return topics.isEmpty();
    }

    public boolean contains(Uuid topicId, int partition) {
        return of(topicId).contains(partition);
    }

    /// Partitions in all topics.
    public int size() {
        return topics.values().stream().mapToInt(PartitionSet::size).sum();
    }
}

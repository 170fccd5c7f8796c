package dev.ottla.group.partition;

import dev.ottla.wire.Uuid;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Partitions of a member, each with its assignment epoch: the member epoch at which it came to the
/// member. A commit made under an older epoch than that is a leftover of an earlier owner
/// (KIP-1251). Immutable.
public record OwnedPartitions(Map<Uuid, Map<Integer, Integer>> epochs) {
    public static final OwnedPartitions EMPTY = new OwnedPartitions(Map.of());

    public OwnedPartitions {
        Map<Uuid, Map<Integer, Integer>> copy = new HashMap<>();
        epochs.forEach((topicId, partitions) -> {
            if (!partitions.isEmpty()) copy.put(topicId, Map.copyOf(partitions));
        });
        epochs = Map.copyOf(copy);
    }

    /// All of `assignment` under one epoch.
    public static OwnedPartitions of(Assignment assignment, int epoch) {
        Map<Uuid, Map<Integer, Integer>> epochs = new HashMap<>();
        assignment
                .topics()
                .forEach((topicId, partitions) -> {
                    Map<Integer, Integer> ofTopic = new HashMap<>();
                    partitions.stream().forEach(partition -> ofTopic.put(partition, epoch));
                    epochs.put(topicId, ofTopic);
                });
        return new OwnedPartitions(epochs);
    }

    /// The partitions of `topicId` with their epochs, possibly none.
    public Map<Integer, Integer> of(Uuid topicId) {
        return epochs.getOrDefault(topicId, Map.of());
    }

    public boolean isEmpty() {
        return epochs.isEmpty();
    }

    public boolean contains(Uuid topicId, int partition) {
        return of(topicId).containsKey(partition);
    }

    /// The partitions without their epochs.
    public Assignment assignment() {
        Map<Uuid, PartitionSet> topics = new HashMap<>();
        epochs.forEach(
                (topicId, ofTopic) -> topics.put(topicId, PartitionSet.of(ofTopic.keySet())));
        return new Assignment(topics);
    }

    /// Whether both hold the same partitions, whatever the epochs.
    public boolean samePartitions(OwnedPartitions other) {
        if (!epochs.keySet().equals(other.epochs.keySet())) return false;
        return epochs.entrySet().stream()
                .allMatch(entry ->
                        entry.getValue().keySet().equals(other.of(entry.getKey()).keySet()));
    }

    @Override
    public String toString() {
        TreeMap<String, TreeMap<Integer, Integer>> sorted = new TreeMap<>();
        epochs.forEach(
                (topicId, ofTopic) -> sorted.put(topicId.toString(), new TreeMap<>(ofTopic)));
        return sorted.toString();
    }
}

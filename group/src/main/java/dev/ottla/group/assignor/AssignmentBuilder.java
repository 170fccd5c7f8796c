package dev.ottla.group.assignor;

import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.wire.Uuid;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Collects the partitions of one member.
final class AssignmentBuilder {
    private final Map<Uuid, int[]> partitions = new HashMap<>();
    private final Map<Uuid, Integer> counts = new HashMap<>();
    private int size;

    void add(Uuid topicId, int partition) {
        int count = counts.merge(topicId, 1, Integer::sum);
        int[] ofTopic = partitions.getOrDefault(topicId, new int[4]);
        if (count > ofTopic.length) ofTopic = Arrays.copyOf(ofTopic, count * 2);
        ofTopic[count - 1] = partition;
        partitions.put(topicId, ofTopic);
        size++;
    }

    int size() {
        return size;
    }

    /// The collected partitions, or `previous` itself when they are the same: unchanged members
    /// then cost no memory and are recognised at once.
    Assignment build(Assignment previous) {
        Map<Uuid, PartitionSet> topics = new HashMap<>();
        counts.forEach((topicId, count) ->
                topics.put(
                        topicId,
                        PartitionSet.of(
                                Arrays.copyOf(
                                        partitions.getOrDefault(topicId, new int[0]), count))));
        Assignment built = new Assignment(topics);
        return built.equals(previous) ? previous : built;
    }
}

package dev.ottla.metadata.controller;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A topic to be created.
///
/// @param partitionCount -1 for the default, and when assignments are given
/// @param replicationFactor -1 for the default, and when assignments are given
/// @param assignments replicas by partition; empty to let the controller choose
/// @param configs values by key; a missing value is refused, as in Kafka
public record CreateTopic(
        String name,
        int partitionCount,
        int replicationFactor,
        Map<Integer, List<Integer>> assignments,
        Map<String, Optional<String>> configs) {
    public CreateTopic {
        assignments = Map.copyOf(assignments);
        configs = Map.copyOf(configs);
    }

    /// A topic with all defaults.
    public static CreateTopic named(String name) {
        return new CreateTopic(name, -1, -1, Map.of(), Map.of());
    }

    public CreateTopic withPartitions(int count) {
        return new CreateTopic(name, count, replicationFactor, assignments, configs);
    }

    public CreateTopic withReplicationFactor(int factor) {
        return new CreateTopic(name, partitionCount, factor, assignments, configs);
    }

    public CreateTopic withAssignments(Map<Integer, List<Integer>> replicas) {
        return new CreateTopic(name, partitionCount, replicationFactor, replicas, configs);
    }

    public CreateTopic withConfig(String key, String value) {
        Map<String, Optional<String>> all = new HashMap<>(configs);
        all.put(key, Optional.of(value));
        return new CreateTopic(name, partitionCount, replicationFactor, assignments, all);
    }
}

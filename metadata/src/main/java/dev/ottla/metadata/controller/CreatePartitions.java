package dev.ottla.metadata.controller;

import java.util.List;

/// More partitions for a topic.
///
/// @param totalCount partitions that it shall have, the present ones included
/// @param assignments replicas of the new partitions in their order; empty to let the controller
///   choose
public record CreatePartitions(String topic, int totalCount, List<List<Integer>> assignments) {
    public CreatePartitions {
        assignments = List.copyOf(assignments);
    }
}

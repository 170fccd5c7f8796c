package dev.ottla.chaos.load;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How all topics of a run are made.
///
/// @param nodes those that hold each partition, its leader first; empty when the cluster chooses
/// @param configs in place of what a topic has otherwise
public record TopicShape(int replicas, List<Integer> nodes, Map<String, String> configs) {
    public static final TopicShape USUAL = new TopicShape(3, 2);

    public TopicShape {
        nodes = List.copyOf(nodes);
        configs = Map.copyOf(configs);
    }

    public TopicShape(int replicas, int minInsyncReplicas) {
        this(replicas, List.of(), Map.of("min.insync.replicas", String.valueOf(minInsyncReplicas)));
    }

    /// As many replicas as there are brokers, but not more than three.
    public static TopicShape among(int brokers) {
        return brokers < 3 ? new TopicShape(brokers, 1) : USUAL;
    }

    public TopicShape on(List<Integer> chosen) {
        return new TopicShape(replicas, chosen, configs);
    }

    public TopicShape with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(configs);
        all.putAll(more);
        return new TopicShape(replicas, nodes, all);
    }
}

package dev.ottla.cli;

import dev.ottla.cli.ClusterView.Node;
import dev.ottla.cli.ClusterView.Partition;
import dev.ottla.metadata.controller.ReplicaSpread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Which partitions shall have which replicas. Immutable.
///
/// @param stuck partitions that no broker can take
record ReplicaPlan(List<Move> moves, List<Partition> stuck) {
    ReplicaPlan {
        moves = List.copyOf(moves);
        stuck = List.copyOf(stuck);
    }

    record Move(Partition partition, List<Integer> replicas) {}

    /// More replicas for the partitions that have fewer than `factor`.
    static ReplicaPlan raise(ClusterView cluster, Predicate<Partition> which, int factor) {
        ReplicaSpread spread = spread(cluster, cluster.takers());
        List<Move> moves = new ArrayList<>();
        List<Partition> stuck = new ArrayList<>();
        for (Partition partition : cluster.partitions(which)) {
            if (partition.replicas().size() >= factor) continue;
            List<Integer> raised = spread.raise(partition.replicas(), factor);
            if (raised.size() < factor) {
                stuck.add(partition);
            } else {
                moves.add(new Move(partition, raised));
            }
        }
        return new ReplicaPlan(moves, stuck);
    }

    /// Another broker for every replica on `nodeId`.
    static ReplicaPlan drain(ClusterView cluster, int nodeId) {
        Set<Integer> takers = new HashSet<>(cluster.takers());
        takers.remove(nodeId);
        ReplicaSpread spread = spread(cluster, takers);
        List<Move> moves = new ArrayList<>();
        List<Partition> stuck = new ArrayList<>();
        for (Partition partition : cluster.partitionsOn(nodeId)) {
            Optional<List<Integer>> replaced = spread.replace(partition.replicas(), nodeId);
            if (replaced.isEmpty()) {
                stuck.add(partition);
            } else {
                moves.add(new Move(partition, replaced.get()));
            }
        }
        return new ReplicaPlan(moves, stuck);
    }

    private static ReplicaSpread spread(ClusterView cluster, Set<Integer> takers) {
        Map<Integer, String> racks = new HashMap<>();
        for (Node node : cluster.nodes()) racks.put(node.id(), node.rack().orElse(""));
        ReplicaSpread spread = new ReplicaSpread(racks, takers);
        cluster.partitions().forEach(partition -> spread.count(partition.replicas()));
        return spread;
    }
}

package dev.ottla.chaos.scenario;

import dev.ottla.chaos.cluster.ClusterState;
import java.util.List;

/// Which node plays what.
///
/// @param controller the active one
/// @param leader of all partitions that have two replicas; where there are many nodes, it and the
///   follower are those that came last, without whom the voters go on
/// @param follower has the other replica of them
public record Roles(int controller, int leader, int follower) {
    /// Throws [IllegalStateException] when no controller answers.
    public static Roles of(ClusterState state, List<Integer> nodes) {
        int controller =
                state.controller()
                        .orElseThrow(() -> new IllegalStateException("no controller answers"));
        List<Integer> others = nodes.stream().filter(node -> node != controller).toList();
        return new Roles(controller, others.get(others.size() - 2), others.getLast());
    }

    @Override
    public String toString() {
        return "controller %d, leader %d, follower %d".formatted(controller, leader, follower);
    }
}

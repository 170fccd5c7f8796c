package dev.ottla.group.assignor;

import dev.ottla.group.partition.Assignment;
import java.util.Map;

/// Spreads the partitions evenly and leaves as many as possible where they are ("sticky"). When all
/// members subscribe to the same topics, no two differ by more than one partition; otherwise none
/// has two more than another that could take one of them.
public record UniformAssignor() implements Assignor {
    public static final String NAME = "uniform";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, Assignment> assign(GroupSpec group) {
        return group.isHomogeneous()
                ? new HomogeneousBalance(group).assign()
                : new HeterogeneousBalance(group).assign();
    }
}

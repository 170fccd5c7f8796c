package dev.ottla.group.assignor;

import dev.ottla.group.partition.Assignment;
import java.util.Map;
import java.util.Optional;

/// A server-side assignor: decides which member shall own which partition. A pure function: the
/// same group gives the same assignment.
public sealed interface Assignor permits RangeAssignor, UniformAssignor {
    /// The name that members and `group.consumer.assignors` know it by.
    String name();

    /// The partitions of every member, the previous ones included; every partition of a subscribed
    /// topic goes to exactly one member that subscribes to it.
    Map<String, Assignment> assign(GroupSpec group);

    /// The assignor of this name.
    static Optional<Assignor> named(String name) {
        return switch (name) {
            case RangeAssignor.NAME -> Optional.of(new RangeAssignor());
            case UniformAssignor.NAME -> Optional.of(new UniformAssignor());
            default -> Optional.empty();
        };
    }
}

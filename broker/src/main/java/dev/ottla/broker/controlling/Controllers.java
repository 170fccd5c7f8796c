package dev.ottla.broker.controlling;

import dev.ottla.config.HostPort;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Where to look for the active controller: first where it is said to be, after a failure at each
/// other node that is known, in turn. Owned by the metadata thread.
final class Controllers {
    private final Supplier<Optional<HostPort>> leader;
    private final Supplier<List<HostPort>> others;
    private int failures;

    /// @param leader address of the node that leads as far as is known here
    /// @param others all nodes that may know better
    Controllers(Supplier<Optional<HostPort>> leader, Supplier<List<HostPort>> others) {
        this.leader = leader;
        this.others = others;
    }

    /// Who is said to be the active controller.
    Optional<HostPort> leader() {
        return leader.get();
    }

    /// Empty when nobody else is known.
    ///
    /// @param asked who is asked already
    Optional<HostPort> next(Set<HostPort> asked) {
        Set<HostPort> all = new LinkedHashSet<>();
        leader.get().ifPresent(all::add);
        all.addAll(others.get());
        List<HostPort> inOrder = new ArrayList<>(all);
        int count = inOrder.size();
        return IntStream.range(0, count)
                .mapToObj(i -> inOrder.get((failures % count + i) % count))
                .filter(node -> !asked.contains(node))
                .findFirst();
    }

    /// The last one was not the active controller, or did not answer.
    void failed() {
        failures = Math.floorMod(failures + 1, Integer.MAX_VALUE);
    }

    void found() {
        failures = 0;
    }
}

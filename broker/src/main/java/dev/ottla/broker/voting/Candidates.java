package dev.ottla.broker.voting;

import dev.ottla.metadata.Features;
import dev.ottla.metadata.image.BrokerState;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// Which nodes become voters by themselves: as many as make three with those that vote already. Two
/// voters are worse than one, because neither may be missing, so the second comes together with the
/// third. A voter that is down stays one: it comes back with what it has promised.
final class Candidates {
    private static final int VOTERS = 3;

    private Candidates() {}

    /// The nodes to be added now; none when there are enough, or too few. The same for all who have
    /// heard the same: the living nodes with the lowest ids that would vote and are not being
    /// drained.
    ///
    /// @param voters ids of the nodes that vote
    static List<Integer> of(Set<Integer> voters, Collection<BrokerState> brokers) {
        int missing = VOTERS - voters.size();
        List<Integer> next =
                brokers.stream()
                        .filter(Candidates::isCandidate)
                        .map(BrokerState::id)
                        .filter(id -> !voters.contains(id))
                        .sorted()
                        .limit(Math.max(0, missing))
                        .toList();
        return next.size() == missing ? next : List.of();
    }

    private static boolean isCandidate(BrokerState broker) {
        return broker.isActive()
                && broker.features().containsKey(Features.CANDIDATE)
                && !broker.openDirectories().isEmpty();
    }
}

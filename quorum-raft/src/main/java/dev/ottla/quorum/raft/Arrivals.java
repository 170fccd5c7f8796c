package dev.ottla.quorum.raft;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.ratis.protocol.RaftPeerId;

/// New voters of which the leader does not know yet that they know. Ratis counts a change of the
/// voters as done when most of them have it, and one that has not heard of it takes part in no
/// election: when the leader is gone that moment, the others may wait for it in vain. So nobody is
/// told before that there is one voter more; unless it takes too long, for then it counts as one
/// that is down.
///
/// Owned by the metadata thread.
final class Arrivals {
    private static final long PATIENCE_MS = Duration.ofSeconds(10).toMillis();
    private static final Arrival BEING_ADDED = new Arrival(Long.MAX_VALUE, Long.MAX_VALUE);

    /// @param index of the entry that a voter has committed who knows that it is one, or a later
    private record Arrival(long index, long deadlineMs) {}

    private final Map<RaftPeerId, Arrival> awaited = new HashMap<>();

    /// They are about to be added.
    void expect(Collection<RaftPeerId> voters) {
        voters.forEach(voter -> awaited.put(voter, BEING_ADDED));
    }

    /// The others have agreed on them.
    ///
    /// @param committedIndex of this node, now
    void agreed(Collection<RaftPeerId> voters, long committedIndex, long nowMs) {
        Arrival arrival = new Arrival(committedIndex, nowMs + PATIENCE_MS);
        voters.forEach(voter -> awaited.computeIfPresent(voter, (_, _) -> arrival));
    }

    void forget(Collection<RaftPeerId> voters) {
        awaited.keySet().removeAll(voters);
    }

    /// This node leads no longer, so it will not hear of them.
    void forgetAll() {
        awaited.clear();
    }

    /// Whether a voter is just being added.
    ///
    /// @param committedIndex of that voter, as far as it is known
    boolean isAwaited(RaftPeerId voter, long committedIndex, long nowMs) {
        Arrival arrival = awaited.get(voter);
        if (arrival == null) return false;
        boolean over = committedIndex >= arrival.index() || nowMs >= arrival.deadlineMs();
        if (over) awaited.remove(voter);
        return !over;
    }
}

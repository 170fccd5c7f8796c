package dev.ottla.group.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Why one group rebalanced, newest last. Keeps the last [#MAX_ENTRIES] causes and is not
/// persisted: it begins anew when the coordinator is loaded. Owned by the thread that owns the
/// group.
public final class RebalanceHistory {
    /// Causes that are kept; older ones are forgotten.
    public static final int MAX_ENTRIES = 32;

    /// One rebalance.
    ///
    /// @param epoch generation of a classic group or epoch of a consumer group before the rebalance
    /// @param memberId the member that caused it, empty when no single member did
    /// @param cause a phrase for people, such as "left the group"
    public record Entry(long timestampMs, int epoch, String memberId, String cause) {}

    private final Deque<Entry> entries = new ArrayDeque<>();

    public void add(long timestampMs, int epoch, String memberId, String cause) {
        if (entries.size() == MAX_ENTRIES) entries.removeFirst();
        entries.addLast(new Entry(timestampMs, epoch, memberId, cause));
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }
}

package dev.ottla.broker.partition;

import java.util.ArrayList;
import java.util.List;

/// Who has deleted records of a partition and waits until no living replica has them any more.
/// Seldom more than one. Owned by the partition's shard thread.
final class WaitingDeletions {
    private List<Deletion> waiting = List.of();

    void add(Deletion deletion) {
        List<Deletion> longer = new ArrayList<>(waiting);
        longer.add(deletion);
        waiting = longer;
    }

    void remove(Deletion deletion) {
        List<Deletion> shorter = new ArrayList<>(waiting);
        shorter.remove(deletion);
        waiting = shorter;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// Nobody waits for what is below.
    void onLowWatermark(long lowWatermark) {
        for (Deletion deletion : waiting) {
            if (deletion.offset() <= lowWatermark) {
                remove(deletion);
                deletion.onDeleted();
            }
        }
    }

    /// The partition is led elsewhere or cannot be used.
    void endAll() {
        List<Deletion> ended = waiting;
        waiting = List.of();
        ended.forEach(Deletion::onUnavailable);
    }
}

package dev.ottla.group.consumer;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// How many members of a group have something in common, by what it is. Owned by the thread that
/// owns the group.
final class Counts {
    private final Map<String, Integer> counts = new HashMap<>();

    void add(String key, int difference) {
        counts.compute(
                key,
                (_, before) -> {
                    int after = (before == null ? 0 : before) + difference;
                    return after == 0 ? null : after;
                });
    }

    int of(String key) {
        return counts.getOrDefault(key, 0);
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    Set<String> keys() {
        return Collections.unmodifiableSet(counts.keySet());
    }
}

package dev.ottla.chaos.check;

import dev.ottla.chaos.check.Anomaly.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The anomalies found so far: all are counted, the first of each kind are kept. Owned by one
/// thread.
public final class Findings {
    private static final int KEPT_OF_A_KIND = 20;

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final List<Anomaly> kept = new ArrayList<>();

    void add(Kind kind, Supplier<Anomaly> anomaly) {
        if (counts.merge(kind, 1, Integer::sum) <= KEPT_OF_A_KIND) {
            kept.add(anomaly.get());
        }
    }

    /// The first of each kind, in the order in which they were found.
    public List<Anomaly> kept() {
        return List.copyOf(kept);
    }

    public Map<Kind, Integer> counts() {
        return Map.copyOf(counts);
    }

    public int count() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}

package dev.ottla.bench.report;

import java.util.List;

/// A figure that was taken once a second during one run.
///
/// @param scenario name of the scenario that measured it
/// @param side `Ottla` or `Kafka`
/// @param round number of the repetition, from 1
public record Series(String scenario, String side, int round, List<Double> values) {
    public Series {
        values = List.copyOf(values);
    }
}

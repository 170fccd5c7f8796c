package dev.ottla.broker.telemetry;

import java.util.List;

/// What one client is asked for. Immutable.
///
/// @param subscriptionId changes with the rest
/// @param metrics beginnings of metric names, ascending; only `*` for all; none when nothing is
///   wanted
/// @param pushIntervalMs pause between two pushes, and between two questions for subscriptions
public record WantedMetrics(int subscriptionId, List<String> metrics, int pushIntervalMs) {
    public WantedMetrics {
        metrics = List.copyOf(metrics);
    }
}

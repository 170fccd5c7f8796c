package dev.ottla.config;

import static dev.ottla.config.Allowed.between;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Subscriptions to metrics that clients push. Immutable.
public final class ClientMetricsKeys {
    static final KeyArea KEYS = new KeyArea(Scope.CLIENT_METRICS, "Client metrics");

    public static final ConfigKey<List<String>> METRICS =
            KEYS.list("metrics", List.of(), MEDIUM)
                    .allowing(entries())
                    .doc(
                            "Beginnings of the metric names that are wanted; `*` means all, none at all ends the subscription.");

    public static final ConfigKey<Integer> INTERVAL_MS =
            KEYS.int32("interval.ms", 300_000, MEDIUM)
                    .allowing(between(100, 3_600_000))
                    .doc("Pause between two pushes of a client.");

    public static final ConfigKey<List<String>> MATCH =
            KEYS.list("match", List.of(), MEDIUM)
                    .allowing(Formats.CLIENT_MATCH)
                    .doc(
                            "Which clients are meant, as `selector=regular expression` separated by commas, in RE2 syntax"
                                    + " and for values of up to 1024 characters; empty means all.");

    private ClientMetricsKeys() {}
}

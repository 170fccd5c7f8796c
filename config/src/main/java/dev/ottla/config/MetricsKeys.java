package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.between;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.notEmpty;
import static dev.ottla.config.Importance.LOW;

import java.util.List;

/// Figures about the broker and its clients. Immutable.
public final class MetricsKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Metrics");

    public static final ConfigKey<List<String>> METRIC_REPORTERS =
            KEYS.list(
                            "metric.reporters",
                            List.of("org.apache.kafka.common.metrics.JmxReporter"),
                            LOW)
                    .allowing(entries())
                    .clusterWide()
                    .noEffect(Reasons.METRICS)
                    .doc("Classes that report metrics.");

    public static final ConfigKey<Integer> METRICS_NUM_SAMPLES =
            KEYS.int32("metrics.num.samples", 2, LOW)
                    .allowing(atLeast(1))
                    .noEffect(Reasons.METRICS)
                    .doc("Samples that a rate is taken over.");

    public static final ConfigKey<Long> METRICS_SAMPLE_WINDOW_MS =
            KEYS.int64("metrics.sample.window.ms", 30_000, LOW)
                    .allowing(atLeast(1))
                    .noEffect(Reasons.METRICS)
                    .doc("Span of one sample.");

    public static final ConfigKey<String> METRICS_RECORDING_LEVEL =
            KEYS.string("metrics.recording.level", "INFO", LOW)
                    .noEffect(Reasons.METRICS)
                    .doc("How detailed metrics are.");

    public static final ConfigKey<List<String>> KAFKA_METRICS_REPORTERS =
            KEYS.list("kafka.metrics.reporters", List.of(), LOW)
                    .allowing(entries())
                    .noEffect(Reasons.METRICS)
                    .doc("Classes that report metrics of the older kind.");

    public static final ConfigKey<Integer> KAFKA_METRICS_POLLING_INTERVAL_SECS =
            KEYS.int32("kafka.metrics.polling.interval.secs", 10, LOW)
                    .allowing(atLeast(1))
                    .noEffect(Reasons.METRICS)
                    .doc("Pause of reporters of the older kind.");

    public static final ConfigKey<Integer> TELEMETRY_MAX_BYTES =
            KEYS.int32("telemetry.max.bytes", 1_048_576, LOW)
                    .allowing(atLeast(1))
                    .doc("Largest batch of metrics that a client may push.");

    public static final ConfigKey<String> METRICS_ADDRESS =
            KEYS.string("metrics.address", "127.0.0.1", LOW)
                    .allowing(notEmpty())
                    .own()
                    .doc("Address on which `/metrics` and the probes are served.");

    public static final ConfigKey<Integer> METRICS_PORT =
            KEYS.int32("metrics.port", 9464, LOW)
                    .allowing(between(-1, 65_535))
                    .own()
                    .doc(
                            "Port on which `/metrics` and the probes are served; 0 takes a free one, -1 serves none. When it is not set and taken, a free one is used, which the start prints.");

    private MetricsKeys() {}
}

package dev.ottla.broker.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/// Every figure of one broker. Thread-safe: counters are striped adders, gauges are read when the
/// page is asked for. The number of series is fixed by the code, never by the number of partitions,
/// topics, groups or clients, so a scrape costs the same at any size.
public final class BrokerMetrics {
    private static final double NS_PER_SECOND = 1e9;
    private static final double[] LATENCY_BUCKETS_SECONDS = {
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
        10
    };

    private final PrometheusRegistry registry = new PrometheusRegistry();

    /// Filled by the wiring's thread while the broker starts.
    private final Set<String> names = new TreeSet<>();

    private final Counter requests = counter("ottla_requests", "Requests read, by API.", "api");
    private final Counter requestErrors =
            counter(
                    "ottla_request_errors",
                    "Requests that ended with an error, in whole or in part, by API.",
                    "api");
    private final Counter requestBytes =
            counter("ottla_request_bytes", "Bytes of request frames, by API.", "api");
    private final Counter responseBytes =
            counter("ottla_response_bytes", "Bytes of response frames, by API.", "api");
    private final Histogram workSeconds =
            histogram("ottla_request_work", "Time threads worked on a request, by API.", "api");
    private final Histogram waitSeconds =
            histogram(
                    "ottla_request_wait",
                    "Time a request rested before its answer, by API.",
                    "api");
    private final Histogram syncSeconds =
            histogram(
                    "ottla_log_sync",
                    "Time one sync took, of a file, a directory or a file system.");
    private final Counter appendedBytes =
            counter("ottla_log_appended_bytes", "Bytes of record batches appended.");
    private final Counter appendedRecords =
            counter("ottla_log_appended_records", "Records appended.");
    private final Counter readBytes =
            counter("ottla_log_read_bytes", "Bytes of record batches handed to consumers.");
    private final Counter copiedInBytes =
            counter(
                    "ottla_replication_in_bytes",
                    "Bytes of record batches that came from leaders of partitions.");
    private final Counter copiedOutBytes =
            counter(
                    "ottla_replication_out_bytes",
                    "Bytes of record batches handed to followers of partitions.");
    private final Counter isrShrinks =
            counter(
                    "ottla_isr_shrinks",
                    "Times that a partition led by this broker lost a replica in sync.");
    private final Counter isrExpansions =
            counter(
                    "ottla_isr_expansions",
                    "Times that a partition led by this broker got a replica in sync.");
    private final Counter rejectedFrames =
            counter(
                    "ottla_rejected_frames",
                    "Connections closed because of what they sent, or refused by a limit.",
                    "reason");
    private final LongAdder partitionsOffline = new LongAdder();
    private final Counter coordinatorFailures =
            counter(
                    "ottla_coordinator_failures",
                    "Coordinators that were dropped because of a bug, and read again.");
    private final TelemetryMetrics telemetry =
            new TelemetryMetrics(
                    counter(
                            "ottla_telemetry_pushes",
                            "Pushes of clients' metrics that were taken."),
                    counter(
                            "ottla_telemetry_push_bytes",
                            "Bytes of the pushes that were taken, as they came."),
                    counter(
                            "ottla_telemetry_refused",
                            "Pushes and questions for subscriptions that were refused.",
                            "error"));
    private final CounterDataPoint appendedBytesPoint = appendedBytes.labelValues();
    private final CounterDataPoint appendedRecordsPoint = appendedRecords.labelValues();
    private final DistributionDataPoint syncSecondsPoint = syncSeconds.labelValues();
    private final CounterDataPoint readBytesPoint = readBytes.labelValues();
    private final CounterDataPoint copiedInBytesPoint = copiedInBytes.labelValues();
    private final CounterDataPoint copiedOutBytesPoint = copiedOutBytes.labelValues();

    public BrokerMetrics() {
        gauge(
                "ottla_partitions_offline",
                "Partitions that cannot be used because of their storage or a bug.",
                partitionsOffline::sum);
        gauge(
                "ottla_telemetry_clients",
                "Client instances that asked for subscriptions lately.",
                telemetry::clientCount);
    }

    /// The counters of one API; resolve once and keep.
    public ApiMetrics api(String apiName) {
        return new ApiMetrics(
                requests.labelValues(apiName),
                requestErrors.labelValues(apiName),
                requestBytes.labelValues(apiName),
                responseBytes.labelValues(apiName),
                workSeconds.labelValues(apiName),
                waitSeconds.labelValues(apiName));
    }

    public TelemetryMetrics telemetry() {
        return telemetry;
    }

    /// A file, directory or file system was synced.
    public void synced(long ns) {
        syncSecondsPoint.observe(ns / NS_PER_SECOND);
    }

    /// Batches were appended to a log.
    public void appended(long sizeBytes, long recordCount) {
        appendedBytesPoint.inc(sizeBytes);
        appendedRecordsPoint.inc(recordCount);
    }

    /// Batches were handed to a consumer.
    public void read(long sizeBytes) {
        readBytesPoint.inc(sizeBytes);
    }

    /// Batches were handed to a follower.
    public void copiedOut(long sizeBytes) {
        copiedOutBytesPoint.inc(sizeBytes);
    }

    /// Batches came from a leader.
    public void copiedIn(long sizeBytes) {
        copiedInBytesPoint.inc(sizeBytes);
    }

    /// The ISR of a partition that is led here changed its size.
    public void isrChanged(int sizeBefore, int sizeNow) {
        if (sizeNow < sizeBefore) {
            isrShrinks.inc();
        } else if (sizeNow > sizeBefore) {
            isrExpansions.inc();
        }
    }

    /// So many more partitions cannot be used because of their storage or a bug.
    public void partitionsOffline(int more) {
        partitionsOffline.add(more);
    }

    /// A coordinator was dropped because of a failure of its own.
    public void coordinatorFailed() {
        coordinatorFailures.inc();
    }

    /// A connection was closed because of its input; `reason` is one of a few fixed words.
    public void rejectedFrame(String reason) {
        rejectedFrames.labelValues(reason).inc();
    }

    /// A value that is read whenever the page is asked for. `name` starts with `ottla_` and ends
    /// with its unit.
    public void gauge(String name, String help, DoubleSupplier value) {
        names.add(name);
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call(value.getAsDouble()))
                .register(registry);
    }

    /// A sum that somebody else keeps and that never falls.
    public void total(String name, String help, LongSupplier value) {
        names.add(name + "_total");
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call((double) value.getAsLong()))
                .register(registry);
    }

    /// The names of all metrics as the page shows them, whether they have values yet or not.
    public Set<String> names() {
        return Set.copyOf(names);
    }

    /// Where the HTTP page reads from.
    PrometheusRegistry registry() {
        return registry;
    }

    private Counter counter(String name, String help, String... labels) {
        names.add(name + "_total");
        return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
    }

    private Histogram histogram(String name, String help, String... labels) {
        names.add(name + "_seconds");
        return Histogram.builder()
                .name(name)
                .help(help)
                .unit(Unit.SECONDS)
                .classicOnly()
                .classicUpperBounds(LATENCY_BUCKETS_SECONDS)
                .labelNames(labels)
                .register(registry);
    }
}

package dev.ottla.broker.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;

/// Counters of one API, resolved once so that a request costs a few atomic adds. Thread-safe.
public final class ApiMetrics {
    private static final double NS_PER_SECOND = 1e9;

    private final CounterDataPoint requests;
    private final CounterDataPoint errors;
    private final CounterDataPoint requestBytes;
    private final CounterDataPoint responseBytes;
    private final DistributionDataPoint workSeconds;
    private final DistributionDataPoint waitSeconds;

    ApiMetrics(
            CounterDataPoint requests,
            CounterDataPoint errors,
            CounterDataPoint requestBytes,
            CounterDataPoint responseBytes,
            DistributionDataPoint workSeconds,
            DistributionDataPoint waitSeconds) {
        this.requests = requests;
        this.errors = errors;
        this.requestBytes = requestBytes;
        this.responseBytes = responseBytes;
        this.workSeconds = workSeconds;
        this.waitSeconds = waitSeconds;
    }

    /// One request was read completely.
    public void received(long sizeBytes) {
        requests.inc();
        requestBytes.inc(sizeBytes);
    }

    /// One response was handed to the socket. `workNs` is the time threads spent on the request,
    /// `waitNs` the time it rested (waiting fetch, acknowledgement, rebalance).
    public void answered(long sizeBytes, long workNs, long waitNs) {
        responseBytes.inc(sizeBytes);
        workSeconds.observe(workNs / NS_PER_SECOND);
        waitSeconds.observe(waitNs / NS_PER_SECOND);
    }

    /// The request ended with an error, of all or some of it, or without the answer it asked for.
    public void failed() {
        errors.inc();
    }
}

package dev.ottla.broker.metrics;

import dev.ottla.wire.ErrorCode;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.concurrent.atomic.AtomicInteger;

/// Counters of what clients push. Thread-safe.
public final class TelemetryMetrics {
    private final CounterDataPoint pushes;
    private final CounterDataPoint bytes;
    private final Counter refused;

    /// Written by the telemetry's owner, read when the page is asked for.
    private final AtomicInteger clients = new AtomicInteger();

    TelemetryMetrics(Counter pushes, Counter bytes, Counter refused) {
        this.pushes = pushes.labelValues();
        this.bytes = bytes.labelValues();
        this.refused = refused;
    }

    /// A push was taken.
    public void pushed(long sizeBytes) {
        pushes.inc();
        bytes.inc(sizeBytes);
    }

    /// A push or a question was refused, with one of a few codes.
    public void refused(ErrorCode error) {
        refused.labelValues(error.name()).inc();
    }

    /// So many client instances are remembered.
    public void clients(int count) {
        clients.set(count);
    }

    int clientCount() {
        return clients.get();
    }
}

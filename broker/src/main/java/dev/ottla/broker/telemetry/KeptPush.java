package dev.ottla.broker.telemetry;

import dev.ottla.record.Compression;
import java.nio.ByteBuffer;

/// The newest push of one client, kept until the next. Immutable.
///
/// @param metrics OTLP `MetricsData` in protobuf, compressed; a copy, read-only
/// @param receivedMs monotonic time
public record KeptPush(
        TelemetryClient client, Compression compression, ByteBuffer metrics, long receivedMs) {
    int sizeBytes() {
        return metrics.capacity();
    }
}

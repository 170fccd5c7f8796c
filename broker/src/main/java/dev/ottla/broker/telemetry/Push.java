package dev.ottla.broker.telemetry;

import dev.ottla.record.Compression;
import java.nio.ByteBuffer;
import java.util.Optional;

/// What a client pushes.
///
/// @param subscriptionId that it answers to
/// @param terminating whether it is the client's last push
/// @param compressionId of the codec, which may be none of those that exist
/// @param metrics OTLP `MetricsData` in protobuf, compressed; belongs to the request
public record Push(
        int subscriptionId, boolean terminating, byte compressionId, ByteBuffer metrics) {
    /// Empty when there is no such codec.
    public Optional<Compression> compression() {
        return Compression.forId(compressionId);
    }
}

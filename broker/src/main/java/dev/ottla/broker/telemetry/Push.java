package dev.ottla.broker.telemetry;

import java.nio.ByteBuffer;

/// What a client pushes.
///
/// @param subscriptionId that it answers to
/// @param terminating whether it is the client's last push
/// @param compressionId of the codec, which may be none of those that exist
/// @param metrics OTLP `MetricsData` in protobuf, compressed; belongs to the request
public record Push(
        int subscriptionId, boolean terminating, byte compressionId, ByteBuffer metrics) {}

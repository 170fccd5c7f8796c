package dev.ottla.group.offset;

import java.util.OptionalLong;

/// The settings of committed offsets.
///
/// @param metadataMaxBytes `offset.metadata.max.bytes`; like Kafka it counts characters
/// @param retentionMs `offsets.retention.minutes`, present only when the operator set it: without
///   it offsets stay as long as their topics
/// @param checkIntervalMs `offsets.retention.check.interval.ms`
/// @param maxBatchBytes the most a commit may write at once
public record OffsetSettings(
        int metadataMaxBytes, OptionalLong retentionMs, long checkIntervalMs, int maxBatchBytes) {
    public static final OffsetSettings DEFAULT =
            new OffsetSettings(4096, OptionalLong.empty(), 600_000, 1_048_576);
}

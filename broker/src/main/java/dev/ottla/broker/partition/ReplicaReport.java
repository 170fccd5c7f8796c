package dev.ottla.broker.partition;

import dev.ottla.wire.Uuid;

/// One log of a partition on this broker: the one that is used, or the copy that a move makes in
/// another directory.
///
/// @param directory that holds it
/// @param sizeBytes of its segments
/// @param offsetLag what a copy lacks of its original
/// @param isCopy whether it is a copy
public record ReplicaReport(
        PartitionKey key, Uuid directory, long sizeBytes, long offsetLag, boolean isCopy) {}

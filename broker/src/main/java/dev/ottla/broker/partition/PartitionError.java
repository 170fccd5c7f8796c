package dev.ottla.broker.partition;

import dev.ottla.wire.ErrorCode;

/// Why a partition does not do what it was asked.
///
/// @param message a sentence for the client that names the partition
public record PartitionError(ErrorCode code, String message) {}

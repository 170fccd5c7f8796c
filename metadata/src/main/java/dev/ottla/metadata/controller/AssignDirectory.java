package dev.ottla.metadata.controller;

import dev.ottla.wire.Uuid;

/// The directory that holds a broker's replica of a partition.
///
/// @param directory one of the broker's online ones, or [dev.ottla.metadata.Directories#LOST] when
///   the replica is gone from where it was
public record AssignDirectory(PartitionId partition, Uuid directory) {}

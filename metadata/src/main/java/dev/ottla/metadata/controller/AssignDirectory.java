package dev.ottla.metadata.controller;

import dev.ottla.wire.Uuid;

/// The directory in which a broker holds its replica of a partition from now on.
public record AssignDirectory(PartitionId partition, Uuid directory) {}

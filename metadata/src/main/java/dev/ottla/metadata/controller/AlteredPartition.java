package dev.ottla.metadata.controller;

import dev.ottla.metadata.image.PartitionState;
import java.util.Optional;

/// What became of one [AlterPartition].
///
/// @param state of the partition now; empty when the change was refused
public record AlteredPartition(
        PartitionId partition, ApiError error, Optional<PartitionState> state) {}

package dev.ottla.metadata.controller;

import java.util.List;
import java.util.Optional;

/// Where the replicas of a partition shall be (KIP-455).
///
/// @param replicas in order of preference; empty to end the reassignment that is going on and go
///   back
public record ReassignPartition(NamedPartition partition, Optional<List<Integer>> replicas) {
    public ReassignPartition {
        replicas = replicas.map(List::copyOf);
    }
}

package dev.ottla.log;

import java.util.List;

/// What became of the opening of a log.
public sealed interface LoadOutcome {
    /// Ready, all of it durable. `repairs` tell in words what was cut off or rebuilt.
    record Ready(PartitionLog log, List<String> repairs) implements LoadOutcome {}

    /// The log is damaged in a way that would lose records that were kept before, or its directory
    /// is offline. Other logs are not concerned.
    record Failed(PartitionId id, String reason) implements LoadOutcome {}
}

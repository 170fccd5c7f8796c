package dev.ottla.log;

import java.util.List;

/// What became of the opening of a log.
public sealed interface LoadOutcome {
    /// Ready, all of it durable. `repairs` tell in words what was cut off or rebuilt.
    record Ready(PartitionLog log, List<String> repairs) implements LoadOutcome {}

    /// The log is damaged in a way that would lose records that were kept before, or its directory
    /// is offline. Other logs are not concerned.
    ///
    /// @param damaged whether the bytes on disk are not what was written there: trying again is of
    ///   no use
    record Failed(PartitionId id, String reason, boolean damaged) implements LoadOutcome {
        Failed(PartitionId id, String reason) {
            this(id, reason, false);
        }
    }
}

package dev.ottla.broker.partition;

import dev.ottla.metadata.controller.AlterPartition;
import dev.ottla.metadata.controller.AlteredPartition;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Asks the active controller to change ISRs. Thread-safe.
public interface IsrChanges {
    /// For a broker that has no controller to ask.
    IsrChanges NONE =
            _ ->
                    CompletableFuture.failedFuture(
                            new IllegalStateException("this broker asks no controller"));

    /// Completes on any thread: with what became of each change, or with a failure when that is
    /// open. The latter are sent again.
    CompletableFuture<List<AlteredPartition>> alter(List<AlterPartition> changes);
}

package dev.ottla.broker.replica;

import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.AssignDirectory;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Asks the active controller to note in which directories replicas are. Thread-safe.
public interface DirectoryAssignments {
    /// Completes on any thread, with one answer for each of `requests` in their order, or with a
    /// failure when it is open what became of them.
    CompletableFuture<List<ApiError>> assign(List<AssignDirectory> requests);
}

package dev.ottla.broker.coordinator;

import dev.ottla.group.GroupCoordinator;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import java.util.List;

/// The way from a request to the group coordinators of this broker. Thread-safe: operations are
/// posted to the shard that owns the coordinator.
public interface GroupCoordinators {
    /// What to do with a coordinator, on its shard.
    interface Operation<T> {
        void run(GroupCoordinator coordinator, Reply<T> reply, long nowMs);
    }

    /// What came of an operation on all coordinators.
    ///
    /// @param results one for each coordinator that is loaded
    /// @param refusals one for each that refused or is loading; coordinators of other brokers don't
    ///   count
    record All<T>(List<T> results, List<Refusal> refusals) {
        public All {
            results = List.copyOf(results);
            refusals = List.copyOf(refusals);
        }
    }

    /// The partition of `__consumer_offsets` that a group belongs to.
    int partitionOf(String groupId);

    /// Runs `operation` on the coordinator of `groupId`. Refuses with NOT_COORDINATOR when it is
    /// another broker's, COORDINATOR_LOAD_IN_PROGRESS while it is read, COORDINATOR_NOT_AVAILABLE
    /// when there is none, or no room on its disk.
    <T> void call(String groupId, Operation<T> operation, Reply<T> reply);

    /// The same for an operation that writes no records: it goes on when the disk is full.
    <T> void read(String groupId, Operation<T> operation, Reply<T> reply);

    /// Runs `operation` on every coordinator here and completes `reply` when all have answered.
    <T> void callAll(Operation<T> operation, Reply<All<T>> reply);
}

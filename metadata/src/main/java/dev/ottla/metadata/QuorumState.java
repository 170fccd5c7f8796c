package dev.ottla.metadata;

import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;

/// The quorum behind the metadata log, as DescribeQuorum shows it.
///
/// @param leaderId node id of the active controller, or -1
/// @param highWatermark exclusive end of what is committed
public record QuorumState(
        int leaderId,
        int leaderEpoch,
        long highWatermark,
        List<Replica> voters,
        List<Replica> observers) {
    public QuorumState {
        voters = List.copyOf(voters);
        observers = List.copyOf(observers);
    }

    /// The same with more observers, those left out that are named already.
    public QuorumState withObservers(List<Replica> copying) {
        List<Replica> newObservers = new ArrayList<>(observers);
        copying.stream()
                .filter(replica -> voters.stream().noneMatch(replica::isSame))
                .filter(replica -> observers.stream().noneMatch(replica::isSame))
                .forEach(newObservers::add);
        return new QuorumState(leaderId, leaderEpoch, highWatermark, voters, newObservers);
    }

    /// A copy of the metadata log.
    ///
    /// @param directoryId of the directory that holds it
    /// @param logEndOffset exclusive; -1 when unknown
    /// @param lastFetchTimestampMs when it last asked for records; -1 when unknown
    /// @param lastCaughtUpTimestampMs when it last had everything; -1 when unknown
    public record Replica(
            int nodeId,
            Uuid directoryId,
            long logEndOffset,
            long lastFetchTimestampMs,
            long lastCaughtUpTimestampMs) {
        private boolean isSame(Replica other) {
            return nodeId == other.nodeId && directoryId.equals(other.directoryId);
        }
    }
}

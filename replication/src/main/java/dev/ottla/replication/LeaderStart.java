package dev.ottla.replication;

import static dev.ottla.wire.Check.check;

import java.util.List;
import java.util.Set;

/// What a broker knows when it begins to lead a partition. Immutable.
///
/// @param brokerId the leader itself
/// @param leaderEpoch the epoch under which it leads; every epoch has one leader in one incarnation
/// @param membership the assignment and the committed ISR, the leader in both
/// @param minInSyncReplicas the topic's `min.insync.replicas`
/// @param logEndOffset exclusive end of the leader's log; the epoch starts here
/// @param flushedEndOffset exclusive end of what counts as safe on the leader: on disk under
///   `flush.policy=fsync`, written under `page-cache`
/// @param highWatermark exclusive; the last one this replica knew, never past the flushed end of
///   the old ISR
/// @param maxLagMs `replica.lag.time.max.ms`
/// @param certainMs an in-sync follower that followed this long ago is not the leader yet: less
///   than it takes the controller to give up a broker that stands still or is cut off
/// @param nowMs monotonic time
public record LeaderStart(
        int brokerId,
        int leaderEpoch,
        Membership membership,
        int minInSyncReplicas,
        long logEndOffset,
        long flushedEndOffset,
        long highWatermark,
        long maxLagMs,
        long certainMs,
        long nowMs) {

    /// Who holds a partition, as the controller committed it. Immutable.
    ///
    /// @param partitionEpoch grows with each change
    /// @param replicas the assignment
    /// @param isr the in-sync ones
    public record Membership(int partitionEpoch, List<Integer> replicas, Set<Integer> isr) {
        public Membership {
            replicas = List.copyOf(replicas);
            isr = Set.copyOf(isr);
            check(
                    replicas.containsAll(isr),
                    "ISR %s has members outside the replicas %s",
                    isr,
                    replicas);
        }

        void checkLeader(int brokerId) {
            check(
                    isr.contains(brokerId),
                    "broker %s leads but is not in the ISR %s",
                    brokerId,
                    isr);
        }
    }

    public LeaderStart {
        membership.checkLeader(brokerId);
        check(minInSyncReplicas > 0, "min.insync.replicas is %s", minInSyncReplicas);
        check(
                highWatermark <= logEndOffset && flushedEndOffset <= logEndOffset,
                "high watermark %s and flushed end %s must not pass the log end %s",
                highWatermark,
                flushedEndOffset,
                logEndOffset);
    }
}

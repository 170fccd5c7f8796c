package dev.ottla.replication;

import static dev.ottla.wire.Check.check;

import java.util.List;
import java.util.Set;

/// What a broker knows when it begins to lead a partition. Immutable.
///
/// @param brokerId the leader itself
/// @param leaderEpoch the epoch under which it leads; every epoch has one leader in one incarnation
/// @param replicas the assignment, the leader included
/// @param isr the committed in-sync replicas, the leader included
/// @param minInSyncReplicas the topic's `min.insync.replicas`
/// @param logEndOffset exclusive end of the leader's log; the epoch starts here
/// @param flushedEndOffset exclusive end of what counts as safe on the leader: on disk under
///   `flush.policy=fsync`, written under `page-cache`
/// @param highWatermark exclusive; the last one this replica knew, never past the flushed end of
///   the old ISR
public record LeaderStart(
        int brokerId,
        int leaderEpoch,
        List<Integer> replicas,
        Set<Integer> isr,
        int minInSyncReplicas,
        long logEndOffset,
        long flushedEndOffset,
        long highWatermark) {

    public LeaderStart {
        replicas = List.copyOf(replicas);
        isr = Set.copyOf(isr);
        check(
                replicas.contains(brokerId),
                "broker %s leads but is no replica of %s",
                brokerId,
                replicas);
        check(isr.contains(brokerId), "broker %s leads but is not in the ISR %s", brokerId, isr);
        check(
                replicas.containsAll(isr),
                "ISR %s has members outside the replicas %s",
                isr,
                replicas);
        check(minInSyncReplicas > 0, "min.insync.replicas is %s", minInSyncReplicas);
        check(
                highWatermark <= logEndOffset && flushedEndOffset <= logEndOffset,
                "high watermark %s and flushed end %s must not pass the log end %s",
                highWatermark,
                flushedEndOffset,
                logEndOffset);
    }
}

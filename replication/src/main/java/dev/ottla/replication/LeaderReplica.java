package dev.ottla.replication;

import static dev.ottla.wire.Check.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The leader's view of one partition within one leader epoch: what each replica has made safe, and
/// from that the high watermark. Owned by the partition's shard thread; dropped when the epoch
/// ends.
///
/// The high watermark is the smallest flushed end offset over the *maximal* ISR: the committed ISR
/// plus additions that were proposed to the controller. A removal counts only once the controller
/// committed it, so no view of the ISR that can still become the truth misses a record below the
/// high watermark. It stands still while the committed ISR has fewer than `min.insync.replicas`
/// members (KIP-966): the controller may then elect a replica that left the ISR, and that one holds
/// only what was below the high watermark when it left. It never goes back.
///
/// | event | changes | effect |
/// |---|---|---|
/// | `onAppended` | log end offset | – |
/// | `onDropped` | log end offset, back | – |
/// | `onFlushed` | the leader's flushed end offset | maybe `highWatermarkAdvanced` |
/// | `onFollowerFetch` | that follower's flushed end offset | maybe `highWatermarkAdvanced` |
/// | `onIsrProposed` | additions join the maximal ISR, removals stay | – |
/// | `onIsrCommitted` | the committed ISR; the proposal is gone | maybe `highWatermarkAdvanced` |
/// | `onIsrRejected` | the proposal is gone, its additions leave | maybe `highWatermarkAdvanced` |
/// | `onMinInSyncReplicas` | the bound | maybe `highWatermarkAdvanced` |
///
/// Sources: KIP-966 (eligible leader replicas), KIP-497 (alter ISR) and the design, section 6.
public final class LeaderReplica {

    /// What the shell must do, in the order of the calls.
    public interface Effects {
        /// Records below `highWatermark` (exclusive) are safe on every in-sync replica: consumers
        /// may see them and waiting producers may be answered.
        void highWatermarkAdvanced(long highWatermark);
    }

    private final int brokerId;
    private final int leaderEpoch;
    private final long epochStartOffset;
    private final List<Replica> replicas;
    private Set<Integer> committedIsr;
    private boolean isrProposed;
    private int minInSyncReplicas;
    private long logEndOffset;
    private long highWatermark;

    public LeaderReplica(LeaderStart start) {
        brokerId = start.brokerId();
        leaderEpoch = start.leaderEpoch();
        epochStartOffset = start.logEndOffset();
        logEndOffset = start.logEndOffset();
        highWatermark = start.highWatermark();
        minInSyncReplicas = start.minInSyncReplicas();
        committedIsr = start.isr();
        replicas = new ArrayList<>(start.replicas().size());
        for (int id : start.replicas()) {
            Replica replica = new Replica(id, start.isr().contains(id));
            replica.flushedEndOffset = id == brokerId ? start.flushedEndOffset() : Replica.UNKNOWN;
            replicas.add(replica);
        }
    }

    /// Settles the high watermark that the start allows; call once, before the first event.
    public void begin(Effects effects) {
        maybeAdvanceHighWatermark(effects);
    }

    /// The leader's log now ends at `newLogEndOffset` (exclusive); nothing of the addition is safe
    /// yet.
    public void onAppended(long newLogEndOffset) {
        check(
                newLogEndOffset >= logEndOffset,
                "log end %s would fall to %s",
                logEndOffset,
                newLogEndOffset);
        logEndOffset = newLogEndOffset;
    }

    /// Records from `fromOffset` on could not be written and were taken back: nothing of them was
    /// safe anywhere.
    public void onDropped(long fromOffset) {
        check(
                fromOffset <= logEndOffset,
                "dropped from %s, past the log end %s",
                fromOffset,
                logEndOffset);
        for (Replica replica : replicas) {
            check(
                    replica.flushedEndOffset <= fromOffset,
                    "broker %s holds records up to %s of those dropped from %s",
                    replica.brokerId,
                    replica.flushedEndOffset,
                    fromOffset);
        }
        logEndOffset = fromOffset;
    }

    /// The leader's own log is safe below `flushedEndOffset` (exclusive).
    public void onFlushed(long flushedEndOffset, Effects effects) {
        check(
                flushedEndOffset <= logEndOffset,
                "flushed to %s, past the log end %s",
                flushedEndOffset,
                logEndOffset);
        Replica leader = replica(brokerId);
        if (flushedEndOffset > leader.flushedEndOffset) {
            leader.flushedEndOffset = flushedEndOffset;
            maybeAdvanceHighWatermark(effects);
        }
    }

    /// A follower asks for records from `fetchOffset` on, so everything below is safe on it. Its
    /// offset may fall: a follower that lost its disk starts again.
    public void onFollowerFetch(int followerId, long fetchOffset, Effects effects) {
        check(followerId != brokerId, "broker %s fetches from itself", brokerId);
        check(
                fetchOffset <= logEndOffset,
                "broker %s fetches %s, past end %s",
                followerId,
                fetchOffset,
                logEndOffset);
        replica(followerId).flushedEndOffset = fetchOffset;
        maybeAdvanceHighWatermark(effects);
    }

    /// The controller was asked to make `isr` the in-sync replicas. Whether it agrees is open, so
    /// additions count at once and removals not yet.
    public void onIsrProposed(Set<Integer> isr) {
        check(!isrProposed, "an ISR proposal is already under way, now %s", isr);
        check(
                isr.contains(brokerId),
                "leader %s proposes an ISR without itself: %s",
                brokerId,
                isr);
        isrProposed = true;
        for (Replica replica : replicas) {
            replica.inMaximalIsr =
                    committedIsr.contains(replica.brokerId) || isr.contains(replica.brokerId);
        }
    }

    /// The controller committed `isr`, as proposed or on its own account.
    public void onIsrCommitted(Set<Integer> isr, Effects effects) {
        check(isr.contains(brokerId), "leader %s is outside the committed ISR %s", brokerId, isr);
        committedIsr = Set.copyOf(isr);
        settleIsr(effects);
    }

    /// The controller refused the proposal: the committed ISR stands.
    public void onIsrRejected(Effects effects) {
        check(isrProposed, "no ISR proposal is under way");
        settleIsr(effects);
    }

    /// The topic's `min.insync.replicas` changed.
    public void onMinInSyncReplicas(int newMinInSyncReplicas, Effects effects) {
        check(newMinInSyncReplicas > 0, "min.insync.replicas is %s", newMinInSyncReplicas);
        minInSyncReplicas = newMinInSyncReplicas;
        maybeAdvanceHighWatermark(effects);
    }

    /// Whether a produce request with acks=all may be appended: the committed ISR has the members
    /// that the topic demands (error NOT_ENOUGH_REPLICAS otherwise).
    public boolean hasEnoughReplicas() {
        return committedIsr.size() >= effectiveMinInSyncReplicas();
    }

    /// Whether `followerId` may be proposed for the ISR: it holds everything below the high
    /// watermark and reached the start of this leader's epoch.
    public boolean mayJoinIsr(int followerId) {
        long end = replica(followerId).flushedEndOffset;
        return end >= highWatermark && end >= epochStartOffset;
    }

    public int leaderEpoch() {
        return leaderEpoch;
    }

    /// Where this leader's epoch begins (inclusive).
    public long epochStartOffset() {
        return epochStartOffset;
    }

    /// Exclusive.
    public long logEndOffset() {
        return logEndOffset;
    }

    /// Exclusive; only grows.
    public long highWatermark() {
        return highWatermark;
    }

    public Set<Integer> isr() {
        return committedIsr;
    }

    /// The committed ISR and the additions under way, ascending.
    public Set<Integer> maximalIsr() {
        Set<Integer> members = new TreeSet<>();
        for (Replica replica : replicas) {
            if (replica.inMaximalIsr) {
                members.add(replica.brokerId);
            }
        }
        return members;
    }

    /// What must hold after every event; for simulation.
    public void checkInvariants() {
        check(
                highWatermark <= logEndOffset,
                "high watermark %s past log end %s",
                highWatermark,
                logEndOffset);
        check(
                maximalIsr().containsAll(committedIsr),
                "maximal ISR %s misses some of %s",
                maximalIsr(),
                committedIsr);
        check(replica(brokerId).inMaximalIsr, "leader %s is outside its own ISR", brokerId);
        check(
                isrProposed || maximalIsr().equals(new HashSet<>(committedIsr)),
                "additions without a proposal");
    }

    private void settleIsr(Effects effects) {
        isrProposed = false;
        for (Replica replica : replicas) {
            replica.inMaximalIsr = committedIsr.contains(replica.brokerId);
        }
        maybeAdvanceHighWatermark(effects);
    }

    private void maybeAdvanceHighWatermark(Effects effects) {
        if (!hasEnoughReplicas()) {
            return;
        }
        long safe = Long.MAX_VALUE;
        for (Replica replica : replicas) {
            if (replica.inMaximalIsr) {
                safe = Math.min(safe, replica.flushedEndOffset);
            }
        }
        if (safe > highWatermark) {
            highWatermark = safe;
            effects.highWatermarkAdvanced(safe);
        }
    }

    /// A topic with fewer replicas than it demands in sync would never accept anything, so the
    /// assignment is the upper bound.
    private int effectiveMinInSyncReplicas() {
        return Math.min(minInSyncReplicas, replicas.size());
    }

    private Replica replica(int id) {
        for (Replica replica : replicas) {
            if (replica.brokerId == id) {
                return replica;
            }
        }
        throw new IllegalArgumentException("broker " + id + " holds no replica of this partition");
    }

    /// One member of the assignment.
    private static final class Replica {
        static final long UNKNOWN = -1;

        final int brokerId;
        boolean inMaximalIsr;
        long flushedEndOffset;

        Replica(int brokerId, boolean inMaximalIsr) {
            this.brokerId = brokerId;
            this.inMaximalIsr = inMaximalIsr;
        }
    }
}

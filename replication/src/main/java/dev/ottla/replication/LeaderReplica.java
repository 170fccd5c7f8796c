package dev.ottla.replication;

import static dev.ottla.wire.Check.check;

import dev.ottla.replication.LeaderStart.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The leader's view of one partition within one leader epoch: what each replica has made safe,
/// from that the high watermark, and who is in sync. Owned by the partition's shard thread; dropped
/// when the epoch ends.
///
/// The high watermark is the smallest flushed end offset over the *maximal* ISR: the committed ISR
/// plus additions that were proposed to the controller. A removal counts only once the controller
/// committed it, so no view of the ISR that can still become the truth misses a record below the
/// high watermark. It stands still while the committed ISR has fewer than `min.insync.replicas`
/// members (KIP-966): the controller may then elect a replica that left the ISR, and that one holds
/// only what was below the high watermark when it left. It never goes back.
///
/// A member that was not caught up for longer than `replica.lag.time.max.ms` is proposed for
/// removal. A replica joins that holds everything below the high watermark, has reached the start
/// of this epoch, is of the incarnation that is registered, has room on its disk, and lags no more
/// than half of what would have it removed: one that only just keeps up does not come and go. Under
/// load the high watermark may always be a little ahead of one that is otherwise ready. Then it is
/// *awaited*: it counts as if it had been proposed, so that the high watermark waits for it, for a
/// second at most.
///
/// | event | changes | effects |
/// |---|---|---|
/// | `onAppended` | log end offset | – |
/// | `onDropped` | log end offset, back | – |
/// | `onFlushed` | the leader's flushed end offset | maybe `highWatermarkAdvanced` |
/// | `onFollowerFetch` | that follower's flushed end offset | maybe `highWatermarkAdvanced`, maybe `isrProposed` |
/// | `checkLag` | – | maybe `isrProposed` |
/// | `onMembership` | the committed ISR; the proposal is settled | maybe `highWatermarkAdvanced` |
/// | `onRefused` | the proposal is gone, its additions leave | maybe `highWatermarkAdvanced` |
/// | `onMinInSyncReplicas` | the bound | maybe `highWatermarkAdvanced` |
///
/// There is one proposal at a time. It stands until the controller committed a later state of the
/// partition or refused it: one whose answer did not come may have been taken, so the shell sends
/// the same again ([#proposal]).
///
/// Sources: KIP-966 (eligible leader replicas), KIP-497 (alter ISR), KIP-903 (broker epochs) and
/// the design, section 6.
public final class LeaderReplica {

    /// What the shell must do, in the order of the calls.
    public interface Effects {
        /// Records below `highWatermark` (exclusive) are safe on every in-sync replica: consumers
        /// may see them and waiting producers may be answered.
        void highWatermarkAdvanced(long highWatermark);

        /// The controller must be asked for this ISR.
        void isrProposed(IsrProposal proposal);
    }

    /// A refused proposal is not followed by another one for so long.
    private static final long PAUSE_MS = 500;

    /// A follower that is awaited comes within this time or not at all.
    private static final long PATIENCE_MS = 1_000;

    /// One that did not come is not awaited again for so long.
    private static final long PAUSE_AFTER_AWAITED_MS = 10_000;

    private final int brokerId;
    private final int leaderEpoch;
    private final long epochStartOffset;
    private final long maxLagMs;
    private final long certainMs;
    private final ActiveBrokers active;
    private List<Replica> replicas = List.of();
    private Membership committed;
    private @Nullable IsrProposal proposal;
    private @Nullable Replica awaited;
    private long awaitedSinceMs;
    private long noAwaitingBeforeMs;
    private long noProposalBeforeMs;
    private int minInSyncReplicas;
    private long logEndOffset;
    private long highWatermark;

    public LeaderReplica(LeaderStart start, ActiveBrokers active) {
        this.active = active;
        brokerId = start.brokerId();
        leaderEpoch = start.leaderEpoch();
        maxLagMs = start.maxLagMs();
        certainMs = start.certainMs();
        epochStartOffset = start.logEndOffset();
        logEndOffset = start.logEndOffset();
        highWatermark = start.highWatermark();
        minInSyncReplicas = start.minInSyncReplicas();
        noProposalBeforeMs = start.nowMs();
        noAwaitingBeforeMs = start.nowMs();
        committed = start.membership();
        replicas = replicas(committed, start.nowMs());
        replica(brokerId).flushedEndOffset = start.flushedEndOffset();
    }

    /// The assignment with what is known of each member.
    private List<Replica> replicas(Membership membership, long nowMs) {
        List<Replica> next = new ArrayList<>(membership.replicas().size());
        for (int id : membership.replicas()) {
            boolean inSync = membership.isr().contains(id);
            Replica known = find(id);
            if (known == null) {
                next.add(new Replica(id, inSync, nowMs));
            } else {
                known.inMaximalIsr = inSync;
                next.add(known);
            }
        }
        return next;
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

    /// Whether this incarnation may fetch: the broker holds a replica, and no later incarnation of
    /// it is known.
    public boolean accepts(int followerId, long followerEpoch) {
        Replica follower = find(followerId);
        return follower != null
                && followerId != brokerId
                && followerEpoch >= active.registeredEpochOf(followerId);
    }

    /// A follower, whose fetch is accepted and whose records are those of this log as far as they
    /// go, asks for records from its fetch offset on: everything below is safe on it. Its offset
    /// may fall: a follower that lost its disk starts again. What an incarnation says that is not
    /// known yet counts when its registration is known, if it ever is (KIP-903).
    public void onFollowerFetch(FollowerFetch fetch, long nowMs, Effects effects) {
        check(
                accepts(fetch.brokerId(), fetch.brokerEpoch()),
                "broker %s of epoch %s has no replica here",
                fetch.brokerId(),
                fetch.brokerEpoch());
        check(
                fetch.fetchOffset() <= logEndOffset,
                "broker %s fetches %s, past end %s",
                fetch.brokerId(),
                fetch.fetchOffset(),
                logEndOffset);
        if (fetch.brokerEpoch() != active.registeredEpochOf(fetch.brokerId())) {
            return;
        }
        Replica follower = replica(fetch.brokerId());
        follower.onFetch(fetch, logEndOffset, nowMs);
        maybeAdvanceHighWatermark(effects);
        boolean outside = !follower.inMaximalIsr || follower == awaited;
        if (outside && mayPropose(nowMs) && isReady(follower, nowMs)) {
            if (hasHighWatermark(follower)) {
                propose(nowMs, effects);
            } else if (awaited == null && nowMs >= noAwaitingBeforeMs) {
                awaited = follower;
                awaitedSinceMs = nowMs;
                follower.inMaximalIsr = true;
            }
        }
    }

    /// Looks whether members of the ISR have fallen behind; to be called from time to time.
    public void checkLag(long nowMs, Effects effects) {
        if (awaited != null && nowMs - awaitedSinceMs > PATIENCE_MS) {
            noAwaitingBeforeMs = nowMs + PAUSE_AFTER_AWAITED_MS;
            onlyCommitted(effects);
        }
        if (mayPropose(nowMs)) {
            propose(nowMs, effects);
        }
    }

    private boolean mayPropose(long nowMs) {
        return proposal == null && nowMs >= noProposalBeforeMs;
    }

    private void propose(long nowMs, Effects effects) {
        Map<Integer, Long> members = new TreeMap<>();
        for (Replica replica : replicas) {
            if (replica.brokerId == brokerId) {
                members.put(brokerId, active.epochOf(brokerId));
            } else if (committed.isr().contains(replica.brokerId)
                    ? replica.lagMs(logEndOffset, nowMs) <= maxLagMs
                    : isReady(replica, nowMs) && hasHighWatermark(replica)) {
                members.put(replica.brokerId, replica.brokerEpoch);
            }
        }
        if (members.keySet().equals(committed.isr())) {
            return;
        }
        IsrProposal next = new IsrProposal(leaderEpoch, committed.partitionEpoch(), members);
        proposal = next;
        awaited = null;
        // Whether the controller agrees is open: additions count at once and removals not yet.
        for (Replica replica : replicas) {
            replica.inMaximalIsr =
                    members.containsKey(replica.brokerId)
                            || committed.isr().contains(replica.brokerId);
        }
        effects.isrProposed(next);
    }

    private boolean isReady(Replica follower, long nowMs) {
        return follower.flushedEndOffset >= epochStartOffset
                && follower.brokerEpoch != Replica.UNKNOWN
                && follower.brokerEpoch == active.epochOf(follower.brokerId)
                && active.hasRoom(follower.brokerId)
                && follower.lagMs(logEndOffset, nowMs) <= maxLagMs / 2;
    }

    private boolean hasHighWatermark(Replica follower) {
        return follower.flushedEndOffset >= highWatermark;
    }

    /// The controller committed a state of the partition under this leader epoch, on a proposal or
    /// on its own account. One that is not newer than what is known changes nothing.
    public void onMembership(Membership membership, long nowMs, Effects effects) {
        if (membership.partitionEpoch() <= committed.partitionEpoch()) {
            return;
        }
        membership.checkLeader(brokerId);
        committed = membership;
        proposal = null; // Made for an earlier state: if it was not taken by now it never is.
        awaited = null;
        replicas = replicas(membership, nowMs);
        maybeAdvanceHighWatermark(effects);
    }

    /// The controller will never take the proposal: the committed ISR stands. Does nothing when
    /// that proposal was settled before.
    public void onRefused(IsrProposal refused, long nowMs, Effects effects) {
        if (!refused.equals(proposal)) {
            return;
        }
        proposal = null;
        noProposalBeforeMs = nowMs + PAUSE_MS;
        onlyCommitted(effects);
    }

    private void onlyCommitted(Effects effects) {
        awaited = null;
        for (Replica replica : replicas) {
            replica.inMaximalIsr = committed.isr().contains(replica.brokerId);
        }
        maybeAdvanceHighWatermark(effects);
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
        return committed.isr().size() >= effectiveMinInSyncReplicas();
    }

    /// Whether no other broker can have taken over while this one stood still or was cut off:
    /// either the controller counted on it a moment ago, or whoever could have taken over was still
    /// following. Before a leader says that something is missing or outdated for good, or where its
    /// partition ends, it must be certain.
    public boolean isCertain(long nowMs) {
        if (active.isBlind() && replicas.size() > 1) {
            return false;
        }
        return active.isConfirmed() || isFollowedByAllWhoCouldLead(nowMs);
    }

    /// With fewer in sync than the topic demands, replicas that left the ISR are still eligible
    /// (KIP-966), and who they are only the controller knows.
    private boolean isFollowedByAllWhoCouldLead(long nowMs) {
        if (!hasEnoughReplicas()) {
            return false;
        }
        for (Replica replica : replicas) {
            if (replica.brokerId != brokerId
                    && committed.isr().contains(replica.brokerId)
                    && replica.silentMs(nowMs) > certainMs) {
                return false;
            }
        }
        return true;
    }

    /// What the controller has not answered yet.
    public Optional<IsrProposal> proposal() {
        return Optional.ofNullable(proposal);
    }

    /// How far `followerId` is known to have come; -1 when it was not heard of.
    public long flushedEndOffset(int followerId) {
        Replica follower = find(followerId);
        return follower == null ? Replica.UNKNOWN : follower.flushedEndOffset;
    }

    /// The first offset that some living replica still has; -1 as long as one of them has not
    /// fetched. Records below were deleted everywhere where they can be read from.
    ///
    /// @param logStartOffset of the leader's own log
    public long lowWatermark(long logStartOffset) {
        long lowest = logStartOffset;
        for (Replica replica : replicas) {
            if (replica.brokerId != brokerId
                    && active.epochOf(replica.brokerId) != ActiveBrokers.NOT_ACTIVE) {
                lowest = Math.min(lowest, replica.logStartOffset);
            }
        }
        return lowest;
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
        return committed.isr();
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
                maximalIsr().containsAll(committed.isr()),
                "maximal ISR %s misses some of %s",
                maximalIsr(),
                committed.isr());
        check(replica(brokerId).inMaximalIsr, "leader %s is outside its own ISR", brokerId);
        check(
                proposal != null || awaited != null || maximalIsr().equals(committed.isr()),
                "additions without a proposal");
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
        Replica found = find(id);
        if (found == null) {
            throw new IllegalArgumentException(
                    "broker " + id + " holds no replica of this partition");
        }
        return found;
    }

    private @Nullable Replica find(int id) {
        for (Replica replica : replicas) {
            if (replica.brokerId == id) {
                return replica;
            }
        }
        return null;
    }
}

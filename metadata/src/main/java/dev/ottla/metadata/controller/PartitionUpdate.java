package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.MetadataRecord.PartitionChange;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;

/// Works out one change of one partition: who leaves or enters the ISR, who leads then, and who
/// stays eligible (KIP-966). Used once.
///
/// What always holds afterwards: the leader is in the ISR; the ISR is never empty, so a partition
/// whose last in-sync replica is away keeps it there and has leader -1; a leader is elected only
/// from the ISR, else from the eligible leader replicas, else, where the topic allows it, from any
/// replica. A change that takes leadership or names a leader raises the leader epoch.
final class PartitionUpdate {
    private final Uuid topicId;
    private final int partition;
    private final PartitionState state;
    private final ElectionRules rules;
    private final Set<Integer> lost = new HashSet<>();
    private BrokerIds isr;
    private BrokerIds elr;
    private List<Uuid> directories;
    private boolean leaderMustChange;
    private boolean preferFirst;
    private boolean recovering;
    private boolean uncleanlyElected;

    /// What elections in a topic go by.
    ///
    /// @param canLead whether the replica on this broker can lead: the broker is active and the
    ///   replica's directory online
    /// @param minInsyncReplicas of the topic
    /// @param elrEnabled whether eligible leader replicas are kept
    record ElectionRules(
            IntPredicate canLead,
            int minInsyncReplicas,
            boolean elrEnabled,
            boolean uncleanAllowed) {}

    PartitionUpdate(Uuid topicId, int partition, PartitionState state, ElectionRules rules) {
        this.topicId = topicId;
        this.partition = partition;
        this.state = state;
        this.rules = rules;
        this.isr = state.isr();
        this.elr = state.elr();
        this.directories = state.directories();
        this.recovering = state.recovering();
    }

    /// The broker's replica is out of sync from now on, unless it is the last in-sync one. It may
    /// stay eligible, for what it had is still on its disk.
    PartitionUpdate leaveIsr(int brokerId) {
        if (isr.size() > 1) isr = isr.without(brokerId);
        return this;
    }

    /// The broker's replica is lost or doubtful: it leaves the ISR and the eligible replicas while
    /// another member remains in either.
    PartitionUpdate lose(int brokerId) {
        boolean another =
                isr.stream().anyMatch(id -> id != brokerId)
                        || elr.stream().anyMatch(id -> id != brokerId);
        if (!another) return this;
        lost.add(brokerId);
        elr = elr.without(brokerId);
        if (isr.size() > 1) {
            isr = isr.without(brokerId);
        } else if (isr.has(brokerId)) {
            // The eligible replicas hold all that is committed, so they are what is in sync.
            isr = elr;
            elr = BrokerIds.NONE;
        }
        return this;
    }

    /// Whoever leads now must be elected anew, the same broker included.
    PartitionUpdate electAnew() {
        leaderMustChange = true;
        return this;
    }

    PartitionUpdate preferFirstReplica() {
        preferFirst = true;
        return this;
    }

    PartitionUpdate isr(BrokerIds newIsr) {
        isr = newIsr;
        return this;
    }

    PartitionUpdate directories(List<Uuid> newDirectories) {
        directories = newDirectories;
        return this;
    }

    PartitionUpdate recovering(boolean nowRecovering) {
        recovering = nowRecovering;
        return this;
    }

    /// The change, or nothing when all stays as it is.
    Optional<PartitionChange> build() {
        BrokerIds before = isr;
        OptionalInt leader = electIfNeeded();
        BrokerIds eligible = eligible(before);
        PartitionChange change =
                new PartitionChange(
                        topicId,
                        partition,
                        changed(state.isr(), isr),
                        leader,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        changed(state.recovering(), recovering),
                        changed(state.directories(), directories),
                        changed(state.elr(), eligible),
                        Optional.empty());
        return isChange(change) ? Optional.of(change) : Optional.empty();
    }

    private OptionalInt electIfNeeded() {
        int present = state.leader();
        boolean stays = state.hasLeader() && !leaderMustChange && isInSync(present);
        if (stays) {
            int preferred = state.replicas().at(0);
            boolean moves = preferFirst && present != preferred && isInSync(preferred);
            return moves ? OptionalInt.of(preferred) : OptionalInt.empty();
        }
        int elected = elect();
        return elected == PartitionState.NO_LEADER && !state.hasLeader()
                ? OptionalInt.empty()
                : OptionalInt.of(elected);
    }

    private boolean isInSync(int brokerId) {
        return isr.has(brokerId) && rules.canLead().test(brokerId);
    }

    private int elect() {
        OptionalInt inSync = firstReplica(this::isInSync);
        if (inSync.isPresent()) {
            recovering = false;
            return inSync.getAsInt();
        }
        OptionalInt eligible = firstReplica(id -> elr.has(id) && rules.canLead().test(id));
        if (eligible.isPresent()) {
            isr = BrokerIds.of(eligible.getAsInt());
            recovering = false;
            return eligible.getAsInt();
        }
        OptionalInt any =
                rules.uncleanAllowed() ? firstReplica(rules.canLead()) : OptionalInt.empty();
        if (any.isEmpty()) return PartitionState.NO_LEADER;
        isr = BrokerIds.of(any.getAsInt());
        uncleanlyElected = true;
        recovering = true;
        return any.getAsInt();
    }

    private OptionalInt firstReplica(IntPredicate condition) {
        return state.replicas().stream().mapToInt(Integer::intValue).filter(condition).findFirst();
    }

    /// Who left the ISR stays eligible as long as fewer than `min.insync.replicas` are in it: until
    /// then the high watermark stands still, so nothing that they lack can be committed.
    private BrokerIds eligible(BrokerIds isrBeforeElection) {
        int needed = Math.min(rules.minInsyncReplicas(), state.replicas().size());
        if (!rules.elrEnabled() || uncleanlyElected || isr.size() >= needed) return BrokerIds.NONE;
        List<Integer> eligible = new ArrayList<>();
        for (int id : state.replicas()) {
            boolean was = elr.has(id) || state.isr().has(id) || isrBeforeElection.has(id);
            if (was && !isr.has(id) && !lost.contains(id)) eligible.add(id);
        }
        return BrokerIds.copyOf(eligible);
    }

    private static boolean isChange(PartitionChange change) {
        return change.isr().isPresent()
                || change.leader().isPresent()
                || change.recovering().isPresent()
                || change.directories().isPresent()
                || change.elr().isPresent();
    }

    private static <T> Optional<T> changed(T before, T after) {
        return before.equals(after) ? Optional.empty() : Optional.of(after);
    }
}

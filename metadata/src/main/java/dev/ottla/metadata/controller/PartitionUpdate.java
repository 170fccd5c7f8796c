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
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/// Works out one change of one partition: who leaves or enters the ISR, who leads then, and who
/// stays eligible (KIP-966). Used once.
///
/// What always holds afterwards: the leader is in the ISR; the ISR is never empty, so a partition
/// whose last in-sync replica is away keeps it there and has leader -1; a leader is elected only
/// from the ISR, else from the eligible leader replicas, else, where the topic allows it, from any
/// replica. A change that takes leadership or names a leader raises the leader epoch.
///
/// A replica whose directory has no room for records leaves the ISR while those that have room are
/// enough for writes, and leads only where nobody in the ISR has room: writes go on without it, and
/// where they cannot go on anyway nobody is given up (docs/decisions/0025).
///
/// A reassignment is complete, with whatever change it is that makes it so, once all replicas that
/// it adds are in sync and so many of those that stay that acknowledged writes can go on.
final class PartitionUpdate {
    private final Uuid topicId;
    private final int partition;
    private final PartitionState state;
    private final ElectionRules rules;
    private final Set<Integer> lost = new HashSet<>();
    private BrokerIds isr;
    private BrokerIds elr;
    private Assignment assignment;
    private List<Uuid> directories;
    private boolean leaderMustChange;
    private boolean preferFirst;
    private boolean recovering;
    private boolean uncleanlyElected;

    /// What elections in a topic go by.
    ///
    /// @param canLead whether the broker is active and the directory online
    /// @param hasRoom whether the directory has room for records
    /// @param minInsyncReplicas of a partition of the topic, by its number of replicas
    /// @param elrEnabled whether eligible leader replicas are kept
    record ElectionRules(
            ReplicaCheck canLead,
            ReplicaCheck hasRoom,
            IntUnaryOperator minInsyncReplicas,
            boolean elrEnabled,
            boolean uncleanAllowed) {}

    /// Something that is so of the replica in this directory of this broker.
    interface ReplicaCheck {
        boolean holds(int brokerId, Uuid directory);
    }

    PartitionUpdate(Uuid topicId, int partition, PartitionState state, ElectionRules rules) {
        this.topicId = topicId;
        this.partition = partition;
        this.state = state;
        this.rules = rules;
        this.isr = state.isr();
        this.elr = state.elr();
        this.assignment = Assignment.of(state);
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

    /// Where the replicas are from now on. Those that went leave the ISR, of which one must stay.
    ///
    /// @param directoryOfNew the directory of a replica on a broker that had none before
    PartitionUpdate assignment(Assignment next, IntFunction<Uuid> directoryOfNew) {
        BrokerIds before = assignment.replicas();
        List<Uuid> places = new ArrayList<>(next.replicas().size());
        for (int id : next.replicas()) {
            places.add(
                    before.has(id)
                            ? directories.get(before.positionOf(id))
                            : directoryOfNew.apply(id));
        }
        assignment = next;
        directories = places;
        isr = isr.within(next.replicas());
        elr = elr.within(next.replicas());
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
        leaveWhoHasNoRoom();
        completeReassignment();
        BrokerIds before = isr;
        OptionalInt leader = electIfNeeded();
        BrokerIds eligible = eligible(before);
        PartitionChange change =
                new PartitionChange(
                        topicId,
                        partition,
                        changed(state.isr(), isr),
                        leader,
                        changed(state.replicas(), assignment.replicas()),
                        changed(state.removingReplicas(), assignment.removing()),
                        changed(state.addingReplicas(), assignment.adding()),
                        changed(state.recovering(), recovering),
                        changed(state.directories(), directories),
                        changed(state.elr(), eligible),
                        Optional.empty());
        return isChange(change) ? Optional.of(change) : Optional.empty();
    }

    private void leaveWhoHasNoRoom() {
        List<Integer> roomy = isr.stream().filter(this::hasRoom).toList();
        boolean enough =
                !roomy.isEmpty()
                        && roomy.size() >= minInsyncReplicas(assignment.replicationFactor());
        if (enough && roomy.size() < isr.size()) isr = BrokerIds.copyOf(roomy);
    }

    private void completeReassignment() {
        BrokerIds staying = isr.within(assignment.target());
        boolean complete =
                assignment.isOngoing()
                        && isr.containsAll(assignment.adding())
                        && staying.size() >= minInsyncReplicas(assignment.target().size());
        if (complete) {
            assignment(
                    assignment.completed(),
                    id -> {
                        throw new IllegalStateException("broker %d is new".formatted(id));
                    });
        }
    }

    private int minInsyncReplicas(int replicationFactor) {
        return rules.minInsyncReplicas().applyAsInt(replicationFactor);
    }

    private OptionalInt electIfNeeded() {
        int present = state.leader();
        boolean stays =
                state.hasLeader()
                        && !leaderMustChange
                        && isInSync(present)
                        && (hasRoom(present) || firstReplica(this::isInSyncWithRoom).isEmpty());
        if (stays) {
            int preferred = assignment.replicas().at(0);
            boolean moves =
                    preferFirst
                            && present != preferred
                            && isInSync(preferred)
                            && (hasRoom(preferred) || !hasRoom(present));
            return moves ? OptionalInt.of(preferred) : OptionalInt.empty();
        }
        int elected = elect();
        return elected == PartitionState.NO_LEADER && !state.hasLeader()
                ? OptionalInt.empty()
                : OptionalInt.of(elected);
    }

    private boolean isInSync(int brokerId) {
        return isr.has(brokerId) && canLead(brokerId);
    }

    private boolean isInSyncWithRoom(int brokerId) {
        return isInSync(brokerId) && hasRoom(brokerId);
    }

    private boolean canLead(int brokerId) {
        return rules.canLead().holds(brokerId, directoryOf(brokerId));
    }

    private boolean hasRoom(int brokerId) {
        return rules.hasRoom().holds(brokerId, directoryOf(brokerId));
    }

    private Uuid directoryOf(int brokerId) {
        return directories.get(assignment.replicas().positionOf(brokerId));
    }

    private int elect() {
        OptionalInt inSync = firstReplica(this::isInSyncWithRoom, this::isInSync);
        if (inSync.isPresent()) {
            recovering = false;
            return inSync.getAsInt();
        }
        IntPredicate mayLead = id -> elr.has(id) && canLead(id);
        OptionalInt eligible = firstReplica(id -> mayLead.test(id) && hasRoom(id), mayLead);
        if (eligible.isPresent()) {
            isr = BrokerIds.of(eligible.getAsInt());
            recovering = false;
            return eligible.getAsInt();
        }
        // One that is being added may have nothing at all.
        OptionalInt any =
                rules.uncleanAllowed()
                        ? firstReplica(id -> !assignment.adding().has(id) && canLead(id))
                        : OptionalInt.empty();
        if (any.isEmpty()) return PartitionState.NO_LEADER;
        isr = BrokerIds.of(any.getAsInt());
        uncleanlyElected = true;
        recovering = true;
        return any.getAsInt();
    }

    private OptionalInt firstReplica(IntPredicate better, IntPredicate condition) {
        OptionalInt found = firstReplica(better);
        return found.isPresent() ? found : firstReplica(condition);
    }

    private OptionalInt firstReplica(IntPredicate condition) {
        return assignment.replicas().stream()
                .mapToInt(Integer::intValue)
                .filter(condition)
                .findFirst();
    }

    /// Who left the ISR stays eligible as long as fewer than `min.insync.replicas` are in it: until
    /// then the high watermark stands still, so nothing that they lack can be committed.
    private BrokerIds eligible(BrokerIds isrBeforeElection) {
        int needed = minInsyncReplicas(assignment.replicationFactor());
        if (!rules.elrEnabled() || uncleanlyElected || isr.size() >= needed) return BrokerIds.NONE;
        List<Integer> eligible = new ArrayList<>();
        for (int id : assignment.replicas()) {
            boolean was = elr.has(id) || state.isr().has(id) || isrBeforeElection.has(id);
            if (was && !isr.has(id) && !lost.contains(id)) eligible.add(id);
        }
        return BrokerIds.copyOf(eligible);
    }

    private static boolean isChange(PartitionChange change) {
        return change.isr().isPresent()
                || change.replicas().isPresent()
                || change.addingReplicas().isPresent()
                || change.removingReplicas().isPresent()
                || change.leader().isPresent()
                || change.recovering().isPresent()
                || change.directories().isPresent()
                || change.elr().isPresent();
    }

    private static <T> Optional<T> changed(T before, T after) {
        return before.equals(after) ? Optional.empty() : Optional.of(after);
    }
}

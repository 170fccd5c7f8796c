package dev.ottla.replication;

import dev.ottla.replication.LeaderStart.Membership;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The cluster's truth about one partition and its brokers, by the rules that the real controller
/// follows as well: leaders come from the ISR, which is never empty, and a change that is based on
/// an old state is refused.
final class SimulatedController {
    static final int NO_LEADER = -1;

    /// A registered broker.
    record Registration(long epoch, boolean active) {}

    /// What brokers are told.
    record State(
            int version,
            int leader,
            int leaderEpoch,
            Membership membership,
            Map<Integer, Registration> brokers) {
        Registration broker(int id) {
            return of(brokers, id);
        }
    }

    private static Registration of(Map<Integer, Registration> brokers, int id) {
        Registration found = brokers.get(id);
        if (found == null) {
            throw new IllegalArgumentException("no broker " + id);
        }
        return found;
    }

    private final List<Integer> replicas;
    private State state;

    SimulatedController(List<Integer> replicas) {
        this.replicas = replicas;
        Map<Integer, Registration> brokers = new HashMap<>();
        replicas.forEach(id -> brokers.put(id, new Registration(id, true)));
        state =
                new State(
                        100,
                        replicas.getFirst(),
                        0,
                        new Membership(0, replicas, new HashSet<>(replicas)),
                        brokers);
    }

    State state() {
        return state;
    }

    /// A new incarnation: what it led is elected anew. One that lost its disk leaves the ISR first,
    /// if it is not alone there.
    void register(int broker, boolean active, boolean diskLost) {
        Set<Integer> isr = new HashSet<>(state.membership().isr());
        if ((diskLost || !active) && isr.size() > 1) {
            isr.remove(broker);
        }
        change(isr, with(broker, state.version() + 1, active), state.leader() == broker);
    }

    void fence(int broker) {
        Set<Integer> isr = new HashSet<>(state.membership().isr());
        if (isr.size() > 1) {
            isr.remove(broker);
        }
        change(isr, with(broker, state.broker(broker).epoch(), false), false);
    }

    void unfence(int broker) {
        change(state.membership().isr(), with(broker, state.broker(broker).epoch(), true), false);
    }

    private Map<Integer, Registration> with(int broker, long epoch, boolean active) {
        Map<Integer, Registration> brokers = new HashMap<>(state.brokers());
        brokers.put(broker, new Registration(epoch, active));
        return brokers;
    }

    /// The state afterwards when the change was taken, else why it was not.
    sealed interface Answer {
        record Taken(State state) implements Answer {}

        record Ineligible() implements Answer {}

        record Stale() implements Answer {}
    }

    Answer alterPartition(int leader, IsrProposal proposal) {
        if (state.leader() != leader
                || state.leaderEpoch() != proposal.leaderEpoch()
                || state.membership().partitionEpoch() != proposal.partitionEpoch()) {
            return new Answer.Stale();
        }
        for (Map.Entry<Integer, Long> member : proposal.members().entrySet()) {
            Registration broker = state.broker(member.getKey());
            if (!broker.active()
                    || (member.getValue() != -1 && member.getValue() != broker.epoch())) {
                return new Answer.Ineligible();
            }
        }
        change(proposal.members().keySet(), state.brokers(), false);
        return new Answer.Taken(state);
    }

    private void change(Set<Integer> isr, Map<Integer, Registration> brokers, boolean electAnew) {
        int leader = state.leader();
        boolean stays =
                !electAnew
                        && leader != NO_LEADER
                        && isr.contains(leader)
                        && of(brokers, leader).active();
        Optional<Integer> elected =
                replicas.stream()
                        .filter(id -> isr.contains(id) && of(brokers, id).active())
                        .findFirst();
        int next = stays ? leader : elected.orElse(NO_LEADER);
        boolean newEpoch = electAnew || next != leader;
        boolean changed = newEpoch || !isr.equals(state.membership().isr());
        int partitionEpoch = state.membership().partitionEpoch();
        state =
                new State(
                        state.version() + 1,
                        next,
                        newEpoch ? state.leaderEpoch() + 1 : state.leaderEpoch(),
                        new Membership(
                                changed ? partitionEpoch + 1 : partitionEpoch, replicas, isr),
                        brokers);
    }
}

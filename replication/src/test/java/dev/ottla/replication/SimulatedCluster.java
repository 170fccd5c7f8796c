package dev.ottla.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.replication.SimulatedController.Answer;
import dev.ottla.replication.SimulatedController.State;
import dev.ottla.replication.SimulatedLog.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// One partition on several brokers, a controller, and a network that delays, loses and cuts. One
/// seed is one history.
final class SimulatedCluster {
    static final long MAX_LAG_MS = 1_000;

    /// Something on its way; between two brokers in any order, to the controller and back likewise.
    private record Message(int from, int to, int receiverIncarnation, Runnable arrives) {}

    private static final int CONTROLLER = 0;

    private final SplittableRandom random;
    private final int minInSyncReplicas;
    private final List<SimulatedBroker> brokers = new ArrayList<>();
    private final SimulatedController controller;
    private final List<Message> network = new ArrayList<>();
    private final Set<Integer> cut = new HashSet<>();
    private final List<Entry> committed = new ArrayList<>();
    private final Map<Integer, String> leaderOfEpoch = new HashMap<>();
    private int mostRead = 5;
    private long nowMs;
    private long nextId;

    SimulatedCluster(SplittableRandom random, int size, int minInSyncReplicas) {
        this.random = random;
        this.minInSyncReplicas = minInSyncReplicas;
        List<Integer> ids = new ArrayList<>();
        for (int id = 1; id <= size; id++) {
            ids.add(id);
            brokers.add(new SimulatedBroker(id));
        }
        controller = new SimulatedController(ids);
        brokers.forEach(this::learn);
    }

    // One step.

    void step() {
        SimulatedBroker broker = brokers.get(random.nextInt(brokers.size()));
        switch (random.nextInt(40)) {
            case 0 -> crash(broker, false);
            case 1 -> crash(broker, true);
            case 2, 3 -> start(broker);
            case 4 -> fence(broker);
            case 5 -> toggleCut(broker);
            case 6, 7 -> loseMessage();
            case 8, 9, 10 -> passTime(random.nextInt(400));
            case 11, 12, 13 -> produce(broker);
            case 14, 15, 16 -> flush(broker);
            case 17, 18, 19 -> learn(broker);
            case 20, 21 -> unfence(broker);
            case 22, 23 -> sendProposal(broker);
            case 24, 25, 26, 27, 28 -> fetch(broker);
            default -> deliver();
        }
        checkInvariants();
    }

    /// From now on nothing fails; after so many rounds everything must have come together.
    void settle() {
        cut.clear();
        mostRead = 1_000;
        for (int round = 0; round < 60; round++) {
            for (SimulatedBroker broker : brokers) {
                start(broker);
                learn(broker);
                unfence(broker);
                learn(broker);
                produce(broker);
                flushAll(broker);
                fetch(broker);
                while (!network.isEmpty()) {
                    deliver();
                }
                flushAll(broker);
                sendProposal(broker);
                while (!network.isEmpty()) {
                    deliver();
                }
                checkInvariants();
            }
            passTime(100);
        }
        State state = controller.state();
        assertThat(state.membership().isr()).as("%s %s", state, brokers).hasSize(brokers.size());
        for (int round = 0; round < 20; round++) {
            for (SimulatedBroker broker : brokers) {
                flushAll(broker);
                fetch(broker);
                while (!network.isEmpty()) {
                    deliver();
                }
            }
            checkInvariants();
        }
        List<Entry> log = broker(state.leader()).log.entries();
        for (SimulatedBroker broker : brokers) {
            assertThat(broker.log.entries()).isEqualTo(log);
            assertThat(broker.highWatermark()).contains((long) log.size());
        }
    }

    // Faults.

    private void crash(SimulatedBroker broker, boolean losesDisk) {
        if (!broker.up) {
            return;
        }
        boolean last = controller.state().membership().isr().equals(Set.of(broker.id));
        broker.stop();
        broker.log.crash(random);
        // A partition whose last replica is lost is lost, which is not what is looked at here.
        if (losesDisk && !last) {
            broker.log.wipe();
            broker.diskLost = true;
            controller.register(broker.id, false, true);
        }
        for (Message message : List.copyOf(network)) {
            if (message.from() == broker.id && random.nextBoolean()) {
                network.remove(message);
                onLost(message);
            }
        }
    }

    /// Maybe before anybody noticed that it was away.
    private void start(SimulatedBroker broker) {
        if (broker.up) {
            return;
        }
        broker.up = true;
        controller.register(broker.id, random.nextBoolean(), broker.diskLost);
        broker.diskLost = false;
        broker.epoch = controller.state().broker(broker.id).epoch();
    }

    private void fence(SimulatedBroker broker) {
        controller.fence(broker.id);
    }

    private void unfence(SimulatedBroker broker) {
        State known = broker.known;
        boolean sawItself = known != null && known.broker(broker.id).epoch() == broker.epoch;
        if (broker.up && sawItself && broker.epochOf(broker.id) != broker.epoch) {
            controller.unfence(broker.id);
        }
    }

    private void toggleCut(SimulatedBroker broker) {
        if (!cut.remove(broker.id)) {
            cut.add(broker.id);
        }
    }

    private void loseMessage() {
        if (!network.isEmpty()) {
            onLost(network.remove(random.nextInt(network.size())));
        }
    }

    /// The connection breaks, which both ends notice.
    private void onLost(Message message) {
        failFetch(message.from());
        failFetch(message.to());
    }

    private void failFetch(int broker) {
        FollowerReplica follower = broker == CONTROLLER ? null : broker(broker).follower;
        if (follower != null) {
            follower.onFailed();
        }
    }

    private void passTime(long ms) {
        nowMs += ms;
        for (SimulatedBroker broker : brokers) {
            if (broker.leader != null) {
                broker.leader.checkLag(nowMs, effects(broker));
                broker.proposalDue = broker.leader.proposal().isPresent();
            }
        }
    }

    // What brokers do.

    private void produce(SimulatedBroker broker) {
        if (broker.leader != null && broker.leader.hasEnoughReplicas()) {
            int count = 1 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                broker.log.append(new Entry(broker.leader.leaderEpoch(), nextId++));
            }
            broker.leader.onAppended(broker.log.logEndOffset());
        }
    }

    private void flush(SimulatedBroker broker) {
        long unflushed = broker.log.logEndOffset() - broker.log.flushedEndOffset();
        flushTo(broker, broker.log.flushedEndOffset() + random.nextLong(unflushed + 1));
    }

    private void flushAll(SimulatedBroker broker) {
        flushTo(broker, broker.log.logEndOffset());
    }

    private void flushTo(SimulatedBroker broker, long endOffset) {
        if (broker.up) {
            broker.log.flushTo(endOffset);
            if (broker.leader != null) {
                broker.leader.onFlushed(broker.log.flushedEndOffset(), effects(broker));
            }
        }
    }

    /// The cluster's present state comes to a broker; it may have missed others.
    private void learn(SimulatedBroker broker) {
        State state = controller.state();
        if (!broker.up || state.broker(broker.id).epoch() != broker.epoch) {
            return;
        }
        State before = broker.known;
        broker.known = state;
        boolean newEpoch = before == null || before.leaderEpoch() != state.leaderEpoch();
        if (state.leader() == broker.id && newEpoch) {
            lead(broker, state);
        } else if (broker.leader != null && state.leader() == broker.id) {
            broker.leader.onMembership(state.membership(), nowMs, effects(broker));
        } else if (newEpoch) {
            long highWatermark = broker.highWatermark().orElse(0L);
            broker.leader = null;
            broker.follower = new FollowerReplica(state.leaderEpoch(), broker.log, highWatermark);
        }
    }

    private void lead(SimulatedBroker broker, State state) {
        String self = broker.id + "/" + broker.incarnation;
        assertThat(leaderOfEpoch.putIfAbsent(state.leaderEpoch(), self)).isNull();
        long highWatermark = broker.highWatermark().orElse(0L);
        broker.follower = null;
        broker.leader =
                new LeaderReplica(
                        new LeaderStart(
                                broker.id,
                                state.leaderEpoch(),
                                state.membership(),
                                minInSyncReplicas,
                                broker.log.logEndOffset(),
                                broker.log.flushedEndOffset(),
                                highWatermark,
                                MAX_LAG_MS,
                                1_500,
                                nowMs),
                        broker);
        broker.leader.begin(effects(broker));
    }

    private LeaderReplica.Effects effects(SimulatedBroker broker) {
        return new LeaderReplica.Effects() {
            @Override
            public void highWatermarkAdvanced(long highWatermark) {
                for (int i = committed.size(); i < highWatermark; i++) {
                    committed.add(broker.log.entries().get(i));
                }
            }

            @Override
            public void isrProposed(IsrProposal proposal) {
                broker.proposalDue = true;
            }
        };
    }

    // What they say to each other.

    private void sendProposal(SimulatedBroker broker) {
        LeaderReplica leader = broker.leader;
        if (leader == null || !broker.proposalDue || leader.proposal().isEmpty()) {
            return;
        }
        broker.proposalDue = false;
        IsrProposal proposal = leader.proposal().get();
        int incarnation = broker.incarnation;
        send(
                broker.id,
                CONTROLLER,
                0,
                () -> {
                    Answer answer = controller.alterPartition(broker.id, proposal);
                    send(
                            CONTROLLER,
                            broker.id,
                            incarnation,
                            () -> {
                                LeaderReplica present = broker.leader;
                                if (present != null
                                        && present.leaderEpoch() == proposal.leaderEpoch()) {
                                    settle(broker, present, proposal, answer);
                                }
                            });
                });
    }

    private void settle(
            SimulatedBroker broker, LeaderReplica leader, IsrProposal proposal, Answer answer) {
        switch (answer) {
            case Answer.Taken(State state) ->
                    leader.onMembership(state.membership(), nowMs, effects(broker));
            case Answer.Ineligible() -> leader.onRefused(proposal, nowMs, effects(broker));
            case Answer.Stale() -> {}
        }
    }

    private void fetch(SimulatedBroker broker) {
        FollowerReplica follower = broker.follower;
        State known = broker.known;
        if (follower == null
                || known == null
                || known.leader() == SimulatedController.NO_LEADER
                || !follower.mayFetch()) {
            return;
        }
        FetchPosition position = follower.beginFetch();
        SimulatedBroker source = broker(known.leader());
        int incarnation = broker.incarnation;
        send(
                broker.id,
                source.id,
                source.incarnation,
                () -> {
                    Reply reply = serve(source, broker.id, broker.epoch, position);
                    send(
                            source.id,
                            broker.id,
                            incarnation,
                            () -> {
                                if (broker.follower == follower && follower.expects(position)) {
                                    take(broker.log, follower, reply);
                                }
                            });
                });
    }

    /// What a leader answers; the records are copied when they are read.
    private sealed interface Reply {
        record Records(List<Entry> entries, long highWatermark) implements Reply {}

        record Diverging(EpochEnd end) implements Reply {}

        record Refused() implements Reply {}
    }

    private Reply serve(SimulatedBroker source, int follower, long epoch, FetchPosition position) {
        LeaderReplica leader = source.leader;
        if (leader == null
                || leader.leaderEpoch() != position.leaderEpoch()
                || !leader.accepts(follower, epoch)) {
            return new Reply.Refused();
        }
        int last = position.lastFetchedEpoch();
        if (last >= 0) {
            EpochEnd end = source.log.endOf(last);
            if (end.leaderEpoch() < last || end.endOffset() < position.fetchOffset()) {
                return new Reply.Diverging(end);
            }
        }
        leader.onFollowerFetch(
                new FollowerFetch(
                        follower,
                        epoch,
                        position.fetchOffset(),
                        position.logStartOffset(),
                        FollowerFetch.NEVER_MS),
                nowMs,
                effects(source));
        List<Entry> log = source.log.entries();
        int from = (int) position.fetchOffset();
        int to = Math.min(log.size(), from + 1 + random.nextInt(mostRead));
        return new Reply.Records(
                List.copyOf(log.subList(from, Math.max(from, to))), leader.highWatermark());
    }

    private static void take(SimulatedLog log, FollowerReplica follower, Reply reply) {
        switch (reply) {
            case Reply.Records(List<Entry> entries, long highWatermark) -> {
                entries.forEach(log::append);
                follower.onAnswered(highWatermark, 0);
            }
            case Reply.Diverging(EpochEnd end) -> follower.onDiverging(end);
            case Reply.Refused() -> follower.onFailed();
        }
    }

    private void send(int from, int to, int receiverIncarnation, Runnable arrives) {
        network.add(new Message(from, to, receiverIncarnation, arrives));
    }

    private void deliver() {
        if (network.isEmpty()) {
            return;
        }
        Message message = network.remove(random.nextInt(network.size()));
        SimulatedBroker receiver = message.to() == CONTROLLER ? null : broker(message.to());
        boolean reachable = !cut.contains(message.from()) && !cut.contains(message.to());
        boolean there =
                receiver == null
                        || (receiver.up && receiver.incarnation == message.receiverIncarnation());
        if (reachable && there) {
            message.arrives().run();
        } else {
            onLost(message);
        }
    }

    private SimulatedBroker broker(int id) {
        return brokers.get(id - 1);
    }

    // What must hold.

    private void checkInvariants() {
        for (SimulatedBroker broker : brokers) {
            checkRole(broker);
            List<Entry> log = broker.log.entries();
            long highWatermark = broker.highWatermark().orElse(0L);
            assertThat(highWatermark)
                    .as("high watermark of %s is of committed records", broker)
                    .isLessThanOrEqualTo(committed.size());
            assertThat(log.subList(0, (int) highWatermark))
                    .as("logs are equal below the high watermark: %s", broker)
                    .isEqualTo(committed.subList(0, (int) highWatermark));
        }
        for (int id : controller.state().membership().isr()) {
            SimulatedLog log = broker(id).log;
            assertThat(log.flushedEndOffset())
                    .as("committed records are on disk of in-sync %s", broker(id))
                    .isGreaterThanOrEqualTo(committed.size());
            assertThat(log.entries().subList(0, committed.size())).isEqualTo(committed);
        }
    }

    private static void checkRole(SimulatedBroker broker) {
        @Nullable LeaderReplica leader = broker.leader;
        if (leader != null) {
            leader.checkInvariants();
        }
        @Nullable FollowerReplica follower = broker.follower;
        if (follower != null) {
            follower.checkInvariants();
        }
    }
}

package dev.ottla.chaos.fault;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.Pause;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.Load;
import dev.ottla.chaos.load.Topics;
import dev.ottla.testkit.NetworkSpaces;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/// Plays one fault after the other. Owned by the run's main thread.
public final class Injector {
    private static final Duration START = Duration.ofSeconds(30);

    private static final Duration HEALTH = Duration.ofSeconds(15);

    /// A role is taken from a node only when the others are there; so long that is waited for.
    private static final Duration OTHERS = Duration.ofSeconds(10);

    /// In a cluster of any size.
    private static final int VOTERS = 3;

    /// Until as many vote again after a directory was lost.
    private static final Duration VOTE = Duration.ofSeconds(60);

    /// As far from now as topics allow by default.
    private static final long CLOCK_SHIFT_MS = Duration.ofMinutes(50).toMillis();

    private final Cluster cluster;
    private final ClusterState state;
    private final Load load;
    private final History history;
    private final Moves moves;

    /// Nodes that were started and have not answered yet.
    private final Set<Integer> starting = new TreeSet<>();

    /// @param replicas of each partition
    public Injector(Cluster cluster, ClusterState state, Load load, History history, int replicas) {
        this.cluster = cluster;
        this.state = state;
        this.load = load;
        this.history = history;
        moves = new Moves(cluster, state, replicas);
    }

    /// What a fault hits, and what can be said of it.
    private record Target(List<Integer> nodes, String detail) {
        static Target of(int node) {
            return new Target(List.of(node), "node " + node);
        }
    }

    /// Plays a fault to its end; returns whether it could be played.
    public boolean play(Strike strike) throws IOException {
        Random random = new Random(strike.seed());
        Optional<Target> target = target(strike, random);
        if (target.isEmpty()) {
            return false;
        }
        List<Integer> nodes = target.get().nodes();
        history.add(
                new Event.FaultBegan(
                        strike.number(), strike.fault().name(), nodes, target.get().detail()));
        String detail = "";
        boolean done = false;
        try {
            detail = strike(strike, nodes, random);
            done = true;
        } catch (IllegalStateException e) {
            detail = String.valueOf(e.getMessage());
        } finally {
            history.add(new Event.FaultEnded(strike.number(), done, detail));
        }
        return done;
    }

    private Optional<Target> target(Strike strike, Random random) {
        // With two of three gone nothing can be written.
        awaitReady(strike.fault().hitsWhoHasARole() ? OTHERS : Duration.ZERO);
        return switch (strike.fault()) {
            case CONTROLLER_KILLED,
                    CONTROLLER_RESTARTED_AT_ONCE,
                    CONTROLLER_PAUSED,
                    CONTROLLER_CUT_OFF ->
                    state.controller().filter(cluster::isRunning).map(Target::of);
            case LEADER_KILLED -> leaderOfMost().map(Target::of);
            case COORDINATOR_KILLED ->
                    state.coordinator(Load.groups().get(random.nextInt(Load.groups().size())))
                            .filter(cluster::isRunning)
                            .map(Target::of);
            case NODE_WIPED ->
                    awaitHealth(HEALTH)
                            ? Optional.of(Target.of(anyNode(random)))
                            : Optional.empty();
            case ALL_KILLED, ROLLING_RESTART ->
                    Optional.of(new Target(cluster.ids(), "all nodes, one after the other"));
            case CLOCKS_OF_WRITERS_AHEAD,
                    CLOCKS_OF_WRITERS_BEHIND,
                    LEADERS_MOVED,
                    REASSIGNED,
                    NODE_JOINS_AND_LEAVES ->
                    Optional.of(new Target(List.of(), ""));
            default -> Optional.of(Target.of(anyNode(random)));
        };
    }

    /// One that is just starting, if there is one: the others are needed.
    private int anyNode(Random random) {
        List<Integer> ids = starting.isEmpty() ? cluster.ids() : List.copyOf(starting);
        return ids.get(random.nextInt(ids.size()));
    }

    private Optional<Integer> leaderOfMost() {
        Map<Integer, Integer> counts = new HashMap<>();
        for (ClusterState.Partition partition : state.partitions(Topics.names())) {
            if (cluster.isRunning(partition.leader())) {
                counts.merge(partition.leader(), 1, Integer::sum);
            }
        }
        return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /// Returns what is to be told when it is over.
    private String strike(Strike strike, List<Integer> nodes, Random random) throws IOException {
        Duration hold = strike.hold();
        return switch (strike.fault()) {
            case NODE_KILLED, LEADER_KILLED, CONTROLLER_KILLED, COORDINATOR_KILLED, ALL_KILLED ->
                    kill(nodes, hold, strike.patience());
            case NODE_RESTARTED_AT_ONCE, CONTROLLER_RESTARTED_AT_ONCE ->
                    restart(nodes, strike.patience());
            case ROLLING_RESTART -> roll(nodes);
            case NODE_PAUSED, CONTROLLER_PAUSED -> {
                cluster.freeze(nodes.getFirst());
                pause(hold);
                cluster.thaw(nodes.getFirst());
                yield "";
            }
            case PAUSED_THEN_KILLED -> {
                cluster.freeze(nodes.getFirst());
                pause(hold);
                yield kill(nodes, Duration.ZERO, strike.patience());
            }
            case NODE_CUT_OFF,
                    CONTROLLER_CUT_OFF,
                    WHAT_A_NODE_SENDS_IS_LOST,
                    WHAT_A_NODE_IS_SENT_IS_LOST,
                    BRIDGE,
                    CLIENTS_CUT_OFF ->
                    cut(strike.fault(), nodes.getFirst(), hold);
            case DISK_FULL -> {
                cluster.fillDisk(nodes.getFirst());
                pause(hold);
                cluster.freeDisk(nodes.getFirst());
                yield "";
            }
            case NODE_WIPED -> wipe(nodes.getFirst());
            case CLOCKS_OF_WRITERS_AHEAD -> shiftClocks(CLOCK_SHIFT_MS, hold);
            case CLOCKS_OF_WRITERS_BEHIND -> shiftClocks(-CLOCK_SHIFT_MS, hold);
            case LEADERS_MOVED -> moves.moveLeaders(random);
            case REASSIGNED -> reassign(random, hold);
            case REASSIGNMENT_TARGET_KILLED -> killTarget(strike, nodes, random);
            case NODE_JOINS_AND_LEAVES -> moves.joinAndLeave(random, this::pause, hold);
        };
    }

    private String kill(List<Integer> nodes, Duration hold, Duration patience) {
        nodes.forEach(cluster::kill);
        pause(hold);
        launch(nodes);
        return awaitReady(patience);
    }

    /// Starts nodes without waiting for them.
    public void launch(List<Integer> nodes) {
        nodes.forEach(cluster::launch);
        starting.addAll(nodes);
    }

    /// Before anybody has missed it.
    private String restart(List<Integer> nodes, Duration patience) {
        long beganNs = System.nanoTime();
        nodes.forEach(cluster::kill);
        launch(nodes);
        long ms = (System.nanoTime() - beganNs) / 1_000_000;
        return "started again after %d ms; %s".formatted(ms, awaitReady(patience));
    }

    /// Waits until the lost directory has no vote any more and others have enough: until then one
    /// more loss is one too many.
    private String wipe(int node) {
        Set<ClusterState.Voter> before = state.voters();
        if (before.size() < VOTERS) {
            throw new IllegalStateException("only " + before + " vote");
        }
        cluster.kill(node);
        cluster.wipe(node);
        launch(List.of(node));
        String told = awaitReady(START);
        boolean votes =
                waitUntil(
                        VOTE,
                        () -> {
                            Set<ClusterState.Voter> now = state.voters();
                            return now.size() >= VOTERS
                                    && now.stream()
                                            .noneMatch(voter ->
                                                    voter.node() == node && before.contains(voter));
                        });
        if (!votes) {
            String stuck =
                    "node %d lost its directory, and %d s later %s vote instead of %s"
                            .formatted(node, VOTE.toSeconds(), state.voters(), before);
            history.add(new Event.Stuck(stuck));
        }
        return told;
    }

    private String roll(List<Integer> nodes) {
        List<String> told = new ArrayList<>();
        for (int node : nodes) {
            int exitCode = cluster.stop(node);
            if (exitCode != 0 && exitCode != 143) {
                String file = cluster.outputFile(node).toString();
                history.add(new Event.NodeDied(node, exitCode, file));
            }
            launch(List.of(node));
            told.add(awaitReady(START));
        }
        return String.join(", ", told);
    }

    /// Waits until all that were started answer.
    public String awaitReady(Duration patience) {
        long beganNs = System.nanoTime();
        do {
            starting.removeIf(cluster::isReady);
            watch();
            if (starting.isEmpty()) {
                return "answers after %d ms".formatted((System.nanoTime() - beganNs) / 1_000_000);
            }
            Pause.ofMs(20);
        } while (System.nanoTime() - beganNs < patience.toNanos());
        return "nodes %s do not answer yet".formatted(starting);
    }

    private String cut(Fault fault, int node, Duration hold) {
        NetworkSpaces networks = cluster.networks().orElseThrow();
        List<Integer> others = cluster.ids().stream().filter(id -> id != node).toList();
        switch (fault) {
            case WHAT_A_NODE_SENDS_IS_LOST -> others.forEach(other -> networks.cut(node, other));
            case WHAT_A_NODE_IS_SENT_IS_LOST -> others.forEach(other -> networks.cut(other, node));
            case CLIENTS_CUT_OFF -> networks.cutFromHere(node);
            case BRIDGE -> {
                // The node alone reaches both halves.
                int half = others.size() / 2;
                for (int one : others.subList(0, half)) {
                    others.subList(half, others.size())
                            .forEach(other -> networks.cutBothWays(one, other));
                }
            }
            default -> others.forEach(other -> networks.cutBothWays(node, other));
        }
        pause(hold);
        networks.heal();
        return "";
    }

    private String shiftClocks(long ms, Duration hold) {
        load.shiftClocks(ms);
        pause(hold);
        load.shiftClocks(0);
        return "by %d minutes".formatted(ms / 60_000);
    }

    private String reassign(Random random, Duration hold) {
        List<TopicPartition> partitions = moves.some(random);
        moves.shrink(partitions, random);
        pause(hold);
        moves.spread(partitions, random);
        return partitions.size() + " partitions to other replicas";
    }

    /// The node is killed just when it begins to copy partitions that it is given.
    private String killTarget(Strike strike, List<Integer> nodes, Random random) {
        List<TopicPartition> partitions = moves.some(random);
        moves.takeFrom(partitions, nodes.getFirst());
        moves.giveTo(partitions, nodes.getFirst());
        return kill(nodes, strike.hold(), strike.patience());
    }

    /// Waits, and starts again what dies meanwhile.
    public void pause(Duration time) {
        long endNs = System.nanoTime() + time.toNanos();
        do {
            watch();
            long leftNs = endNs - System.nanoTime();
            Pause.ofMs(Math.min(50, Math.max(0, leftNs / 1_000_000)));
        } while (System.nanoTime() < endNs);
        watch();
    }

    private void watch() {
        for (int node : cluster.takeDead()) {
            String file = cluster.outputFile(node).toString();
            history.add(new Event.NodeDied(node, cluster.exitCode(node), file));
            launch(List.of(node));
        }
    }

    /// Undoes whatever may be left of the faults.
    public void heal() throws IOException {
        load.shiftClocks(0);
        cluster.networks().ifPresent(NetworkSpaces::heal);
        for (int node : cluster.ids()) {
            if (cluster.isRunning(node)) {
                cluster.thaw(node);
            } else {
                launch(List.of(node));
            }
            if (cluster.hasSmallDisks()) {
                cluster.freeDisk(node);
            }
        }
        awaitReady(START);
    }

    /// Waits until three nodes vote, every partition has all its replicas and all are in sync.
    public boolean awaitHealth(Duration deadline) {
        return waitUntil(
                deadline,
                () -> moves.areDone() && moves.allInSync() && state.voters().size() >= VOTERS);
    }

    private boolean waitUntil(Duration deadline, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + deadline.toNanos();
        do {
            if (condition.getAsBoolean()) {
                return true;
            }
            pause(Duration.ofMillis(100));
        } while (System.nanoTime() < deadlineNs);
        return false;
    }

    /// Gives back replicas that a move has left out.
    public void completeMoves() {
        List<TopicPartition> incomplete = moves.withoutAllReplicas();
        if (!incomplete.isEmpty()) {
            Collections.sort(incomplete, Comparator.comparing(TopicPartition::toString));
            moves.spread(incomplete, new Random(incomplete.size()));
        }
    }
}

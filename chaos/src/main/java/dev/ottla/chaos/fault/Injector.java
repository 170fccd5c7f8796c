package dev.ottla.chaos.fault;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.OwnCluster;
import dev.ottla.chaos.history.Event;
import dev.ottla.chaos.history.History;
import dev.ottla.chaos.load.Load;
import dev.ottla.chaos.load.Topics;
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
import org.apache.kafka.common.TopicPartition;

/// Plays one fault after the other. Owned by the run's main thread.
public final class Injector {
    private static final Duration START = Duration.ofSeconds(30);

    private static final Duration HEALTH = Duration.ofSeconds(15);

    /// A role is taken from a node only when the others are there; so long that is waited for.
    private static final Duration OTHERS = Duration.ofSeconds(10);

    /// Until as many vote again after a directory was lost.
    private static final Duration VOTE = Duration.ofSeconds(60);

    /// As far from now as topics allow by default.
    private static final long CLOCK_SHIFT_MS = Duration.ofMinutes(50).toMillis();

    /// Tries, where it may fail.
    private static final int MENDING = 3;

    private static final Duration BETWEEN_MENDING = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final ClusterState state;
    private final Load load;
    private final History history;
    private final Moves moves;
    private final Nodes nodes;
    private final ClientFaults clientFaults;

    /// @param replicas of each partition
    public Injector(Cluster cluster, ClusterState state, Load load, History history, int replicas) {
        this.cluster = cluster;
        this.state = state;
        this.load = load;
        this.history = history;
        moves = new Moves(cluster, state, replicas);
        nodes = new Nodes(cluster, history);
        clientFaults = new ClientFaults(cluster, state, load.separateClient(), nodes, history);
    }

    /// What a fault hits, and what can be said of it.
    private record Target(List<Integer> nodes, String detail) {
        static Target of(int node) {
            return new Target(List.of(node), "node " + node);
        }
    }

    public Nodes nodes() {
        return nodes;
    }

    /// Plays a fault to its end; returns whether it could be played.
    public boolean play(Strike strike) throws IOException {
        if (!nodes.mend().isEmpty()) {
            return false; // One at a time.
        }
        Random random = new Random(strike.seed());
        Optional<Target> target = target(strike, random);
        if (target.isEmpty()) {
            return false;
        }
        List<Integer> hit = target.get().nodes();
        history.add(
                new Event.FaultBegan(
                        strike.number(), strike.fault().name(), hit, target.get().detail()));
        String detail = "";
        boolean done = false;
        try {
            detail = strike(strike, hit, random);
            done = true;
        } catch (IllegalStateException e) {
            detail = String.valueOf(e.getMessage());
            nodes.mend();
        } finally {
            history.add(new Event.FaultEnded(strike.number(), done, detail));
        }
        return done;
    }

    private Optional<Target> target(Strike strike, Random random) {
        // With two of three gone nothing can be written.
        nodes.awaitReady(strike.fault().hitsWhoHasARole() ? OTHERS : Duration.ZERO);
        if (strike.fault().destroys()) {
            if (!awaitSafety(HEALTH)) {
                return Optional.empty();
            }
            nodes.awaitReady(Duration.ZERO); // They all are: any may be hit.
        }
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
            case ALL_KILLED, ROLLING_RESTART ->
                    Optional.of(new Target(cluster.ids(), "all nodes, one after the other"));
            case CLOCKS_OF_WRITERS_AHEAD,
                    CLOCKS_OF_WRITERS_BEHIND,
                    LEADERS_MOVED,
                    REASSIGNED,
                    NODE_JOINS_AND_LEAVES,
                    CLIENT_KILLED,
                    CLIENT_PAUSED,
                    SLOW_CONSUMERS,
                    MALFORMED_REQUESTS ->
                    Optional.of(new Target(List.of(), ""));
            default -> Optional.of(Target.of(anyNode(random)));
        };
    }

    /// One that is just starting, if there is one: the others are needed.
    private int anyNode(Random random) {
        List<Integer> ids = nodes.starting().isEmpty() ? cluster.ids() : nodes.starting();
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
    private String strike(Strike strike, List<Integer> hit, Random random) throws IOException {
        Duration hold = strike.hold();
        return switch (strike.fault()) {
            case NODE_KILLED, LEADER_KILLED, CONTROLLER_KILLED, COORDINATOR_KILLED, ALL_KILLED ->
                    kill(hit, hold, strike.patience());
            case NODE_RESTARTED_AT_ONCE, CONTROLLER_RESTARTED_AT_ONCE ->
                    restart(hit, strike.patience());
            case ROLLING_RESTART -> roll(hit);
            case NODE_PAUSED, CONTROLLER_PAUSED -> {
                cluster.freeze(hit.getFirst());
                nodes.pause(hold);
                cluster.thaw(hit.getFirst());
                yield "";
            }
            case PAUSED_THEN_KILLED -> {
                cluster.freeze(hit.getFirst());
                nodes.pause(hold);
                yield kill(hit, Duration.ZERO, strike.patience());
            }
            case NODE_CUT_OFF,
                    CONTROLLER_CUT_OFF,
                    WHAT_A_NODE_SENDS_IS_LOST,
                    WHAT_A_NODE_IS_SENT_IS_LOST,
                    BRIDGE,
                    CLIENTS_CUT_OFF,
                    LINK_SLOW,
                    LINK_LOSES,
                    LINK_REORDERS ->
                    new NetworkFaults(cluster, nodes).play(strike, hit.getFirst(), random);
            case NODE_WIPED -> wipe(hit.getFirst());
            case DISK_FULL,
                    DISK_SLOW,
                    WRITES_FAIL,
                    SYNCS_FAIL,
                    POWER_LOST,
                    WRITES_TORN,
                    BITS_FLIPPED,
                    FILES_ROLLED_BACK,
                    REPLICAS_EMPTIED,
                    CLOCK_OF_A_NODE_AHEAD,
                    CLOCK_OF_A_NODE_BEHIND ->
                    new DiskFaults(own(), state, nodes).play(strike, hit.getFirst(), random);
            case CLOCKS_OF_WRITERS_AHEAD -> shiftClocks(CLOCK_SHIFT_MS, hold);
            case CLOCKS_OF_WRITERS_BEHIND -> shiftClocks(-CLOCK_SHIFT_MS, hold);
            case CLIENT_KILLED, CLIENT_PAUSED, SLOW_CONSUMERS, MALFORMED_REQUESTS ->
                    clientFaults.play(strike, random);
            case LEADERS_MOVED -> moves.moveLeaders(random);
            case REASSIGNED -> reassign(random, hold);
            case REASSIGNMENT_TARGET_KILLED -> killTarget(strike, hit, random);
            case NODE_JOINS_AND_LEAVES -> moves.joinAndLeave(random, nodes::pause, hold);
        };
    }

    private String kill(List<Integer> hit, Duration hold, Duration patience) {
        hit.forEach(cluster::kill);
        nodes.pause(hold);
        nodes.launch(hit);
        return nodes.awaitReady(patience);
    }

    /// Before anybody has missed it.
    private String restart(List<Integer> hit, Duration patience) {
        long beganNs = System.nanoTime();
        hit.forEach(cluster::kill);
        nodes.launch(hit);
        long ms = (System.nanoTime() - beganNs) / 1_000_000;
        return "started again after %d ms; %s".formatted(ms, nodes.awaitReady(patience));
    }

    /// Waits until the lost directory has no vote any more and others have enough: until then one
    /// more loss is one too many.
    private String wipe(int node) {
        Set<ClusterState.Voter> before = state.voters();
        if (before.size() < cluster.voters()) {
            throw new IllegalStateException("only " + before + " vote");
        }
        cluster.kill(node);
        own().wipe(node);
        nodes.launch(List.of(node));
        String told = nodes.awaitReady(START);
        boolean votes =
                nodes.waitUntil(
                        VOTE,
                        () -> {
                            Set<ClusterState.Voter> now = state.voters();
                            return now.size() >= cluster.voters()
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

    private String roll(List<Integer> hit) {
        List<String> told = new ArrayList<>();
        for (int node : hit) {
            nodes.stop(own(), node);
            nodes.launch(List.of(node));
            told.add(nodes.awaitReady(START));
        }
        return String.join(", ", told);
    }

    private OwnCluster own() {
        return cluster.own().orElseThrow(() -> new IllegalStateException("not its own cluster"));
    }

    private String shiftClocks(long ms, Duration hold) {
        load.shiftClocks(ms);
        nodes.pause(hold);
        load.shiftClocks(0);
        return "by %d minutes".formatted(ms / 60_000);
    }

    private String reassign(Random random, Duration hold) {
        List<TopicPartition> partitions = moves.some(random);
        moves.shrink(partitions, random);
        nodes.pause(hold);
        moves.spread(partitions, random);
        return partitions.size() + " partitions to other replicas";
    }

    /// The node is killed just when it begins to copy partitions that it is given.
    private String killTarget(Strike strike, List<Integer> hit, Random random) {
        List<TopicPartition> partitions = moves.some(random);
        moves.takeFrom(partitions, hit.getFirst());
        moves.giveTo(partitions, hit.getFirst());
        return kill(hit, strike.hold(), strike.patience());
    }

    /// Undoes whatever may be left of the faults.
    public void heal() throws IOException {
        load.shiftClocks(0);
        List<String> left = nodes.mend();
        for (int i = 1; i < MENDING && !left.isEmpty(); i++) {
            nodes.pause(BETWEEN_MENDING);
            left = nodes.mend();
        }
        if (!left.isEmpty()) {
            throw new IllegalStateException(String.join("; ", left));
        }
        cluster.joinNetworks();
        for (int node : cluster.ids()) {
            if (cluster.isRunning(node)) {
                cluster.thaw(node);
            } else {
                nodes.launch(List.of(node));
            }
        }
        if (cluster.own().isPresent() && own().hasSmallDisks()) {
            for (int node : cluster.ids()) {
                own().freeDisk(node);
            }
        }
        nodes.awaitReady(START);
    }

    /// Waits until three nodes vote, every partition has all its replicas and all are in sync.
    public boolean awaitHealth(Duration deadline) {
        return nodes.waitUntil(
                deadline,
                () ->
                        moves.areDone()
                                && moves.allInSync()
                                && state.voters().size() >= cluster.voters());
    }

    /// Waits until nothing is lost with one disk: all replicas of all partitions are in sync.
    private boolean awaitSafety(Duration deadline) {
        return nodes.waitUntil(
                deadline,
                () ->
                        moves.areDone()
                                && moves.allInSync()
                                && moves.othersInSync()
                                && state.voters().size() >= cluster.voters());
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

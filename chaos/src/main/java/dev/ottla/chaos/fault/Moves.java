package dev.ottla.chaos.fault;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.ClusterState.Partition;
import dev.ottla.chaos.cluster.OwnCluster;
import dev.ottla.chaos.cluster.Pause;
import dev.ottla.chaos.load.Topics;
import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/// Moves replicas, and nodes into the cluster and out of it. A move that is refused throws
/// [IllegalStateException]. Owned by the run's main thread.
final class Moves {
    private static final int AT_A_TIME = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration START = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final ClusterState state;

    /// As many as the cluster began with; one more is a guest.
    private final int nodes;

    /// Of each partition.
    private final int replicas;

    Moves(Cluster cluster, ClusterState state, int replicas) {
        this.cluster = cluster;
        this.state = state;
        this.replicas = replicas;
        nodes = cluster.ids().size();
    }

    /// Partitions for a move.
    List<TopicPartition> some(Random random) {
        List<TopicPartition> all = new ArrayList<>(Topics.partitions());
        all.sort(Comparator.comparing(TopicPartition::toString));
        Collections.shuffle(all, random);
        return all.subList(0, AT_A_TIME);
    }

    /// To as few replicas as can be written, or to others where there are more nodes.
    void shrink(List<TopicPartition> partitions, Random random) {
        reassign(partitions, random, nodes > replicas ? replicas : replicas - 1);
    }

    /// To all replicas, on any nodes.
    void spread(List<TopicPartition> partitions, Random random) {
        reassign(partitions, random, replicas);
    }

    private void reassign(List<TopicPartition> partitions, Random random, int count) {
        Map<TopicPartition, List<Integer>> wanted = new HashMap<>();
        for (TopicPartition partition : partitions) {
            List<Integer> ids = new ArrayList<>(cluster.ids());
            Collections.shuffle(ids, random);
            wanted.put(partition, List.copyOf(ids.subList(0, count)));
        }
        reassign(wanted);
    }

    private void reassign(Map<TopicPartition, List<Integer>> wanted) {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (!state.reassign(wanted)) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException("the move was not begun: " + wanted);
            }
            Pause.ofMs(100);
        }
    }

    /// To those that are not the node, and waits until that is done.
    void takeFrom(List<TopicPartition> partitions, int node) {
        Map<TopicPartition, List<Integer>> wanted = new HashMap<>();
        List<Integer> others = cluster.ids().stream().filter(id -> id != node).limit(2).toList();
        partitions.forEach(partition -> wanted.put(partition, others));
        reassign(wanted);
        awaitDone();
    }

    /// One more replica each, on the node.
    void giveTo(List<TopicPartition> partitions, int node) {
        Map<TopicPartition, List<Integer>> wanted = new HashMap<>();
        for (Partition partition : state.partitions(Topics.names())) {
            if (partitions.contains(partition.name())) {
                List<Integer> ids = new ArrayList<>(List.of(node));
                partition.replicas().stream()
                        .filter(id -> id != node)
                        .limit(replicas - 1)
                        .forEach(ids::add);
                wanted.put(partition.name(), ids);
            }
        }
        reassign(wanted);
    }

    private void awaitDone() {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (!state.movesAreDone(Topics.names())) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException("the move does not end");
            }
            Pause.ofMs(50);
        }
    }

    boolean areDone() {
        return state.movesAreDone(Topics.names());
    }

    /// Leaderships go to other replicas in sync: their order changes, then preferred ones are
    /// elected.
    String moveLeaders(Random random) {
        List<TopicPartition> chosen = some(random);
        Map<TopicPartition, Integer> before = new HashMap<>();
        Map<TopicPartition, List<Integer>> wanted = new HashMap<>();
        for (Partition partition : state.partitions(Topics.names())) {
            List<Integer> ids = new ArrayList<>(partition.replicas());
            Collections.shuffle(ids, random);
            ids.sort(Comparator.comparing(id -> !partition.isr().contains(id)));
            ids.sort(Comparator.comparing(id -> id == partition.leader()));
            if (chosen.contains(partition.name()) && partition.isr().contains(ids.getFirst())) {
                before.put(partition.name(), partition.leader());
                wanted.put(partition.name(), ids);
            }
        }
        if (!wanted.isEmpty()) {
            reassign(wanted);
            state.electPreferred(wanted.keySet());
        }
        long moved =
                state.partitions(Topics.names()).stream()
                        .filter(partition -> before.containsKey(partition.name()))
                        .filter(partition -> partition.leader() >= 0)
                        .filter(partition ->
                                !Objects.equals(before.get(partition.name()), partition.leader()))
                        .count();
        if (moved == 0) {
            throw new IllegalStateException("no leader has moved");
        }
        return moved + " leaders moved";
    }

    boolean allInSync() {
        List<Partition> partitions = state.partitions(Topics.names());
        return partitions.size() == Topics.partitions().size()
                && partitions.stream()
                        .allMatch(p -> p.isInSync() && p.replicas().size() >= replicas);
    }

    /// Of topics that are not there all the time, and those that clients do not see.
    boolean othersInSync() {
        Set<String> others = new HashSet<>(state.topicNames());
        if (!others.removeAll(Topics.names())) {
            return false; // Nobody answers.
        }
        List<Partition> partitions = state.partitions(others);
        return others.isEmpty()
                || (!partitions.isEmpty() && partitions.stream().allMatch(Partition::isInSync));
    }

    List<TopicPartition> withoutAllReplicas() {
        List<TopicPartition> incomplete = new ArrayList<>();
        for (Partition partition : state.partitions(Topics.names())) {
            if (partition.replicas().size() < replicas) {
                incomplete.add(partition.name());
            }
        }
        return incomplete;
    }

    /// One more node joins, is given partitions, is drained and taken out. Returns what happened.
    String joinAndLeave(Random random, Consumer<Duration> pause, Duration hold) throws IOException {
        OwnCluster own = cluster.own().orElseThrow();
        int guest = nodes + 1;
        if (!own.ids().contains(guest)) { // Else it failed to leave the last time.
            own.add(guest);
        }
        if (!own.awaitReady(guest, START)) {
            throw new IllegalStateException("node " + guest + " does not answer");
        }
        List<TopicPartition> partitions = some(random);
        giveTo(partitions, guest);
        pause.accept(hold);
        expect("drain", guest, "holds no partitions any more");
        own.stop(guest);
        expect("remove", guest, "no part of the cluster any more");
        own.forget(guest);
        spread(partitions, random);
        return "node %d was given %d partitions, drained and removed"
                .formatted(guest, partitions.size());
    }

    private void expect(String action, int node, String words) {
        long deadlineNs = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        String said;
        do {
            ChildProcess.Result result =
                    BrokerCommand.run(
                            "cluster",
                            action,
                            String.valueOf(node),
                            "--bootstrap",
                            cluster.bootstrap());
            said = result.out() + result.err();
            if (said.contains(words)) {
                return;
            }
            Pause.ofMs(200);
        } while (System.nanoTime() < deadlineNs);
        throw new IllegalStateException("'cluster %s' said: %s".formatted(action, said.strip()));
    }
}

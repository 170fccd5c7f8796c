package dev.ottla.cli;

import dev.ottla.cli.ClusterView.Node;
import dev.ottla.cli.ClusterView.Partition;
import dev.ottla.cli.ClusterView.State;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Shows a running cluster and moves its replicas. It asks one broker, whichever; the cluster does
/// the work.
final class ClusterCommand {
    private static final long POLL_MS = 500;
    private static final long PATIENCE_MS = 30_000;
    private static final int USUAL_FACTOR = 3;
    private static final int MOST_NAMES = 10;

    private final ClusterOptions options;
    private final PrintStream out;

    ClusterCommand(ClusterOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /// Returns false when there is no active controller, for scripts that look after a cluster.
    boolean run() throws InterruptedException {
        try (ClusterClient client = ClusterClient.open(options.bootstrap())) {
            switch (options.action()) {
                case STATUS -> {
                    return status(client);
                }
                case RAISE -> raise(client);
                case DRAIN -> drain(client, options.node().orElseThrow());
                case REMOVE -> remove(client, options.node().orElseThrow());
            }
            return true;
        }
    }

    // Showing.

    private boolean status(ClusterClient client) {
        ClusterView cluster = client.view();
        out.printf(
                "Cluster %s: %s, %s%n",
                cluster.clusterId(),
                count(cluster.nodes().size(), "broker"),
                cluster.controller() < 0
                        ? "no active controller"
                        : "the controller is node " + cluster.controller());
        if (cluster.controller() < 0) {
            out.printf(
                    "Nothing can be changed: %s.%nWhat follows is what %s knew last.%n",
                    cluster.noController(), client.address());
        }
        int width = "ADDRESS".length();
        for (Node node : cluster.nodes()) width = Math.max(width, node.address().length());
        String row = "  %-6s %-" + width + "s  %-8s %-5s  %-16s %8s %8s%n";
        out.printf(row, "NODE", "ADDRESS", "RACK", "VOTES", "STATE", "LEADS", "HOLDS");
        for (Node node : cluster.nodes()) {
            out.printf(
                    row,
                    node.id(),
                    node.address(),
                    node.rack().orElse("-"),
                    cluster.voter(node.id()).isPresent() ? "yes" : "no",
                    node.state(),
                    cluster.partitions(partition -> partition.leader() == node.id()).size(),
                    cluster.partitionsOn(node.id()).size());
        }
        out.printf(
                "%s in %s%n",
                count(cluster.partitions().size(), "partition"),
                count(
                        (int)
                                cluster.partitions().stream()
                                        .map(Partition::topic)
                                        .distinct()
                                        .count(),
                        "topic"));
        for (Node node : cluster.nodes()) {
            if (node.state() == State.FULL) {
                out.printf(
                        "The disk of node %d is full: it leads only what no other broker could, and has no part in elections of the controller. Free some room there; it goes on by itself then.%n",
                        node.id());
            }
        }
        for (Node node : cluster.nodes()) {
            if (node.state() == State.OTHER_CLUSTER) {
                out.printf(
                        "At %s answers a node of another cluster in place of node %d, which has no part in this one. If node %d was started there with an empty directory and without --join, it began that cluster: stop it, delete that directory, and start it with --join.%n",
                        node.address(), node.id(), node.id());
            }
        }
        cluster.voterTrouble().ifPresent(trouble -> out.printf("%s.%n", trouble));
        problem(cluster.partitions(partition -> partition.leader() < 0), "without a leader");
        problem(cluster.withSilentLeader(), "whose leader does not answer");
        problem(
                cluster.partitions(partition -> !partition.moving() && partition.isOutOfSync()),
                "with replicas that are not in sync");
        problem(cluster.partitions(Partition::moving), "on the way to other brokers");
        List<String> single = cluster.topicsWithOneReplica();
        if (cluster.takers().size() > 1 && !single.isEmpty()) {
            out.printf(
                    "%s with one replica: %s. './ottla cluster raise' gives them more.%n",
                    count(single.size(), "topic"), names(single));
        }
        return cluster.controller() >= 0;
    }

    private void problem(List<Partition> partitions, String what) {
        if (partitions.isEmpty()) return;
        out.printf(
                "%s %s: %s%n",
                count(partitions.size(), "partition"),
                what,
                names(partitions.stream().map(Partition::name).toList()));
    }

    private static String names(List<String> names) {
        String shown = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return names.size() > MOST_NAMES ? shown + ", …" : shown;
    }

    private static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    // Moving.

    private void raise(ClusterClient client) throws InterruptedException {
        ClusterView cluster = led(client);
        int takers = cluster.takers().size();
        int factor = options.factor().orElse(Math.min(USUAL_FACTOR, takers));
        if (factor > takers || takers < 2) {
            throw new ClusterFailure(
                    "%s can take replicas, which is too few for %s each. Start more: './ottla start --node-id ID --join HOST:PORT'"
                            .formatted(
                                    count(takers, "broker"),
                                    count(Math.max(2, factor), "replica")));
        }
        Set<String> topics = topics(cluster);
        ReplicaPlan plan =
                ReplicaPlan.raise(cluster, partition -> topics.contains(partition.topic()), factor);
        refuseStuck(plan, "have brokers for so many replicas");
        if (plan.moves().isEmpty()) {
            out.printf(
                    "Nothing to raise: no topic %s.%n",
                    options.topics().isEmpty()
                            ? "has one replica only"
                            : "that was named has fewer than " + count(factor, "replica"));
            return;
        }
        client.reassign(plan.moves());
        out.printf(
                "%s of %s: from now on %s each.%n",
                count(plan.moves().size(), "partition"),
                names(topics.stream().sorted().toList()),
                count(factor, "replica"));
        await(client, plan);
    }

    private Set<String> topics(ClusterView cluster) {
        if (options.topics().isEmpty()) return Set.copyOf(cluster.topicsWithOneReplica());
        Set<String> known =
                cluster.partitions().stream().map(Partition::topic).collect(Collectors.toSet());
        for (String topic : options.topics()) {
            if (!known.contains(topic)) {
                throw new ClusterFailure("there is no topic %s: check the name".formatted(topic));
            }
        }
        return Set.copyOf(options.topics());
    }

    private void drain(ClusterClient client, int nodeId) throws InterruptedException {
        ClusterView cluster = led(client);
        known(cluster, nodeId);
        if (options.undo()) {
            client.cordon(nodeId, false);
            out.printf("Node %d gets new replicas again.%n", nodeId);
            return;
        }
        ReplicaPlan plan = ReplicaPlan.drain(cluster, nodeId);
        refuseStuck(plan, "have another broker for the replica on node " + nodeId);
        client.cordon(nodeId, true);
        boolean mustVote = cluster.voters().size() == 1 && cluster.voter(nodeId).isPresent();
        if (!mustVote) takeVote(client, cluster, nodeId);
        client.reassign(plan.moves());
        out.printf(
                "Node %d gets nothing new; %s on the way to other brokers.%n",
                nodeId, count(plan.moves().size(), "partition"));
        if (!await(client, plan)) return;
        int left = client.view().partitionsOn(nodeId).size();
        if (left > 0) {
            throw new ClusterFailure(
                    "%s came to node %d while it was drained: run this again"
                            .formatted(count(left, "partition"), nodeId));
        }
        out.printf(
                "Node %d holds no partitions any more. %s%n",
                nodeId,
                mustVote
                        ? "It alone keeps the cluster's metadata, so it stays a part of the cluster until others do so too: run three nodes."
                        : "Stop it, then './ottla cluster remove %d' takes it out of the cluster."
                                .formatted(nodeId));
    }

    /// A node that still votes gets replicas again too.
    private void takeVote(ClusterClient client, ClusterView cluster, int nodeId)
            throws InterruptedException {
        try {
            new VoteTaking(client, out, options.waits()).take(nodeId);
        } catch (ClusterFailure e) {
            boolean before =
                    cluster.node(nodeId).stream().anyMatch(node -> node.state() == State.DRAINED);
            if (!before) client.cordon(nodeId, false);
            throw e;
        }
    }

    private void remove(ClusterClient client, int nodeId) throws InterruptedException {
        ClusterView cluster = led(client);
        VoteTaking vote = new VoteTaking(client, out, options.waits());
        if (cluster.node(nodeId).isEmpty() && cluster.voter(nodeId).isPresent()) {
            vote.take(nodeId);
            return;
        }
        Node node = known(cluster, nodeId);
        int held = cluster.partitionsOn(nodeId).size();
        if (held > 0) {
            throw new ClusterFailure(
                    "node %d holds %s: first './ottla cluster drain %d'"
                            .formatted(nodeId, count(held, "partition"), nodeId));
        }
        if (node.state() != State.STOPPED) {
            throw new ClusterFailure("node %d is running: stop it first".formatted(nodeId));
        }
        vote.take(nodeId);
        // Settings belong to registered brokers, and a new one with this id shall not have this
        // one.
        client.cordon(nodeId, false);
        client.unregister(nodeId);
        out.printf(
                "Node %d is no part of the cluster any more. Delete its data directory: started from it, it would join again.%n",
                nodeId);
    }

    /// A cluster in which something can be changed.
    private static ClusterView led(ClusterClient client) {
        ClusterView cluster = client.view();
        if (cluster.controller() < 0) throw new ClusterFailure(cluster.noController());
        return cluster;
    }

    private static Node known(ClusterView cluster, int nodeId) {
        return cluster.node(nodeId)
                .orElseThrow(() ->
                        new ClusterFailure(
                                "there is no node %d; the cluster has %s"
                                        .formatted(
                                                nodeId,
                                                cluster.nodes().stream()
                                                        .map(known -> Integer.toString(known.id()))
                                                        .collect(Collectors.joining(", ")))));
    }

    private static void refuseStuck(ReplicaPlan plan, String what) {
        if (plan.stuck().isEmpty()) return;
        throw new ClusterFailure(
                "%s do not %s: %s. Add a broker, or lower their number of replicas"
                        .formatted(
                                count(plan.stuck().size(), "partition"),
                                what,
                                names(plan.stuck().stream().map(Partition::name).toList())));
    }

    /// Returns whether all moves are complete; at once, and false, when nobody wants to wait.
    private boolean await(ClusterClient client, ReplicaPlan plan) throws InterruptedException {
        if (plan.moves().isEmpty()) return true;
        if (!options.waits()) return false;
        Set<String> own = new HashSet<>();
        plan.moves().forEach(move -> own.add(move.partition().name()));
        int before = own.size();
        long unchangedMs = 0;
        while (true) {
            List<String> left = client.moving().stream().filter(own::contains).toList();
            if (left.isEmpty()) {
                client.electPreferred(
                        plan.moves().stream().map(ReplicaPlan.Move::partition).toList());
                out.println("All replicas are in sync.");
                return true;
            }
            if (left.size() < before) {
                out.printf("  %s to go%n", count(left.size(), "partition"));
                before = left.size();
                unchangedMs = 0;
            } else if (unchangedMs >= PATIENCE_MS) {
                out.printf(
                        "  still copying, or waiting for a broker that is away: %s%n", names(left));
                unchangedMs = 0;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            unchangedMs += POLL_MS;
        }
    }
}

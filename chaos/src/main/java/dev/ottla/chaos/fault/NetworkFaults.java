package dev.ottla.chaos.fault;

import dev.ottla.chaos.cluster.Cluster;
import dev.ottla.chaos.cluster.OwnCluster;
import dev.ottla.testkit.NetworkSpaces;
import java.util.List;
import java.util.Random;

/// What goes wrong between nodes, or between them and clients. Owned by the run's main thread.
final class NetworkFaults {
    private static final int SLOWEST_KILOBITS = 64;

    /// Each twice as fast as the one before.
    private static final int SLOW_LINKS = 7;

    private static final int MOST_LOST_PERCENT = 30;
    private static final int MOST_OVERTAKEN_PERCENT = 40;

    private final Cluster cluster;
    private final Nodes nodes;

    NetworkFaults(Cluster cluster, Nodes nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
    }

    /// Returns what is to be told when it is over.
    String play(Strike strike, int node, Random random) {
        String told = begin(strike.fault(), node, random);
        nodes.pause(strike.hold());
        cluster.joinNetworks();
        return told;
    }

    private String begin(Fault fault, int node, Random random) {
        List<Integer> others = cluster.ids().stream().filter(id -> id != node).toList();
        switch (fault) {
            case NODE_CUT_OFF, CONTROLLER_CUT_OFF ->
                    others.forEach(other -> cutBothWays(node, other));
            case WHAT_A_NODE_SENDS_IS_LOST -> others.forEach(other -> cluster.cut(node, other));
            case WHAT_A_NODE_IS_SENT_IS_LOST -> others.forEach(other -> cluster.cut(other, node));
            case BRIDGE -> {
                // The node alone reaches both halves.
                int half = others.size() / 2;
                for (int one : others.subList(0, half)) {
                    others.subList(half, others.size()).forEach(other -> cutBothWays(one, other));
                }
            }
            case CLIENTS_CUT_OFF -> networks().cutFromHere(node);
            case LINK_SLOW -> {
                return slow(node, random);
            }
            case LINK_LOSES -> {
                int percent = 1 + random.nextInt(MOST_LOST_PERCENT);
                networks().lose(node, percent);
                return percent + " % are lost";
            }
            case LINK_REORDERS -> {
                return reorder(node, random);
            }
            default -> throw new IllegalArgumentException(fault + " is no fault of a network");
        }
        return "";
    }

    private void cutBothWays(int one, int other) {
        cluster.cut(one, other);
        cluster.cut(other, one);
    }

    /// From a link that is just too slow for the load to one that is almost none.
    private String slow(int node, Random random) {
        int kilobits = kilobits(random);
        int queueMs = 50 + random.nextInt(1_000);
        networks().slow(node, kilobits, queueMs);
        return "%d kbit/s, what waits more than %d ms is lost".formatted(kilobits, queueMs);
    }

    private String reorder(int node, Random random) {
        int percent = 1 + random.nextInt(MOST_OVERTAKEN_PERCENT);
        int kilobits = 4 * kilobits(random);
        networks().reorder(node, percent, kilobits);
        return "%d %% take a way of %d kbit/s and are overtaken".formatted(percent, kilobits);
    }

    private static int kilobits(Random random) {
        return SLOWEST_KILOBITS << random.nextInt(SLOW_LINKS);
    }

    private NetworkSpaces networks() {
        return cluster.own().flatMap(OwnCluster::networks).orElseThrow();
    }
}

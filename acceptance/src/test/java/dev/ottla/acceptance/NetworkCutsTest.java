package dev.ottla.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.NetworkSpaces;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// Networks between three nodes are cut under load, in one direction or both, while clients still
/// reach all of them: every partition is written on, and what was acknowledged is there, once and
/// in order.
@Order(1)
class NetworkCutsTest {
    private static final int NODES = 3;
    private static final long LONG_MS = 15_000;
    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 10 : 1;

    private final long seed = StoredRecords.seed(NetworkCutsTest.class);

    private enum Cut {
        NODE_FROM_ALL,
        CONTROLLER_FROM_ALL,
        FOLLOWER_FROM_LEADER,
        WHAT_A_NODE_SENDS,
        WHAT_THE_CONTROLLER_SENDS
    }

    @Test
    void acknowledgedRecordsSurviveCutNetworks() {
        assumeTrue(NetworkSpaces.isPossible(), "network namespaces need root on Linux");
        try (NetworkSpaces networks = NetworkSpaces.create(NODES);
                ClusterProcesses nodes =
                        ClusterProcesses.start(
                                NODES,
                                networks::place,
                                "broker.session.timeout.ms=3000",
                                "replica.lag.time.max.ms=3000",
                                "replica.socket.timeout.ms=3000");
                LoadedCluster cluster = new LoadedCluster(nodes, seed)) {
            for (int round = 0; round < ROUNDS; round++) {
                cluster.beginRound();
                for (Cut cut : Cut.values()) {
                    cutAndHeal(networks, cluster, cut);
                }
                cluster.endRound();
            }
        }
    }

    private static void cutAndHeal(NetworkSpaces networks, LoadedCluster cluster, Cut cut) {
        int controller = cluster.controller();
        List<Integer> others = cluster.except(controller);
        long beganNs = System.nanoTime();
        switch (cut) {
            case NODE_FROM_ALL -> {
                networks.cutBothWays(others.getFirst(), others.getLast());
                networks.cutBothWays(others.getFirst(), controller);
            }
            case CONTROLLER_FROM_ALL ->
                    others.forEach(other -> networks.cutBothWays(controller, other));
            case FOLLOWER_FROM_LEADER -> networks.cutBothWays(others.getFirst(), others.getLast());
            case WHAT_A_NODE_SENDS -> {
                networks.cut(others.getFirst(), others.getLast());
                networks.cut(others.getFirst(), controller);
            }
            case WHAT_THE_CONTROLLER_SENDS ->
                    others.forEach(other -> networks.cut(controller, other));
        }
        cluster.awaitProgress();
        long goesOnNs = System.nanoTime();
        networks.heal();
        cluster.awaitAllInSync();
        long healedMs = (System.nanoTime() - goesOnNs) / 1_000_000;
        System.out.printf(
                "%s: all partitions written on after %d ms, all in sync %d ms after it was healed.%n",
                cut, (goesOnNs - beganNs) / 1_000_000, healedMs);
        if (healedMs > LONG_MS) {
            System.out.println("That was long. " + cluster.nodes.output());
        }
    }
}

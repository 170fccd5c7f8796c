package dev.ottla.acceptance;

import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// Three nodes that all vote are killed, frozen and lose their data under load, the active
/// controller among them: every partition is written on, and what was acknowledged is there, once
/// and in order.
@Order(1)
class ClusterFaultsTest {
    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 10 : 1;

    private final long seed = StoredRecords.seed(ClusterFaultsTest.class);
    private final Random random = new Random(seed);

    private enum Fault {
        CONTROLLER_KILLED,
        CONTROLLER_FROZEN,
        NODE_RESTARTED_AT_ONCE,
        CONTROLLER_RESTARTED_AT_ONCE,
        NODE_KILLED,
        NODE_FROZEN,
        NODE_WIPED
    }

    @Test
    void acknowledgedRecordsSurviveFaultsOfAnyNode() {
        try (ClusterProcesses nodes =
                        ClusterProcesses.start(
                                3,
                                "broker.session.timeout.ms=6000",
                                "replica.socket.timeout.ms=6000");
                LoadedCluster cluster = new LoadedCluster(nodes, seed)) {
            for (int round = 0; round < ROUNDS; round++) {
                cluster.beginRound();
                for (Fault fault : Fault.values()) {
                    strike(cluster, fault);
                }
                cluster.endRound();
            }
        }
    }

    private void strike(LoadedCluster cluster, Fault fault) {
        int controller = cluster.controller();
        int other = cluster.except(controller).get(random.nextInt(2));
        long beganNs = System.nanoTime();
        switch (fault) {
            case CONTROLLER_KILLED -> killForAWhile(cluster, controller);
            case NODE_KILLED -> killForAWhile(cluster, other);
            case CONTROLLER_FROZEN -> freeze(cluster, controller);
            case NODE_FROZEN -> freeze(cluster, other);
            case CONTROLLER_RESTARTED_AT_ONCE -> restart(cluster, controller);
            case NODE_RESTARTED_AT_ONCE -> restart(cluster, other);
            case NODE_WIPED -> {
                Uuid lost = cluster.voteOf(other);
                cluster.nodes.node(other).kill();
                cluster.nodes.startWithoutData(other, controller);
                // Until then there is no majority without the controller.
                cluster.awaitVoteInPlaceOf(other, lost);
            }
        }
        cluster.awaitAllInSync();
        cluster.awaitProgress();
        System.out.printf(
                "%s: over after %d ms.%n", fault, (System.nanoTime() - beganNs) / 1_000_000);
    }

    private static void killForAWhile(LoadedCluster cluster, int node) {
        cluster.nodes.node(node).kill();
        cluster.awaitProgress();
        cluster.nodes.node(node).start();
    }

    private static void freeze(LoadedCluster cluster, int node) {
        cluster.nodes.node(node).freeze();
        try {
            cluster.awaitProgress();
        } finally {
            cluster.nodes.node(node).thaw();
        }
    }

    /// Before anybody has missed it.
    private static void restart(LoadedCluster cluster, int node) {
        cluster.nodes.node(node).kill();
        cluster.nodes.node(node).start();
    }
}

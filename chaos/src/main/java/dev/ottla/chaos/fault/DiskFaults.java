package dev.ottla.chaos.fault;

import dev.ottla.chaos.cluster.ClusterState;
import dev.ottla.chaos.cluster.ClusterState.Partition;
import dev.ottla.chaos.cluster.OwnCluster;
import dev.ottla.chaos.cluster.ReplicaDamage;
import dev.ottla.chaos.load.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;

/// What is done to the disk, the files and the clock of one node. Owned by the run's main thread.
final class DiskFaults {
    /// Until the others have taken over from a node that does not run.
    private static final Duration TAKE_OVER = Duration.ofSeconds(10);

    private static final int MOST_DAMAGED = 4;

    /// Longer than a disk may hang before others take over.
    private static final int HANGS_MS = 60_000;

    /// As far as records may be dated ahead of the broker's time, a little less.
    private static final long MOST_STEP_MS = Duration.ofMinutes(50).toMillis();

    private static final long LEAST_STEP_MS = 1_000;

    private final OwnCluster cluster;
    private final ClusterState state;
    private final Nodes nodes;

    DiskFaults(OwnCluster cluster, ClusterState state, Nodes nodes) {
        this.cluster = cluster;
        this.state = state;
        this.nodes = nodes;
    }

    /// Returns what is to be told when it is over.
    String play(Strike strike, int node, Random random) throws IOException {
        return switch (strike.fault()) {
            case DISK_FULL -> fill(strike, node);
            case DISK_SLOW -> slow(strike, node, random);
            case WRITES_FAIL, SYNCS_FAIL -> fail(strike, node, random);
            case POWER_LOST, WRITES_TORN -> losePower(strike, node, random);
            case BITS_FLIPPED, FILES_ROLLED_BACK, REPLICAS_EMPTIED -> damage(strike, node, random);
            case CLOCK_OF_A_NODE_AHEAD -> step(node, strike.hold(), 1, random);
            case CLOCK_OF_A_NODE_BEHIND -> step(node, strike.hold(), -1, random);
            default ->
                    throw new IllegalArgumentException(strike.fault() + " is no fault of a disk");
        };
    }

    /// A node that is just starting may refuse to: it must write what its recovery found.
    private String fill(Strike strike, int node) throws IOException {
        boolean starts = nodes.starting().contains(node);
        if (starts) {
            nodes.excuse(node, strike.fault());
        }
        cluster.fillDisk(node);
        nodes.pause(strike.hold());
        cluster.freeDisk(node);
        if (!starts) return "";
        String told = nodes.awaitReady(strike.patience());
        nodes.expectToRun(node);
        if (cluster.isRunning(node)) return told;
        nodes.launch(List.of(node));
        return "did not start; " + nodes.awaitReady(strike.patience());
    }

    private String slow(Strike strike, int node, Random random) {
        int syncMs = random.nextInt(4) == 0 ? HANGS_MS : 20 + random.nextInt(800);
        int writeMs = random.nextBoolean() ? 0 : 1 + random.nextInt(20);
        cluster.tell(node, "slow-syncs " + syncMs);
        cluster.tell(node, "slow-writes " + writeMs);
        nodes.pause(strike.hold());
        cluster.tell(node, "behave");
        return "syncs took %d ms, writes %d ms".formatted(syncMs, writeMs);
    }

    /// A broker gives up a directory that has failed, or ends because of it, until it is started
    /// again. What could not be synced may be gone then, though the writes had worked.
    private String fail(Strike strike, int node, Random random) {
        boolean isSync = strike.fault() == Fault.SYNCS_FAIL;
        nodes.excuse(node, strike.fault());
        cluster.tell(node, isSync ? "fail-syncs" : "fail-writes");
        nodes.pause(strike.hold());
        String end = "killed";
        if (!cluster.isRunning(node)) {
            end = "gave up";
        } else if (isSync) {
            cluster.losePower(List.of(node), OptionalLong.empty());
            end = "lost what was not synced";
        } else if (random.nextBoolean()) {
            cluster.kill(node);
        } else {
            cluster.tell(node, "behave");
            nodes.stop(cluster, node);
            end = "stopped";
        }
        nodes.launch(List.of(node));
        return end + "; " + nodes.awaitReady(strike.patience());
    }

    /// More is lost when the disk is slow.
    private String losePower(Strike strike, int node, Random random) {
        int syncMs = random.nextBoolean() ? 0 : 50 + random.nextInt(400);
        boolean atOnce = random.nextBoolean();
        if (syncMs > 0) {
            cluster.tell(node, "slow-syncs " + syncMs);
            nodes.pause(Duration.ofMillis(2L * syncMs));
        }
        cluster.losePower(
                List.of(node),
                strike.fault() == Fault.WRITES_TORN
                        ? OptionalLong.of(random.nextInt(Integer.MAX_VALUE))
                        : OptionalLong.empty());
        if (!atOnce) {
            nodes.pause(strike.hold());
        }
        nodes.launch(List.of(node));
        return "syncs took %d ms%s; %s"
                .formatted(
                        syncMs,
                        atOnce ? ", started again at once" : "",
                        nodes.awaitReady(strike.patience()));
    }

    /// Of a node that is in sync nowhere any more: what the others have then is all that counts.
    private String damage(Strike strike, int node, Random random) throws IOException {
        boolean inOrder = random.nextBoolean();
        if (inOrder) {
            nodes.stop(cluster, node);
        } else {
            cluster.kill(node);
        }
        try {
            if (!nodes.waitUntil(TAKE_OVER, () -> isNowhereInSync(node))) {
                throw new IllegalStateException("node " + node + " does not run and is in sync");
            }
            return "%s: %s"
                    .formatted(
                            inOrder ? "stopped" : "killed",
                            damage(strike.fault(), node, inOrder, random));
        } finally {
            nodes.launch(List.of(node));
            nodes.awaitReady(strike.patience());
        }
    }

    private boolean isNowhereInSync(int node) {
        List<Partition> partitions = state.partitions(Topics.names());
        return !partitions.isEmpty()
                && partitions.stream().noneMatch(partition -> partition.isr().contains(node));
    }

    private String damage(Fault fault, int node, boolean closed, Random random) throws IOException {
        ReplicaDamage damage = new ReplicaDamage(cluster.dataDir(node), closed, random);
        List<String> all =
                Topics.partitions().stream().map(TopicPartition::toString).sorted().toList();
        List<String> chosen = new ArrayList<>(damage.withRecords(all));
        Collections.shuffle(chosen, random);
        List<String> told = new ArrayList<>();
        int count = Math.min(1 + random.nextInt(MOST_DAMAGED), chosen.size());
        for (String partition : chosen.subList(0, count)) {
            told.add(
                    switch (fault) {
                        case BITS_FLIPPED -> damage.flipBits(partition);
                        case FILES_ROLLED_BACK -> damage.rollBack(partition);
                        default -> damage.empty(partition);
                    });
        }
        if (told.isEmpty()) {
            throw new IllegalStateException("node " + node + " has no records");
        }
        return String.join(", ", told);
    }

    /// There and back: two jumps.
    private String step(int node, Duration hold, int direction, Random random) {
        long ms = direction * random.nextLong(LEAST_STEP_MS, MOST_STEP_MS);
        cluster.tell(node, "step-clock " + ms);
        nodes.pause(hold);
        cluster.tell(node, "step-clock 0");
        return "by %d s".formatted(ms / 1_000);
    }
}

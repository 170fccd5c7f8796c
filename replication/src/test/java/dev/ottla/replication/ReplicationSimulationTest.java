package dev.ottla.replication;

import dev.ottla.testing.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Leaders and followers of one partition under crashes that lose what was not synced, lost disks,
/// restarts that nobody noticed, a network that loses, delays and cuts, and late news of the
/// cluster. After each step nothing committed is missing on a member of the ISR, logs are equal
/// below the high watermark, and each epoch had one leader; in the end everything comes together.
class ReplicationSimulationTest {
    private static final int STEPS = 600;

    @Test
    void nothingCommittedIsLost() {
        Seeds.run(
                "ReplicationSimulationTest",
                1_500,
                seed -> {
                    SplittableRandom random = new SplittableRandom(seed);
                    int size = 2 + random.nextInt(4);
                    int minInSyncReplicas = 1 + random.nextInt(size);
                    SimulatedCluster cluster =
                            new SimulatedCluster(random, size, minInSyncReplicas);
                    for (int step = 0; step < STEPS; step++) {
                        cluster.step();
                    }
                    cluster.settle();
                });
    }
}

package dev.ottla.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// One of three nodes has no byte left on its disk: what it leads and what it follows is written on
/// without it, and it comes back when there is room.
class FullDiskInClusterTest {
    private static final int FULL = 3;

    private final long seed = StoredRecords.seed(FullDiskInClusterTest.class);

    /// Nobody waits until a member of the ISR has lagged for too long: that would take for ever.
    private static final String PATIENT = "replica.lag.time.max.ms=3600000";

    @Test
    void writesGoOnWithoutTheNodeWhoseDiskIsFull() throws IOException {
        try (SmallDisk disk = SmallDisk.mount();
                ClusterProcesses nodes = ClusterProcesses.of(PATIENT)) {
            for (int id = 1; id < FULL; id++) nodes.add(id);
            nodes.add(FULL, "log.dirs=" + disk.path().resolve("data"));
            try (LoadedCluster cluster = new LoadedCluster(nodes, seed)) {
                cluster.beginRound();

                Path filler = disk.fillWhole();
                cluster.awaitNobodyNeeds(FULL);
                cluster.awaitProgress();

                Files.delete(filler);
                cluster.awaitAllInSync();
                cluster.awaitProgress();
                cluster.endRound();
            }
        }
    }
}

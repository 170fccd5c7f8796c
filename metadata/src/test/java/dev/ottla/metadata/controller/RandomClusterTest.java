package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.codec.MetadataCodec;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Random commands on a random cluster. The state, however it comes about, is the same: by
/// replaying on and on, from the bytes of all records at once, from a snapshot, by a difference.
/// And no clean election ever makes a leader of a replica that lacks committed records.
class RandomClusterTest {
    private static final int RUNS = 60;
    private static final int STEPS = 120;

    @Test
    void everyWayToTheStateGivesTheSameStateAndNothingCommittedIsLost() {
        Seeds.run("RandomClusterTest", RUNS, RandomClusterTest::run);
    }

    private static void run(long seed) {
        RandomCluster cluster = new RandomCluster(seed);
        ClusterImage before = ClusterImage.EMPTY;
        for (int step = 0; step < STEPS; step++) {
            cluster.step();
            if (step % 20 == 19) {
                ClusterImage now = cluster.cluster.image();
                assertSame(now, fromBytes(cluster.cluster.records));
                assertSame(now, replayed(ClusterImage.EMPTY, now.records()));
                assertSame(now, ImageDelta.between(before, now).apply(now.version()));
                before = now;
            }
        }
    }

    private static ClusterImage fromBytes(List<MetadataRecord> records) {
        List<MetadataRecord> decoded = new ArrayList<>();
        for (MetadataRecord record : records) {
            MetadataRecord copy = MetadataCodec.decode(MetadataCodec.encode(record));
            assertThat(copy).isEqualTo(record);
            decoded.add(copy);
        }
        return replayed(ClusterImage.EMPTY, decoded);
    }

    private static ClusterImage replayed(ClusterImage base, Iterable<MetadataRecord> records) {
        ImageDelta delta = new ImageDelta(base);
        delta.replayAll(records);
        return delta.apply(ImageVersion.NONE);
    }

    private static void assertSame(ClusterImage expected, ClusterImage actual) {
        assertThat(actual.sameContent(expected)).as("%s is %s", actual, expected).isTrue();
        assertThat(actual.partitionCount()).isEqualTo(expected.partitionCount());
    }
}

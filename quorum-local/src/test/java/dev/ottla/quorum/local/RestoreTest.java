package dev.ottla.quorum.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.quorum.store.SnapshotId;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A store whose contents come from an engine's snapshot.
final class RestoreTest {
    private final FakeDisk disk = new FakeDisk();

    @Test
    void anImageTakesThePlaceOfWhatWasThere() throws Exception {
        ClusterImage image = imageOfAnother();
        TestNode node = TestNode.started(disk, new Random(1), MetadataStoreOptions.DEFAULTS);
        MetadataStore store = node.store;

        store.restore(new SnapshotId(5000, 9), 77, image.records());

        assertThat(store.endOffset()).isEqualTo(5000);
        assertThat(store.latestEpoch()).isEqualTo(9);
        disk.crash(new Random(2));
        TestNode again = TestNode.started(disk, new Random(3), MetadataStoreOptions.DEFAULTS);
        assertThat(again.image().topic("other")).isPresent();
        assertThat(again.image().version().offset()).isGreaterThan(5000);
    }

    @Test
    void anOlderImageIsNotTaken() throws Exception {
        TestNode node = TestNode.started(disk, new Random(1), MetadataStoreOptions.DEFAULTS);
        Iterable<MetadataRecord> records = node.image().records();

        assertThatThrownBy(() -> node.store.restore(new SnapshotId(1, 1), 0, records))
                .hasMessageContaining("is to replace records up to");
    }

    private static ClusterImage imageOfAnother() throws Exception {
        TestNode other =
                TestNode.started(new FakeDisk(), new Random(4), MetadataStoreOptions.DEFAULTS);
        other.created(CreateTopic.named("other").withPartitions(3));
        return other.image();
    }
}

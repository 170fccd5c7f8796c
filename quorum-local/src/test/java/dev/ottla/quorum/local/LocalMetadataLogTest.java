package dev.ottla.quorum.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.PowerLoss;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.CreateTopic;
import dev.ottla.metadata.controller.CreatedTopic;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.quorum.store.SnapshotId;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class LocalMetadataLogTest {
    private static final MetadataStoreOptions SMALL =
            MetadataStoreOptions.DEFAULTS.withSizes(4096, 16_384, 10_000).withRetention(1, 1);

    private final FakeDisk disk = new FakeDisk();
    private final RandomGenerator random = new Random(5);

    private TestNode started() throws IOException {
        return TestNode.started(disk, random, MetadataStoreOptions.DEFAULTS);
    }

    @Test
    void anEmptyDirectoryBecomesACluster() throws IOException {
        TestNode node = started();

        assertThat(node.image().clusterId()).isPresent();
        assertThat(node.image().features()).isEqualTo(Features.ofNewCluster());
        assertThat(node.image().broker(1).orElseThrow().isActive()).isTrue();
    }

    @Test
    void nothingIsAnsweredBeforeItIsOnDisk() throws IOException {
        TestNode node = started();

        CompletableFuture<List<CreatedTopic>> reply = node.create(CreateTopic.named("t"));
        while (!node.tasks.isEmpty()) node.tasks.remove().run();
        assertThat(reply).isNotDone();
        assertThat(node.image().topic("t")).isEmpty();

        node.settle();
        assertThat(reply.resultNow().getFirst().error()).isEqualTo(ApiError.NONE);
        assertThat(node.image().topic("t")).isPresent();
    }

    @Test
    void aRestartFindsEverythingAndLeadsUnderANewEpoch() throws IOException {
        TestNode first = started();
        first.created(CreateTopic.named("t").withPartitions(3).withConfig("retention.ms", "1"));
        ClusterImage before = first.image();
        first.close();

        TestNode second = new TestNode(disk, random, MetadataStoreOptions.DEFAULTS);
        second.service.start();

        assertThat(second.image().sameContent(before)).isTrue();
        assertThat(second.image().version()).isEqualTo(before.version());
        second.registered();
        assertThat(second.image().version().epoch()).isEqualTo(before.version().epoch() + 1);
        assertThat(second.image().topic("t").orElseThrow().partitions())
                .allSatisfy(p -> assertThat(p.leaderEpoch()).isEqualTo(1));
    }

    @Test
    void anUncleanStopLosesNothingThatWasAnswered() throws IOException {
        TestNode first = started();
        first.created(CreateTopic.named("t"));
        ClusterImage before = first.image();
        disk.crash(random);

        TestNode second = new TestNode(disk, random, MetadataStoreOptions.DEFAULTS);
        second.service.start();

        assertThat(second.image().sameContent(before)).isTrue();
    }

    @Test
    void snapshotsShortenTheLog() throws IOException {
        TestNode node = TestNode.started(disk, random, SMALL);
        for (int i = 0; i < 400; i++) {
            node.created(CreateTopic.named("t" + i));
        }
        ClusterImage before = node.image();
        List<String> files = disk.list(TestNode.LOG_PATH);

        assertThat(files).filteredOn(name -> name.endsWith(".checkpoint")).hasSize(2);
        assertThat(files).filteredOn(name -> name.endsWith(".log")).hasSizeLessThan(4);
        node.close();
        TestNode second = new TestNode(disk, random, SMALL);
        second.service.start();
        assertThat(second.image().sameContent(before)).isTrue();
    }

    @Test
    void snapshotsStayAsLongAsThereIsRoomForThem() throws IOException {
        MetadataStoreOptions roomy = SMALL.withRetention(1 << 20, Long.MAX_VALUE);
        TestNode node = TestNode.started(disk, random, roomy);
        for (int i = 0; i < 400; i++) node.created(CreateTopic.named("t" + i));

        assertThat(disk.list(TestNode.LOG_PATH))
                .filteredOn(name -> name.endsWith(".checkpoint"))
                .hasSizeGreaterThan(3);
    }

    @Test
    void aSnapshotIsWrittenInTimeWhenThereIsSomethingNew() throws IOException {
        TestNode node = started();
        node.log.sweep();
        node.settle();
        assertThat(disk.list(TestNode.LOG_PATH)).noneMatch(n -> n.endsWith(".checkpoint"));

        node.nowMs += MetadataStoreOptions.DEFAULTS.snapshotIntervalMs();
        node.log.sweep();
        node.settle();
        assertThat(disk.list(TestNode.LOG_PATH))
                .filteredOn(n -> n.endsWith(".checkpoint"))
                .hasSize(1);

        node.nowMs += MetadataStoreOptions.DEFAULTS.snapshotIntervalMs();
        node.log.sweep();
        node.settle();
        assertThat(disk.list(TestNode.LOG_PATH))
                .filteredOn(n -> n.endsWith(".checkpoint"))
                .as("nothing is new")
                .hasSize(1);
    }

    @Test
    void aSnapshotThatFailsDoesNotKeepTheNextOneFromBeingWritten() throws IOException {
        TestNode node = started();
        long offset = node.image().version().offset();
        int epoch = node.image().version().epoch();
        node.log.snapshot(
                offset,
                epoch,
                () -> {
                    throw new IllegalStateException("planned");
                });
        node.settle();

        node.log.snapshot(offset, epoch, node.image().records());
        node.settle();

        assertThat(disk.list(TestNode.LOG_PATH))
                .filteredOn(n -> n.endsWith(".checkpoint"))
                .hasSize(1);
    }

    @Test
    void aDamagedSnapshotIsPassedOver() throws IOException {
        TestNode node = TestNode.started(disk, random, SMALL);
        for (int i = 0; i < 400; i++) {
            node.created(CreateTopic.named("t" + i));
        }
        ClusterImage before = node.image();
        node.close();
        String newest =
                disk.list(TestNode.LOG_PATH).stream()
                        .filter(name -> name.endsWith(".checkpoint"))
                        .max(String::compareTo)
                        .orElseThrow();
        disk.damage(TestNode.LOG_PATH.resolve(newest), 300);

        TestNode second = new TestNode(disk, random, SMALL);
        second.service.start();

        assertThat(second.image().sameContent(before)).isTrue();
    }

    @Test
    void aCommandLargerThanABatchTakesEffectAsAWhole() throws IOException {
        TestNode node = TestNode.started(disk, random, SMALL);

        CreatedTopic reply = node.created(CreateTopic.named("t").withPartitions(1000));

        assertThat(reply.error()).isEqualTo(ApiError.NONE);
        assertThat(node.image().topic("t").orElseThrow().partitionCount()).isEqualTo(1000);
        ClusterImage before = node.image();
        node.close();
        TestNode second = new TestNode(disk, random, SMALL);
        second.service.start();
        assertThat(second.image().sameContent(before)).isTrue();
    }

    @Test
    void halfATransactionIsForgotten() throws IOException {
        TestNode node = TestNode.started(disk, random, SMALL);
        CompletableFuture<List<CreatedTopic>> reply =
                node.create(CreateTopic.named("t").withPartitions(1000));
        disk.crashAfter(12);
        assertThatThrownBy(node::settle).isInstanceOf(PowerLoss.class);
        assertThat(reply).isNotDone();
        disk.crash(random);

        TestNode second = TestNode.started(disk, random, SMALL);

        assertThat(second.image().topic("t")).isEmpty();
        second.created(CreateTopic.named("t").withPartitions(1000));
        assertThat(second.image().topic("t").orElseThrow().partitionCount()).isEqualTo(1000);
        assertThat(second.image().topic("t").orElseThrow().partitions())
                .extracting(PartitionState::leader)
                .containsOnly(1);
    }

    @Test
    void aFullDiskRefusesAndGoesOnWhenThereIsRoom() throws IOException {
        TestNode node = started();
        disk.capacity(1);
        CompletableFuture<List<CreatedTopic>> refused = node.create(CreateTopic.named("t"));
        node.settle();
        assertThatThrownBy(refused::join).hasCauseInstanceOf(NotControllerException.class);
        assertThat(node.image().topic("t")).isEmpty();

        node.log.sweep();
        node.settle();
        assertThat(node.service.isLeader()).isFalse();

        disk.capacity(Long.MAX_VALUE);
        node.log.sweep();
        node.settle();
        CompletableFuture<List<CreatedTopic>> taken = node.create(CreateTopic.named("t"));
        node.settle();
        assertThat(taken.resultNow().getFirst().error()).isEqualTo(ApiError.NONE);
        ClusterImage before = node.image();
        disk.crash(random);
        TestNode second = new TestNode(disk, random, MetadataStoreOptions.DEFAULTS);
        second.service.start();
        assertThat(second.image().sameContent(before)).isTrue();
    }

    @Test
    void aFailedSyncEndsTheLeadership() throws IOException {
        TestNode node = started();
        disk.failSyncs(true);

        CompletableFuture<List<CreatedTopic>> reply = node.create(CreateTopic.named("t"));
        node.settle();

        assertThatThrownBy(reply::join).hasCauseInstanceOf(NotControllerException.class);
        assertThat(node.service.isLeader()).isFalse();
        assertThat(node.image().topic("t")).isEmpty();
    }

    @Test
    void theQuorumIsThisNode() throws IOException {
        TestNode node = started();

        QuorumState quorum = node.log.quorum();

        assertThat(quorum.leaderId()).isEqualTo(1);
        assertThat(quorum.leaderEpoch()).isEqualTo(1);
        assertThat(quorum.highWatermark()).isEqualTo(node.image().version().offset() + 1);
        assertThat(quorum.voters()).hasSize(1);
        assertThat(quorum.voters().getFirst().directoryId()).isEqualTo(TestNode.DIRECTORY_ID);
        assertThat(quorum.observers()).isEmpty();
    }

    @Test
    void snapshotNamesAreKafkas() {
        SnapshotId id = new SnapshotId(1234, 7);

        assertThat(id.fileName()).isEqualTo("00000000000000001234-0000000007.checkpoint");
        assertThat(SnapshotId.parse(id.fileName())).contains(id);
        assertThat(SnapshotId.parse("00000000000000001234.log")).isEmpty();
        assertThat(SnapshotId.parse("0000000000000000123x-0000000007.checkpoint")).isEmpty();
    }

    @Test
    void theClusterIdOfANewClusterIsTheOneThatWasAskedFor() throws IOException {
        Uuid expected = Uuid.random(new Random(99));
        TestNode node = TestNode.started(disk, new Random(99), MetadataStoreOptions.DEFAULTS);

        assertThat(node.image().clusterId()).contains(expected);
    }
}

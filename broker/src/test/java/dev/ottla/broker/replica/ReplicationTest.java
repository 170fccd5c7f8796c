package dev.ottla.broker.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.coordinator.InternalTopics;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.partition.Deletion;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.IsrChanges;
import dev.ottla.broker.partition.PartitionError;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PendingAppend;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.log.AppendOutcome;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.ReadOutcome;
import dev.ottla.log.SpaceMarks;
import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.controller.AlterConfigs;
import dev.ottla.metadata.controller.ConfigOp;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.record.BatchBuilder;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.record.RecordCursor;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/// Leaders and followers with real logs, sessions and shards, between nodes that reach each other
/// without a network.
@Timeout(60)
class ReplicationTest {
    private static final int NODES = 3;

    /// Leaders keep followers in the ISR that are silent.
    private static final String PATIENT = "patient";

    private final ExecutorService metadataThread = Executors.newSingleThreadExecutor();
    private final TestMetadata metadata = onMetadata(() -> new TestMetadata(NODES));
    private final Map<Integer, ReplicaNode> nodes = new ConcurrentHashMap<>();
    private final Map<Integer, FakeDisk> disks = new HashMap<>();
    private final Map<String, String> config =
            new HashMap<>(
                    Map.of(
                            "replica.lag.time.max.ms", "1500",
                            "replica.fetch.wait.max.ms", "200",
                            "replica.fetch.backoff.ms", "100"));
    private PartitionKey key = new PartitionKey(Uuid.ZERO, 0);

    @BeforeEach
    void start(TestInfo test) {
        if (test.getTags().contains(PATIENT)) config.put("replica.lag.time.max.ms", "60000");
        onMetadata(() -> {
            metadata.service().addListener(this::publish);
            return 0;
        });
        for (int id = 1; id <= NODES; id++) {
            disks.put(id, new FakeDisk());
            startNode(id, directory(id));
        }
        key = create("orders", List.of(1, 2, 3));
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (ReplicaNode node : List.copyOf(nodes.values())) {
            node.kill();
        }
        metadataThread.shutdown();
    }

    @Test
    void acknowledgedRecordsAreOnEveryReplica() throws Exception {
        for (int i = 0; i < 50; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }

        List<Long> onLeader = values(1);
        assertThat(onLeader).hasSize(50);
        for (int id = 2; id <= NODES; id++) {
            assertThat(values(id)).isEqualTo(onLeader);
            assertThat(flushedEnd(id)).isEqualTo(50);
        }
    }

    @Test
    void followersLearnTheHighWatermark() throws Exception {
        append(1, 7).get(10, TimeUnit.SECONDS);

        await(() -> highWatermark(2) == 1 && highWatermark(3) == 1);
    }

    @Test
    void followersThatWaitHearOfTheHighWatermarkSoon() throws Exception {
        for (int id = 1; id <= NODES; id++) {
            kill(id);
        }
        config.put("replica.fetch.wait.max.ms", "60000"); // Nothing else ends the waiting.
        for (int id = 1; id <= NODES; id++) {
            startNode(id, directory(id));
        }
        await(() -> nodes.keySet().stream().anyMatch(this::isLeading));
        int leader = state().leader();
        append(leader, 7).get(10, TimeUnit.SECONDS);
        append(leader, 8).get(10, TimeUnit.SECONDS);

        await(() -> nodes.keySet().stream().allMatch(id -> id == leader || highWatermark(id) == 2));
    }

    @Test
    void deletionIsDoneWhenNoLivingReplicaHasTheRecords() throws Exception {
        for (int i = 0; i < 5; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }

        delete(1, 2).get(10, TimeUnit.SECONDS);
        assertThat(logStart(2)).isEqualTo(2);
        assertThat(logStart(3)).isEqualTo(2);

        node(3).serving = false;
        kill(3);
        CompletableFuture<Void> waits = delete(1, 4);
        await(() -> logStart(2) == 4);
        assertThat(waits).isNotDone();
        fence(3);
        waits.get(10, TimeUnit.SECONDS);
    }

    /// Completes when the deletion is done everywhere.
    private CompletableFuture<Void> delete(int leader, long offset) {
        CompletableFuture<Void> deleted = new CompletableFuture<>();
        Deletion deletion =
                new Deletion() {
                    @Override
                    public long offset() {
                        return offset;
                    }

                    @Override
                    public void onDeleted() {
                        deleted.complete(null);
                    }

                    @Override
                    public void onUnavailable() {
                        deleted.completeExceptionally(new IllegalStateException("unavailable"));
                    }
                };
        node(leader)
                .ask(
                        key,
                        partition -> {
                            HostedPartition present = Objects.requireNonNull(partition);
                            present.log()
                                    .advanceLogStartOffset(
                                            offset, () -> present.awaitDeleted(deletion));
                            return 0;
                        });
        return deleted;
    }

    private long logStart(int id) {
        return node(id).ask(key, partition -> log(partition).logStartOffset());
    }

    @Test
    @Tag("config:replica.fetch.wait.max.ms")
    @Tag("config:replica.fetch.min.bytes")
    @Tag("config:replica.fetch.max.bytes")
    @Tag("config:replica.fetch.response.max.bytes")
    @Tag("config:replica.socket.timeout.ms")
    void requestsAreAsTheKeysSay() throws Exception {
        kill(3);
        config.put("replica.fetch.wait.max.ms", "111");
        config.put("replica.fetch.min.bytes", "2");
        config.put("replica.fetch.max.bytes", "333");
        config.put("replica.fetch.response.max.bytes", "4444");
        config.put("replica.socket.timeout.ms", "5555");

        startNode(3, directory(3));
        await(() -> node(3).asked != null);

        FetchRequest asked = Objects.requireNonNull(node(3).asked);
        assertThat(asked.maxWaitMs()).isEqualTo(111);
        assertThat(asked.minBytes()).isEqualTo(2);
        assertThat(asked.topics().getFirst().partitions().getFirst().partitionMaxBytes())
                .isEqualTo(333);
        assertThat(asked.maxBytes()).isEqualTo(4444);
        assertThat(node(3).patienceMs).isEqualTo(5555);
    }

    @Test
    @Tag("config:num.replica.fetchers")
    void partitionsAreDividedAmongTheFetchersOfALeader() throws Exception {
        for (int i = 0; i < 20; i++) {
            create("more-" + i, List.of(1, 3));
        }
        kill(3);
        config.put("num.replica.fetchers", "2");

        startNode(3, directory(3));
        await(() -> state().isr().size() == 3);
        append(1, 1).get(10, TimeUnit.SECONDS);

        assertThat(node(3).connections.get()).isGreaterThanOrEqualTo(2);
    }

    @Test
    @Tag("config:replica.fetch.backoff.ms")
    void pausesGrowUpToTheBackoff() {
        FetcherSettings settings =
                FetcherSettings.of(
                        new ConfigResolver(
                                        BrokerLayers.of(Map.of("replica.fetch.backoff.ms", "300")),
                                        Surroundings.of(1, 1))
                                .broker());

        assertThat(settings.backoffMs(0)).isEqualTo(20);
        assertThat(settings.backoffMs(2)).isEqualTo(80);
        assertThat(settings.backoffMs(1_000)).isEqualTo(300);
    }

    @Test
    @Tag("config:replica.lag.time.max.ms")
    void followerThatIsSilentLeavesTheIsrAndComesBack() throws Exception {
        append(1, 0).get(10, TimeUnit.SECONDS);
        kill(3);

        CompletableFuture<Void> waits = append(1, 1);
        waits.get(10, TimeUnit.SECONDS);
        assertThat(state().isr()).containsExactlyInAnyOrder(1, 2);

        startNode(3, directory(3));
        await(() -> state().isr().size() == 3);
        assertThat(values(3)).isEqualTo(values(1));
    }

    @Test
    void whatAFormerLeaderHasMoreIsCutAway() throws Exception {
        append(1, 0).get(10, TimeUnit.SECONDS);
        nodes.values().forEach(node -> node.serving = false);
        CompletableFuture<Void> lost = append(1, 666);
        await(() -> flushedEnd(1) == 2);

        fence(1);
        await(() -> isLeading(2));
        nodes.values().forEach(node -> node.serving = true);
        unfence(1);

        assertThat(lost).failsWithin(Duration.ofSeconds(10));
        append(2, 1).get(10, TimeUnit.SECONDS);
        append(2, 2).get(10, TimeUnit.SECONDS);
        await(() -> values(1).equals(List.of(0L, 1L, 2L)) && state().isr().size() == 3);
        assertThat(values(3)).isEqualTo(List.of(0L, 1L, 2L));
    }

    @Test
    void lostDiskIsFilledAgain() throws Exception {
        for (int i = 0; i < 20; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }
        kill(2);
        disks.put(2, new FakeDisk());

        startNode(2, new Uuid(2002, 2002));

        await(() -> state().isr().size() == 3 && values(2).equals(values(1)));
    }

    @Test
    void coordinatorsCommitWhileTheDisksOfAllRefuseProducers() throws Exception {
        PartitionKey orders = key;
        append(1, 0).get(10, TimeUnit.SECONDS);
        for (ReplicaNode node : nodes.values()) {
            disk(node.id).capacity(1_000_000);
            wantRoom(node, 1_000_000);
        }
        assertThat(append(1, 1)).failsWithin(Duration.ofSeconds(10));

        key = create(InternalTopics.CONSUMER_OFFSETS, List.of(1, 2, 3));
        append(1, 2, AppendOrigin.COORDINATOR).get(10, TimeUnit.SECONDS);
        assertThat(state().isr()).hasSize(3);

        nodes.values().forEach(node -> wantRoom(node, 1_000));
        key = orders;
        append(1, 3).get(10, TimeUnit.SECONDS);
        assertThat(values(3)).isEqualTo(List.of(0L, 3L));
    }

    private static void wantRoom(ReplicaNode node, long bytes) {
        node.directory.updateSpaceMarks(SpaceMarks.of(bytes, bytes, 0));
        node.directory.checkSpace();
    }

    /// Another one may lead by then and be further.
    @Test
    @Tag(PATIENT)
    void leaderWhoseFollowersAreSilentDoesNotTellWhereThePartitionEnds() throws Exception {
        int leader = state().leader();
        append(leader, 0).get(10, TimeUnit.SECONDS);
        unconfirm(node(leader));
        assertThat(node(leader).latestError(key)).isZero();

        for (int id = 1; id <= NODES; id++) {
            if (id != leader) kill(id);
        }

        await(() -> node(leader).latestError(key) == ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
        for (int id = 1; id <= NODES; id++) {
            if (id != leader) startNode(id, directory(id));
        }
        await(() -> node(leader).latestError(key) == ErrorCode.NONE.code());
    }

    @Test
    @Tag(PATIENT)
    void leaderThatHearsOfTheControllerNeedsNoFollowers() throws Exception {
        int leader = state().leader();
        ReplicaNode confirmed = node(leader);
        append(leader, 0).get(10, TimeUnit.SECONDS);
        for (int id = 1; id <= NODES; id++) {
            if (id != leader) kill(id);
        }
        unconfirm(confirmed);
        await(() -> confirmed.latestError(key) == ErrorCode.NOT_LEADER_OR_FOLLOWER.code());

        confirmed.shard.execute(() ->
                confirmed.partitions.confirmed(
                        confirmed.shard.nowNs() + TimeUnit.HOURS.toNanos(1)));
        await(() -> confirmed.latestError(key) == ErrorCode.NONE.code());
    }

    /// As from the first heartbeat on until one is answered.
    private static void unconfirm(ReplicaNode node) {
        node.shard.execute(() -> node.partitions.confirmed(node.shard.nowNs()));
    }

    @Test
    @Tag(PATIENT)
    void leaderThatIsCutOffLetsConsumersReadWhatItHasAndWaitElsewhere() throws Exception {
        int leader = state().leader();
        ReplicaNode cutOff = node(leader);
        append(leader, 0).get(10, TimeUnit.SECONDS);
        for (int id = 1; id <= NODES; id++) {
            if (id != leader) kill(id);
        }
        assertThat(cutOff.consume(key, 1, "").errorCode()).isZero();

        cutOff.shard.execute(() -> cutOff.partitions.outOfTouch(true));
        await(() ->
                cutOff.consume(key, 1, "").errorCode() == ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
        assertThat(cutOff.consume(key, 0, "").records()).isInstanceOf(BufferRecords.class);

        for (int id = 1; id <= NODES; id++) {
            if (id != leader) startNode(id, directory(id));
        }
        await(() -> cutOff.consume(key, 1, "").errorCode() == ErrorCode.NONE.code());
        append(leader, 1).get(10, TimeUnit.SECONDS);
    }

    @Test
    void damagedReplicaLeavesTheIsrAtOnceAndIsCopiedAgain() throws Exception {
        for (int i = 0; i < 20; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }
        for (int id = 1; id <= NODES; id++) {
            config.put("replica.lag.time.max.ms", "60000");
            kill(id);
            startNode(id, directory(id));
            await(() -> state().isr().size() == 3);
        }
        int leader = state().leader();
        int damaged = leader == 2 ? 3 : 2;
        kill(damaged);
        damage(disk(damaged), Path.of("/data/orders-0/partition.metadata"));

        startNode(damaged, directory(damaged));
        append(leader, 20).get(10, TimeUnit.SECONDS);

        await(() -> state().isr().size() == 3 && values(damaged).equals(values(leader)));
        assertThat(disk(damaged).list(Path.of("/data")))
                .anyMatch(name -> name.startsWith("orders-0.") && name.endsWith("-stray"));
    }

    /// After a stop in order its log is answered for before anybody has looked at its files.
    @Test
    @Tag(PATIENT)
    void replicaThatIsNotAsItWasClosedIsCopiedAgain() throws Exception {
        for (int i = 0; i < 20; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }
        int leader = state().leader();
        int damaged = leader == 2 ? 3 : 2;
        await(() -> highWatermark(damaged) == 20);
        node(damaged).stop();
        kill(damaged);
        Path segment = Path.of("/data/orders-0/00000000000000000000.log");
        try (DiskFile file = disk(damaged).open(segment, Disk.OpenMode.WRITE)) {
            file.truncate(file.size() / 2);
        }

        startNode(damaged, directory(damaged));
        append(leader, 20).get(10, TimeUnit.SECONDS);

        await(() -> state().isr().size() == 3 && values(damaged).equals(values(leader)));
        assertThat(disk(damaged).list(Path.of("/data")))
                .anyMatch(name -> name.startsWith("orders-0.") && name.endsWith("-stray"));
    }

    /// As if the log were one of another topic.
    private static void damage(FakeDisk disk, Path metadata) throws IOException {
        DiskIo.replaceText(disk, metadata, "version: 0\ntopic_id: " + new Uuid(6, 6));
    }

    @Test
    @Tag("config:follower.replication.throttled.rate")
    @Tag("config:follower.replication.throttled.replicas")
    void throttledReplicaIsFilledAtTheRateOfTheSettings() throws Exception {
        int count = 20;
        for (int i = 0; i < count; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }
        long bytes = log(node(1).partitions.hosted(key).orElseThrow()).sizeBytes();
        throttle("follower.replication.throttled.replicas", "0:2");
        kill(2);
        disks.put(2, new FakeDisk());
        config.put("replica.fetch.max.bytes", "1"); // One batch at a time.
        config.put("follower.replication.throttled.rate", Long.toString(bytes));

        long startNs = System.nanoTime();
        startNode(2, new Uuid(2002, 2002));
        append(1, count).get(10, TimeUnit.SECONDS);
        await(() -> state().isr().size() == 3 && values(2).equals(values(1)));

        // A second for all; the last batch is not waited for.
        assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
    }

    @Test
    @Tag("config:leader.replication.throttled.rate")
    @Tag("config:leader.replication.throttled.replicas")
    void leaderServesAThrottledReplicaAtTheRateOfTheSettings() throws Exception {
        int count = 20;
        for (int i = 0; i < count; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }
        long bytes = log(node(1).partitions.hosted(key).orElseThrow()).sizeBytes();
        throttle("leader.replication.throttled.replicas", "*");
        kill(2);
        fence(2);
        disks.put(2, new FakeDisk());
        config.put("replica.fetch.max.bytes", "1"); // One batch at a time.
        config.put("leader.replication.throttled.rate", Long.toString(bytes));
        for (int id : List.of(1, 3)) {
            kill(id);
            startNode(id, directory(id));
            await(() -> state().isr().size() == 2);
        }

        long startNs = System.nanoTime();
        startNode(2, new Uuid(2002, 2002));
        await(() -> state().isr().size() == 3 && values(2).size() == count);

        assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
    }

    private void throttle(String key, String replicas) {
        AlterConfigs change =
                new AlterConfigs(
                        ConfigResource.topic("orders"), List.of(ConfigOp.set(key, replicas)));
        onMetadata(() ->
                metadata.service()
                        .submit(controller -> controller.alterConfigs(List.of(change), false))
                        .join());
    }

    @Test
    void powerLossOfAllLosesNothingAcknowledged() throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 30; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }
        var _ = append(1, 30); // Nobody knows whether it stays.
        for (int id = 1; id <= NODES; id++) {
            kill(id);
            disk(id).crash(random);
        }

        for (int id = 1; id <= NODES; id++) {
            startNode(id, directory(id));
        }
        await(() -> nodes.keySet().stream().anyMatch(this::isLeading));
        int leader = state().leader();
        append(leader, 31).get(20, TimeUnit.SECONDS);

        List<Long> values = values(leader);
        for (long i = 0; i < 30; i++) {
            assertThat(values).contains(i);
        }
        await(() ->
                values(1).equals(values) && values(2).equals(values) && values(3).equals(values));
    }

    @Test
    @Tag("config:replica.high.watermark.checkpoint.interval.ms")
    void consumersReadOnUpToTheHighWatermarkThatWasNotedBeforeAllStopped() throws Exception {
        for (int i = 0; i < 5; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }
        await(() -> highWatermark(2) == 5);
        nodes.values().forEach(node -> node.shard.execute(node.partitions::noteHighWatermarks));
        for (int id = 1; id <= NODES; id++) {
            kill(id);
        }
        fence(2);
        fence(3);

        startNode(1, directory(1));
        await(() -> isLeading(1));
        FetchResponse.PartitionData led = node(1).consume(key, 0, "");
        assertThat(led.highWatermark()).isEqualTo(5);
        assertThat(led.records()).isInstanceOf(BufferRecords.class);

        node(1).serving = false;
        startNode(2, directory(2));
        await(() -> node(2).ask(key, open -> open != null && open.isFollowing()));
        FetchResponse.PartitionData followed = node(2).consume(key, 0, "");
        assertThat(followed.highWatermark()).isEqualTo(5);
        // At its end it cannot say that there is no more before it has heard of the leader.
        assertThat(node(2).consume(key, 5, "").errorCode())
                .isEqualTo(ErrorCode.OFFSET_NOT_AVAILABLE.code());
        node(1).serving = true;
        await(() -> node(2).consume(key, 5, "").errorCode() == ErrorCode.NONE.code());
    }

    @Test
    void followerBeginsAnewWhereTheLeadersLogDoes() throws Exception {
        PartitionKey later = create("later", List.of(1, 3));
        key = later;
        kill(3);
        onMetadata(() -> {
            metadata.fence(3);
            return 0;
        });
        for (int i = 0; i < 5; i++) {
            append(1, i).get(10, TimeUnit.SECONDS);
        }
        node(1).ask(
                        key,
                        partition -> {
                            log(partition).advanceLogStartOffset(3, () -> {});
                            return 0;
                        });

        startNode(3, directory(3));

        await(() -> state().isr().size() == 2 && values(3).equals(List.of(3L, 4L)));
    }

    @Test
    void partitionWithoutRecordsTakesNoPlaceOnFollowers() throws Exception {
        PartitionKey idle = create("idle", List.of(1, 2, 3));
        append(1, 1).get(10, TimeUnit.SECONDS);

        assertThat(node(2).<Boolean>ask(idle, partition -> partition == null)).isTrue();
        assertThat(node(2).<Boolean>ask(key, partition -> partition == null)).isFalse();
    }

    @Test
    @Tag("config:replica.selector.class")
    void consumerIsSentToTheReplicaInItsRackIfTheKeySaysSo() throws Exception {
        append(1, 1).get(10, TimeUnit.SECONDS);
        assertThat(node(1).consume(key, 0, "rack-3").preferredReadReplica()).isEqualTo(-1);
        for (int id = 1; id <= NODES; id++) {
            kill(id);
        }
        config.put(
                "replica.selector.class",
                "org.apache.kafka.common.replica.RackAwareReplicaSelector");
        for (int id = 1; id <= NODES; id++) {
            startNode(id, directory(id));
        }
        await(() -> state().isr().size() == 3 && isLeading(state().leader()));
        ReplicaNode leader = node(state().leader());
        ReplicaNode other = node(leader.id == 3 ? 2 : 3);
        append(leader.id, 2).get(10, TimeUnit.SECONDS);
        await(() -> highWatermark(other.id) == 2);

        assertThat(leader.consume(key, 0, "rack-" + other.id).preferredReadReplica())
                .isEqualTo(other.id);
        assertThat(leader.consume(key, 0, "rack-" + leader.id).records()).isNotNull();
        assertThat(leader.consume(key, 0, "rack-9").preferredReadReplica()).isEqualTo(-1);
        FetchResponse.PartitionData nearby = other.consume(key, 1, "rack-" + other.id);
        assertThat(nearby.errorCode()).isZero();
        assertThat(nearby.highWatermark()).isEqualTo(2);
        assertThat(nearby.records()).isNotNull();
    }

    @Test
    void deletedTopicIsGoneEverywhere() throws Exception {
        append(1, 1).get(10, TimeUnit.SECONDS);

        onMetadata(() ->
                metadata.service()
                        .submit(controller -> controller.deleteTopics(List.of("orders"), List.of()))
                        .join());

        for (ReplicaNode node : nodes.values()) {
            await(() -> node.ask(key, partition -> partition == null));
            await(() -> !disk(node.id).exists(Path.of("/data/orders-0")));
        }
    }

    // The cluster.

    private <T> T onMetadata(Supplier<T> command) {
        return CompletableFuture.supplyAsync(command, metadataThread)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    private void publish(ImageDelta delta, ClusterImage image) {
        nodes.values().forEach(node -> node.learn(delta, image));
    }

    private static Uuid directory(int id) {
        return new Uuid(1000 + id, 1000);
    }

    private FakeDisk disk(int id) {
        FakeDisk disk = disks.get(id);
        if (disk == null) {
            throw new IllegalArgumentException("no disk " + id);
        }
        return disk;
    }

    private ReplicaNode node(int id) {
        ReplicaNode node = nodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("no node " + id);
        }
        return node;
    }

    private void startNode(int id, Uuid directory) {
        onMetadata(() -> {
            metadata.start(id, List.of(directory), "rack-" + id);
            ClusterImage image = metadata.image();
            long epoch = image.broker(id).orElseThrow().epoch();
            IsrChanges controller =
                    changes ->
                            CompletableFuture.supplyAsync(
                                    () ->
                                            metadata.service()
                                                    .submit(machine ->
                                                            machine.alterPartitions(
                                                                    id, epoch, changes))
                                                    .join()
                                                    .parts(),
                                    metadataThread);
            DirectoryAssignments directories =
                    requests ->
                            CompletableFuture.supplyAsync(
                                    () ->
                                            metadata.service()
                                                    .submit(machine ->
                                                            machine.assignDirectories(
                                                                    id, epoch, requests))
                                                    .join()
                                                    .parts(),
                                    metadataThread);
            try {
                nodes.put(
                        id,
                        new ReplicaNode(
                                new ReplicaNode.Parts(
                                        id,
                                        disk(id),
                                        directory,
                                        epoch,
                                        config,
                                        nodes::get,
                                        controller,
                                        directories),
                                image));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return 0;
        });
    }

    private void kill(int id) throws InterruptedException {
        ReplicaNode killed = nodes.remove(id);
        if (killed != null) {
            killed.kill();
            disk(id).endProcess();
        }
    }

    private void fence(int id) {
        onMetadata(() -> {
            metadata.fence(id);
            return 0;
        });
    }

    private void unfence(int id) {
        onMetadata(() ->
                metadata.service()
                        .submit(controller ->
                                controller.unfenceBroker(
                                        id, metadata.image().broker(id).orElseThrow().epoch()))
                        .join());
    }

    private PartitionKey create(String topic, List<Integer> replicas) {
        return onMetadata(() -> {
            metadata.create(topic, List.of(replicas));
            return new PartitionKey(metadata.image().topic(topic).orElseThrow().id(), 0);
        });
    }

    private PartitionState state() {
        return onMetadata(() -> metadata.image().partition(key.topicId(), 0).orElseThrow());
    }

    // Partitions.

    private CompletableFuture<Void> append(int leader, long value) {
        return append(leader, value, AppendOrigin.CLIENT);
    }

    private CompletableFuture<Void> append(int leader, long value, AppendOrigin origin) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(0, value);
        ByteBuffer batch = new BatchBuilder().append(1000, null, bytes).build();
        ReplicaNode node = node(leader);
        node.shard.execute(() -> {
            var _ = node.partitions.lookup(key); // Opens it at the first use.
            HostedPartition partition = node.partitions.hosted(key).orElseThrow();
            AppendOutcome outcome = partition.append(new Waiting(done), batch, origin, 1000);
            if (!(outcome instanceof AppendOutcome.Appended)) {
                done.completeExceptionally(new AssertionError(outcome.toString()));
            }
        });
        return done;
    }

    private static final class Waiting extends PendingAppend {
        private final CompletableFuture<Void> done;

        Waiting(CompletableFuture<Void> done) {
            super(Acks.ALL_IN_SYNC, RequestMemory.UNCOUNTED);
            this.done = done;
        }

        @Override
        protected void onAcknowledged(HostedPartition partition) {
            done.complete(null);
        }

        @Override
        protected void onFailed(PartitionError error) {
            done.completeExceptionally(new IllegalStateException(error.message()));
        }

        @Override
        protected void onFailure(RuntimeException failure) {
            done.completeExceptionally(failure);
        }
    }

    private static PartitionLog log(@Nullable HostedPartition partition) {
        if (partition == null) {
            throw new IllegalStateException("the partition is not open");
        }
        return partition.log();
    }

    private boolean isLeading(int id) {
        return node(id).ask(key, partition -> partition != null && partition.isLeading());
    }

    private long flushedEnd(int id) {
        return node(id).ask(key, partition -> log(partition).flushedEndOffset());
    }

    private long highWatermark(int id) {
        return node(id).ask(
                        key,
                        partition ->
                                partition == null || !partition.isFollowing()
                                        ? -1
                                        : partition.highWatermark());
    }

    private List<Long> values(int id) {
        return node(id).ask(
                        key, partition -> partition == null ? List.of() : valuesOf(log(partition)));
    }

    private static List<Long> valuesOf(PartitionLog log) {
        List<Long> values = new ArrayList<>();
        long offset = log.logStartOffset();
        while (log.read(offset, 1 << 20, Long.MAX_VALUE, true)
                instanceof ReadOutcome.Batches(var slice)) {
            try {
                for (RecordBatch batch : RecordBatches.in(slice.readAll())) {
                    if (batch.baseOffset() >= offset) {
                        RecordCursor cursor = batch.uncompressedRecords();
                        while (cursor.next()) {
                            values.add(cursor.value().getLong());
                        }
                    }
                    offset = batch.nextOffset();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                slice.release();
            }
        }
        return values;
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}

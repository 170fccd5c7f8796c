package dev.ottla.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.request.RequestMemory;
import dev.ottla.broker.settings.TopicSettings;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.log.AppendOutcome;
import dev.ottla.log.FlushPolicy;
import dev.ottla.log.LogConfig;
import dev.ottla.log.ManualShard;
import dev.ottla.log.PartitionId;
import dev.ottla.log.disk.Disk.OpenMode;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.record.BatchBuilder;
import dev.ottla.record.ValidationRules;
import dev.ottla.replication.ActiveBrokers;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// One partition over a disk that the test controls: nothing is written or synced before `settle`.
class HostedPartitionTest {
    private static final Uuid TOPIC = new Uuid(3, 3);
    private static final Uuid DIRECTORY = new Uuid(7, 7);

    private final List<String> events = new ArrayList<>();
    private final FakeDisk disk = new FakeDisk();
    private final BrokerMetrics metrics = new BrokerMetrics();
    private ManualShard shard;
    private HostedPartition partition;

    @BeforeEach
    void open() throws IOException {
        shard = new ManualShard(disk, Path.of("/data"));
        partition = lead(FlushPolicy.FSYNC);
    }

    @Test
    void recordsAreAcknowledgedWhereTheSenderWantsThem() {
        append("leader", PendingAppend.Acks.LEADER, batch(2));
        append("all", PendingAppend.Acks.ALL_IN_SYNC, batch(3));
        assertThat(events).isEmpty();

        shard.shard.endTurn(shard.nowMs);
        assertThat(events).containsExactly("leader acknowledged");
        assertThat(partition.highWatermark()).isZero();

        shard.settle();
        assertThat(events).containsExactly("leader acknowledged", "all acknowledged");
        assertThat(partition.highWatermark()).isEqualTo(5);
    }

    @Test
    @Tag("config:min.insync.replicas")
    void minInSyncReplicasOfBrokerOrTopicSayWhetherWritesAreTaken() {
        Map<String, String> none = Map.of();
        Map<String, String> two = Map.of("min.insync.replicas", "2");
        partition.becomeLeader(state(5, 1, 2));
        partition.updateSettings(settings(none, none));
        assertThat(partition.hasEnoughReplicas()).isTrue();

        partition.updateSettings(settings(two, none));
        assertThat(partition.hasEnoughReplicas()).isFalse();
        append("waits", PendingAppend.Acks.ALL_IN_SYNC, batch(3));
        shard.settle();
        assertThat(events).isEmpty();
        partition.updateSettings(settings(two, Map.of("min.insync.replicas", "1")));
        assertThat(partition.hasEnoughReplicas()).isTrue();
        assertThat(events).containsExactly("waits acknowledged");
        partition.updateSettings(settings(none, two));
        assertThat(partition.hasEnoughReplicas()).isFalse();
    }

    @Test
    void writesGoOnWhileThePartitionGetsMoreReplicas() {
        partition.updateSettings(settings(Map.of(), Map.of()));
        partition.becomeLeader(state(5, 1));
        assertThat(partition.hasEnoughReplicas()).isTrue();

        partition.becomeLeader(reassigned(1, BrokerIds.of(1), BrokerIds.of(2, 3)));
        assertThat(partition.hasEnoughReplicas()).isTrue();
        append("goes on", PendingAppend.Acks.ALL_IN_SYNC, batch(1));
        shard.settle();
        assertThat(events).containsExactly("goes on acknowledged");

        partition.becomeLeader(reassigned(2, BrokerIds.of(1, 2, 3), BrokerIds.NONE));
        assertThat(partition.minInSyncReplicas()).isEqualTo(2);
        partition.becomeLeader(reassigned(3, BrokerIds.of(1), BrokerIds.NONE));
        assertThat(partition.hasEnoughReplicas()).isFalse();
    }

    @Test
    void followersThatWaitAreAnsweredWhenItIsNotCertainWhoLeads() {
        assertThat(partition.isCertainToLead()).isTrue();

        partition.becomeLeader(reassigned(2, BrokerIds.of(1, 2), BrokerIds.NONE));
        partition.awaitWritten(new Waiter(), 0);

        assertThat(partition.isCertainToLead()).isFalse();
        assertThat(events).containsExactly("reader woken");
    }

    /// On brokers 1 to 3, led by 1 in epoch 5.
    private static PartitionState reassigned(int partitionEpoch, BrokerIds isr, BrokerIds adding) {
        ImageDelta delta = new ImageDelta(ClusterImage.EMPTY);
        delta.replay(new MetadataRecord.Topic("orders", TOPIC));
        delta.replay(
                new MetadataRecord.Partition(
                        TOPIC,
                        0,
                        BrokerIds.of(1, 2, 3),
                        isr,
                        BrokerIds.NONE,
                        adding,
                        1,
                        false,
                        5,
                        partitionEpoch,
                        Collections.nCopies(3, DIRECTORY),
                        BrokerIds.NONE,
                        BrokerIds.NONE));
        return delta.apply(new ImageVersion(1, 1)).partition(TOPIC, 0).orElseThrow();
    }

    private static TopicSettings settings(Map<String, String> broker, Map<String, String> topic) {
        ConfigResolver resolver =
                new ConfigResolver(BrokerLayers.of(broker), Surroundings.of(2, 1));
        return TopicSettings.of("orders", resolver.topic(topic, 2), resolver.broker());
    }

    @Test
    void underPageCacheTheHighWatermarkFollowsWhatIsWritten() {
        partition.updateSettings(settings(FlushPolicy.PAGE_CACHE));

        append("all", PendingAppend.Acks.ALL_IN_SYNC, batch(3));
        shard.shard.endTurn(shard.nowMs);

        assertThat(events).containsExactly("all acknowledged");
        assertThat(partition.highWatermark()).isEqualTo(3);
    }

    @Test
    void requestMemoryIsHeldUntilTheRecordsAreWritten() {
        Held memory = new Held();

        Probe probe = new Probe("p", PendingAppend.Acks.ALL_IN_SYNC, memory);
        partition.append(probe, batch(1), AppendOrigin.CLIENT, shard.nowMs);
        assertThat(probe.giveUp()).isTrue();
        assertThat(memory.holds).isEqualTo(1);

        shard.shard.endTurn(shard.nowMs);
        assertThat(memory.holds).isZero();
        shard.settle();
        assertThat(events).isEmpty();
    }

    @Test
    void lostLeadershipLeavesTheMemoryUntilTheLogHasWritten() throws IOException {
        ByteBuffer built = batch(2);
        byte[] bytes = new byte[built.remaining()];
        built.get(bytes);
        Held memory = new Held();
        memory.retain();
        memory.onFreed = () -> Arrays.fill(bytes, (byte) 0x55);
        Probe probe = new Probe("p", PendingAppend.Acks.ALL_IN_SYNC, memory);
        partition.append(probe, ByteBuffer.wrap(bytes), AppendOrigin.CLIENT, shard.nowMs);
        byte[] asAppended = bytes.clone();

        partition.becomeNonLeader(state(5));
        assertThat(events).containsExactly("p failed NOT_LEADER_OR_FOLLOWER");
        memory.release();
        shard.settle();

        assertThat(memory.holds).isZero();
        assertThat(events).hasSize(1);
        ByteBuffer written = ByteBuffer.allocate(asAppended.length);
        Path segment = Path.of("/data/orders-0/00000000000000000000.log");
        try (DiskFile file = disk.open(segment, OpenMode.READ)) {
            file.read(written, 0);
        }
        assertThat(written.array()).isEqualTo(asAppended);
    }

    @Test
    void refusedRecordsDoNotHoldTheirMemory() {
        append("first", PendingAppend.Acks.LEADER, producerBatch());
        Held memory = new Held();
        ByteBuffer gap = fill(new BatchBuilder().producer(77, (short) 0, 9), 2);

        AppendOutcome outcome =
                partition.append(
                        new Probe("p", PendingAppend.Acks.LEADER, memory),
                        gap,
                        AppendOrigin.CLIENT,
                        shard.nowMs);

        assertThat(outcome).isInstanceOf(AppendOutcome.OutOfOrderSequence.class);
        assertThat(memory.holds).isZero();
    }

    @Test
    void offlinePartitionGivesBackTheMemoryOfWhatItCannotWrite() {
        Held memory = new Held();
        Probe offline = new Probe("offline", PendingAppend.Acks.ALL_IN_SYNC, memory);
        partition.append(offline, batch(1), AppendOrigin.CLIENT, shard.nowMs);
        disk.failWrites(true);
        shard.settle();
        assertThat(events).containsExactly("offline failed KAFKA_STORAGE_ERROR");
        assertThat(memory.holds).isZero();
    }

    @Test
    void duplicateIsAcknowledgedOnlyWhenItsOriginalIs() {
        append("original", PendingAppend.Acks.LEADER, producerBatch());
        assertThat(append("repeated", PendingAppend.Acks.ALL_IN_SYNC, producerBatch()))
                .isInstanceOf(AppendOutcome.Duplicate.class);
        partition.settleDuplicates();
        assertThat(events).isEmpty();

        shard.shard.endTurn(shard.nowMs);
        assertThat(events).containsExactly("original acknowledged");

        shard.settle();
        assertThat(events).containsExactly("original acknowledged", "repeated acknowledged");
    }

    @Test
    void duplicateOfWhatIsSafeAlreadyIsAcknowledgedAtOnce() {
        append("original", PendingAppend.Acks.ALL_IN_SYNC, producerBatch());
        shard.settle();

        append("repeated", PendingAppend.Acks.ALL_IN_SYNC, producerBatch());
        assertThat(events).containsExactly("original acknowledged");
        partition.settleDuplicates();

        assertThat(events).containsExactly("original acknowledged", "repeated acknowledged");
    }

    @Test
    void failedSyncAcknowledgesNothingAndTakesThePartitionOffline() {
        append("all", PendingAppend.Acks.ALL_IN_SYNC, batch(1));
        Waiter reader = awaitReadable(0);
        disk.failSyncs(true);

        shard.settle();

        assertThat(events)
                .containsExactlyInAnyOrder("all failed KAFKA_STORAGE_ERROR", "reader woken");
        assertThat(reader.isWaiting()).isFalse();
        assertThat(partition.unavailable())
                .map(PartitionError::code)
                .contains(ErrorCode.KAFKA_STORAGE_ERROR);
    }

    @Test
    void recordsWithoutRoomAreRefusedAndLaterOnesTakeTheirOffsets() {
        append("kept", PendingAppend.Acks.ALL_IN_SYNC, batch(2));
        shard.settle();
        disk.capacity(disk.totalBytes(Path.of("/data")) - disk.usableBytes(Path.of("/data")));
        append("dropped", PendingAppend.Acks.ALL_IN_SYNC, batch(2));
        shard.settle();

        assertThat(events)
                .containsExactly("kept acknowledged", "dropped failed KAFKA_STORAGE_ERROR");
        assertThat(partition.isLeading()).isTrue();
        assertThat(partition.log().logEndOffset()).isEqualTo(2);
    }

    @Test
    void readersAreWokenWhenTheHighWatermarkPassesThem() {
        Waiter first = awaitReadable(0);
        append("leader", PendingAppend.Acks.LEADER, batch(1));
        shard.shard.endTurn(shard.nowMs);
        assertThat(first.isWaiting()).isTrue();

        shard.settle();

        assertThat(events).containsExactly("leader acknowledged", "reader woken");
    }

    @Test
    void deletionFailsWhoeverWaits() {
        append("all", PendingAppend.Acks.ALL_IN_SYNC, batch(1));
        awaitReadable(0);

        partition.becomeGone();

        assertThat(events).containsExactly("all failed UNKNOWN_TOPIC_OR_PARTITION", "reader woken");
    }

    @Test
    void newLeaderEpochKeepsWhoWaits() {
        append("all", PendingAppend.Acks.ALL_IN_SYNC, batch(1));

        partition.becomeLeader(state(5));
        shard.settle();

        assertThat(events).containsExactly("all acknowledged");
        assertThat(partition.leaderEpoch()).isEqualTo(5);
    }

    @Test
    void bugInAnAppendTakesThePartitionOfflineAndAnswersWhoWaits() {
        append("waiting", PendingAppend.Acks.ALL_IN_SYNC, batch(1));
        Waiter reader = awaitReadable(0);

        // No caller may pass what was not checked.
        assertThat(append("planted", PendingAppend.Acks.LEADER, ByteBuffer.allocate(70)))
                .isInstanceOf(AppendOutcome.Offline.class);
        shard.settle();

        assertThat(events)
                .containsExactlyInAnyOrder("waiting failed KAFKA_STORAGE_ERROR", "reader woken");
        assertThat(reader.isWaiting()).isFalse();
        assertThat(partition.unavailable())
                .map(PartitionError::code)
                .contains(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(partition.isUsable()).isFalse();
        assertThat(shard.directory.offlineReason()).isEmpty();
    }

    @Test
    void whoeverFailsToHearOfAnAppendHarmsNeitherThePartitionNorOthers() {
        Probe planted =
                new Probe("planted", PendingAppend.Acks.LEADER, RequestMemory.UNCOUNTED) {
                    @Override
                    protected void onAcknowledged(HostedPartition source) {
                        throw new IllegalStateException("planted");
                    }
                };
        partition.append(planted, batch(1), AppendOrigin.CLIENT, shard.nowMs);
        append("other", PendingAppend.Acks.LEADER, batch(1));

        shard.settle();

        assertThat(events).containsExactly("planted could not hear it", "other acknowledged");
        assertThat(partition.unavailable()).isEmpty();
        assertThat(partition.highWatermark()).isEqualTo(2);
    }

    @Test
    void clientsEpochIsCompared() {
        assertThat(partition.checkEpoch(-1)).isEmpty();
        assertThat(partition.checkEpoch(4)).isEmpty();
        assertThat(partition.checkEpoch(3))
                .map(PartitionError::code)
                .contains(ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(partition.checkEpoch(5))
                .map(PartitionError::code)
                .contains(ErrorCode.UNKNOWN_LEADER_EPOCH);
    }

    private HostedPartition lead(FlushPolicy policy) {
        HostedPartition hosted =
                new HostedPartition(
                        new PartitionKey(TOPIC, 0),
                        "orders",
                        1,
                        settings(policy),
                        metrics,
                        new NoFollowers());
        assertThat(hosted.unavailable())
                .map(PartitionError::code)
                .contains(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        hosted.onOpened(
                shard.loaded(new PartitionId(TOPIC, "orders", 0), settings(policy).log(), hosted));
        hosted.becomeLeader(state(4));
        assertThat(hosted.unavailable()).isEmpty();
        return hosted;
    }

    private static final class NoFollowers implements LeaderSurroundings {
        @Override
        public boolean isOutOfTouch() {
            return false;
        }

        @Override
        public boolean isBlind() {
            return false;
        }

        @Override
        public boolean isConfirmed() {
            return false;
        }

        @Override
        public long epochOf(int brokerId) {
            return ActiveBrokers.NOT_ACTIVE;
        }

        @Override
        public long registeredEpochOf(int brokerId) {
            return ActiveBrokers.NOT_ACTIVE;
        }

        @Override
        public boolean hasRoom(PartitionKey partition, int brokerId) {
            return true;
        }

        @Override
        public long nowMs() {
            return 0;
        }

        @Override
        public long maxLagMs() {
            return 30_000;
        }

        @Override
        public long certainMs() {
            return 1_500;
        }

        @Override
        public void onLeadingOthers(HostedPartition partition) {}

        @Override
        public void onDamaged(HostedPartition partition) {}

        @Override
        public void onProposal(HostedPartition partition) {}
    }

    private static TopicSettings settings(FlushPolicy policy) {
        return new TopicSettings(
                LogConfig.builder().flushPolicy(policy).build(),
                ValidationRules.defaults("orders"),
                _ -> 1,
                Integer.MAX_VALUE - 8);
    }

    private static PartitionState state(int leaderEpoch) {
        return state(leaderEpoch, 1);
    }

    /// Of `replicas` the first leads and is in sync.
    private static PartitionState state(int leaderEpoch, int... replicas) {
        ImageDelta delta = new ImageDelta(ClusterImage.EMPTY);
        delta.replay(new MetadataRecord.Topic("orders", TOPIC));
        delta.replay(
                new MetadataRecord.Partition(
                        TOPIC,
                        0,
                        BrokerIds.of(replicas),
                        BrokerIds.of(1),
                        BrokerIds.NONE,
                        BrokerIds.NONE,
                        1,
                        false,
                        leaderEpoch,
                        0,
                        Collections.nCopies(replicas.length, DIRECTORY),
                        BrokerIds.NONE,
                        BrokerIds.NONE));
        return delta.apply(new ImageVersion(1, 1)).partition(TOPIC, 0).orElseThrow();
    }

    private AppendOutcome append(String name, PendingAppend.Acks acks, ByteBuffer batch) {
        return partition.append(
                new Probe(name, acks, RequestMemory.UNCOUNTED),
                batch,
                AppendOrigin.CLIENT,
                shard.nowMs);
    }

    private Waiter awaitReadable(long offset) {
        Waiter waiter = new Waiter();
        partition.awaitReadable(waiter, offset, false);
        return waiter;
    }

    private static ByteBuffer batch(int records) {
        return fill(new BatchBuilder(), records);
    }

    private static ByteBuffer producerBatch() {
        return fill(new BatchBuilder().producer(77, (short) 0, 0), 2);
    }

    private static ByteBuffer fill(BatchBuilder builder, int records) {
        for (int i = 0; i < records; i++) {
            builder.append(
                    1000 + i, null, ByteBuffer.wrap("value".getBytes(StandardCharsets.UTF_8)));
        }
        return builder.build();
    }

    private class Probe extends PendingAppend {
        private final String name;

        Probe(String name, Acks acks, RequestMemory memory) {
            super(acks, memory);
            this.name = name;
        }

        @Override
        protected void onAcknowledged(HostedPartition source) {
            events.add(name + " acknowledged");
        }

        @Override
        protected void onFailed(PartitionError error) {
            events.add(name + " failed " + error.code());
        }

        @Override
        protected void onFailure(RuntimeException failure) {
            events.add(name + " could not hear it");
        }
    }

    private static final class Held implements RequestMemory {
        private int holds;
        private Runnable onFreed = () -> {};

        @Override
        public void retain() {
            holds++;
        }

        @Override
        public void release() {
            if (--holds == 0) onFreed.run();
        }
    }

    private final class Waiter extends Reader {
        @Override
        protected void onReadable(HostedPartition source) {
            events.add("reader woken");
        }

        @Override
        protected void onFailure(RuntimeException failure) {
            events.add("reader could not hear it");
        }
    }
}

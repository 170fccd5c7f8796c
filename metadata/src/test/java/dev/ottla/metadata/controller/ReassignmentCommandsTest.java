package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReassignmentCommandsTest {
    private final TestCluster cluster = TestCluster.of(5);

    @Test
    void partitionThatGetsReplicasCountsOnTheFormerOnesUntilTheNewOnesAreInSync() {
        cluster.createOn("t", 1);

        assertThat(reassign("t", 0, 1, 2, 3).error()).isEqualTo(ApiError.NONE);

        assertThat(cluster.partition("t", 0).replicas()).isEqualTo(List.of(1, 2, 3));
        assertThat(cluster.partition("t", 0).addingReplicas()).isEqualTo(List.of(2, 3));
        assertThat(cluster.partition("t", 0).replicationFactor()).isEqualTo(1);
        cluster.changeIsr("t", 0, 1, 2, 3);
        assertThat(cluster.partition("t", 0).isReassigned()).isFalse();
        assertThat(cluster.partition("t", 0).replicationFactor()).isEqualTo(3);
    }

    /// The least number of in-sync replicas is each partition's own while a topic is between two
    /// factors: what left the ISR of one with three replicas stays eligible, though the first one
    /// has a single replica already.
    @Test
    void eligibleReplicasGoByThePartitionsOwnFactor() {
        cluster.create(
                CreateTopic.named("t")
                        .withAssignments(Map.of(0, List.of(1, 2, 3), 1, List.of(1, 2, 3))));
        reassign("t", 0, 1);

        cluster.fence(2);
        cluster.fence(3);

        assertThat(cluster.partition("t", 1).isr()).isEqualTo(List.of(1));
        assertThat(cluster.partition("t", 1).elr()).isEqualTo(List.of(3));
    }

    @Test
    void newReplicasGetADirectoryThatTakesThem() {
        cluster.createOn("t", 1);
        cluster.start(2, TestCluster.directory(2, 0), TestCluster.directory(2, 1));
        cluster.run(c ->
                c.cordonDirectories(2, cluster.epoch(2), List.of(TestCluster.directory(2, 0))));

        reassign("t", 0, 2, 1);

        PartitionState state = cluster.partition("t", 0);
        assertThat(state.directoryOf(2)).isEqualTo(TestCluster.directory(2, 1));
        assertThat(state.directoryOf(1)).isEqualTo(TestCluster.directory(1, 0));
    }

    @Test
    void brokerWhoseDirectoriesAreCordonedKeepsReplicasAndGetsNone() {
        cluster.createOn("t", 1, 2);
        cluster.createOn("u", 1);
        cluster.run(c ->
                c.cordonDirectories(2, cluster.epoch(2), List.of(TestCluster.directory(2, 0))));

        assertThat(reassign("t", 0, 2, 3).error()).isEqualTo(ApiError.NONE);
        assertThat(reassign("u", 0, 2).error().code())
                .isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
    }

    @Test
    void anotherFactorIsRefusedWhereTheRequestSaysSo() {
        cluster.createOn("t", 1, 2);

        assertThat(send(false, request("t", 0, Optional.of(List.of(1, 2, 3)))).error().code())
                .isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        assertThat(send(false, request("t", 0, Optional.of(List.of(3, 4)))).error())
                .isEqualTo(ApiError.NONE);
        assertThat(send(false, request("t", 0, Optional.of(List.of(5, 4)))).error())
                .isEqualTo(ApiError.NONE);
    }

    @Test
    void goingBackIsRefusedWhenOnlyTheNewReplicasAreInSync() {
        cluster.createOn("t", 1);
        reassign("t", 0, 2, 3);
        cluster.changeIsr("t", 0, 1, 2);
        cluster.fence(1);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);

        ReassignedPartition back = send(true, request("t", 0, Optional.empty()));

        assertThat(back.error().code()).isEqualTo(ErrorCode.INVALID_REPLICA_ASSIGNMENT);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
        assertThat(reassign("t", 0, 2, 4).error()).isEqualTo(ApiError.NONE);
        assertThat(cluster.partition("t", 0).replicas()).isEqualTo(List.of(2, 4, 1));
    }

    @Test
    void nobodyWhoIsOnlyBeingAddedIsElectedUncleanly() {
        cluster.createOn("t", 1);
        reassign("t", 0, 2);
        cluster.fence(1);

        cluster.run(c ->
                c.electLeaders(Election.UNCLEAN, Optional.of(List.of(new NamedPartition("t", 0)))));

        assertThat(cluster.partition("t", 0).hasLeader()).isFalse();
    }

    @Test
    void newPartitionsOfATopicThatIsRaisedGetItsFutureFactor() {
        cluster.createOn("t", 1);
        reassign("t", 0, 1, 2, 3);

        cluster.run(
                c -> c.createPartitions(List.of(new CreatePartitions("t", 2, List.of())), false));

        assertThat(cluster.partition("t", 1).replicas()).hasSize(3);
    }

    private ReassignedPartition reassign(String topic, int partition, Integer... replicas) {
        return send(true, request(topic, partition, Optional.of(List.of(replicas))));
    }

    private static ReassignPartition request(
            String topic, int partition, Optional<List<Integer>> replicas) {
        return new ReassignPartition(new NamedPartition(topic, partition), replicas);
    }

    private ReassignedPartition send(boolean factorMayChange, ReassignPartition request) {
        return cluster.run(c -> c.reassign(List.of(request), factorMayChange)).getFirst();
    }
}

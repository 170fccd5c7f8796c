package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class UpkeepCommandsTest {
    @Test
    void leadershipsGoBackToPreferredReplicasThatAreInSyncAgain() {
        TestCluster cluster = TestCluster.of(3);
        cluster.createOn("t", 1, 2, 3);
        cluster.createOn("u", 1, 2, 3);
        cluster.fence(1);
        cluster.unfence(1);
        assertThat(preferred(cluster, 10)).isZero();

        cluster.changeIsr("t", 0, 2, 3, 1);
        cluster.changeIsr("u", 0, 2, 3, 1);

        assertThat(preferred(cluster, 1)).isEqualTo(1);
        assertThat(preferred(cluster, 10)).isEqualTo(1);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(1);
        assertThat(cluster.partition("u", 0).leader()).isEqualTo(1);
    }

    @Test
    @Tag("config:auto.leader.rebalance.enable")
    void leadershipsStayWhereTheyAreWhenTheSettingsSaySo() {
        TestCluster cluster = new TestCluster(Map.of("auto.leader.rebalance.enable", "false"));
        cluster.start(1);
        cluster.start(2);
        cluster.createOn("t", 1, 2);
        cluster.fence(1);
        cluster.unfence(1);
        cluster.changeIsr("t", 0, 2, 1);

        assertThat(preferred(cluster, 10)).isZero();
    }

    @Test
    void internalTopicsGrowWithTheClusterAndUserTopicsDoNot() {
        TestCluster cluster = TestCluster.of(1);
        cluster.create(CreateTopic.named("__consumer_offsets").withPartitions(6));
        cluster.createOn("t", 1);
        assertThat(settled(cluster)).isZero();

        cluster.start(2);
        cluster.start(3);
        assertThat(settled(cluster)).isEqualTo(6);

        TopicState offsets = cluster.image().topic("__consumer_offsets").orElseThrow();
        for (PartitionState state : offsets.partitions()) {
            assertThat(state.replicas()).containsExactlyInAnyOrder(1, 2, 3);
            assertThat(state.leader()).isEqualTo(1);
        }
        Map<Integer, Long> preferred =
                offsets.partitions().stream()
                        .collect(
                                Collectors.groupingBy(
                                        state -> state.replicas().at(0), Collectors.counting()));
        assertThat(preferred.values()).allMatch(count -> count >= 1 && count <= 3);
        assertThat(cluster.partition("t", 0).replicas()).isEqualTo(List.of(1));
        assertThat(settled(cluster)).isZero();
    }

    @Test
    void internalTopicsWaitForBrokersThatAreThereAndTakeReplicas() {
        TestCluster cluster = TestCluster.of(1);
        cluster.create(CreateTopic.named("__consumer_offsets").withPartitions(1));
        cluster.start(2);
        cluster.fence(2);
        cluster.start(3);
        cluster.run(c ->
                c.cordonDirectories(3, cluster.epoch(3), List.of(TestCluster.directory(3, 0))));

        assertThat(settled(cluster)).isZero();
    }

    @Test
    void reassignmentThatASettingHeldUpIsCompleted() {
        TestCluster cluster = TestCluster.of(3);
        cluster.create(
                CreateTopic.named("t")
                        .withAssignments(Map.of(0, List.of(1, 2, 3)))
                        .withConfig("min.insync.replicas", "2"));
        cluster.fence(2);
        cluster.run(c ->
                c.reassign(
                        List.of(
                                new ReassignPartition(
                                        new NamedPartition("t", 0), Optional.of(List.of(1, 2)))),
                        true));
        assertThat(cluster.partition("t", 0).isReassigned()).isTrue();

        cluster.alter(
                new AlterConfigs(
                        ConfigResource.topic("t"),
                        List.of(ConfigOp.set("min.insync.replicas", "1"))));
        cluster.run(Controller::settle);

        assertThat(cluster.partition("t", 0).replicas()).isEqualTo(List.of(1, 2));
    }

    @Test
    @Tag("config:unclean.leader.election.enable")
    void partitionGetsALeaderWhenUncleanElectionsBecomeAllowed() {
        TestCluster cluster = TestCluster.of(2);
        cluster.createOn("t", 1, 2);
        cluster.changeIsr("t", 0, 1);
        cluster.fence(1);
        assertThat(settled(cluster)).isZero();

        cluster.alter(
                new AlterConfigs(
                        ConfigResource.topic("t"),
                        List.of(ConfigOp.set("unclean.leader.election.enable", "true"))));
        cluster.run(Controller::settle);

        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
    }

    @Test
    void topicsAreCreatedByDefaultOnTheBrokersThatTakeReplicas() {
        TestCluster cluster = TestCluster.of(3);
        cluster.run(c ->
                c.cordonDirectories(3, cluster.epoch(3), List.of(TestCluster.directory(3, 0))));

        assertThat(cluster.create(CreateTopic.named("t")).error()).isEqualTo(ApiError.NONE);

        assertThat(cluster.partition("t", 0).replicas()).containsExactlyInAnyOrder(1, 2);
    }

    private static int preferred(TestCluster cluster, int most) {
        return cluster.run(c -> c.electPreferred(most));
    }

    private static int settled(TestCluster cluster) {
        return cluster.run(Controller::settle);
    }
}

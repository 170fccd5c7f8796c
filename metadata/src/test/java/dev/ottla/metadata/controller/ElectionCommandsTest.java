package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElectionCommandsTest {
    @Test
    void preferredReplicaTakesOverWhenItIsInSync() {
        TestCluster cluster = movedAway();
        cluster.changeIsr("t", 0, 1, 2, 3);
        int epoch = cluster.partition("t", 0).leaderEpoch();

        assertThat(elect(cluster, Election.PREFERRED, "t", 0)).isEqualTo(ErrorCode.NONE);

        assertThat(cluster.partition("t", 0).leader()).isEqualTo(1);
        assertThat(cluster.partition("t", 0).leaderEpoch()).isEqualTo(epoch + 1);
    }

    @Test
    void preferredReplicaOutOfSyncIsNotElected() {
        TestCluster cluster = movedAway();
        PartitionState before = cluster.partition("t", 0);

        assertThat(elect(cluster, Election.PREFERRED, "t", 0))
                .isEqualTo(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE);
        assertThat(cluster.partition("t", 0)).isEqualTo(before);
    }

    @Test
    void nothingIsElectedWhereTheWantedLeaderLeads() {
        TestCluster cluster = TestCluster.of(3);
        cluster.createOn("t", 1, 2, 3);

        assertThat(elect(cluster, Election.PREFERRED, "t", 0))
                .isEqualTo(ErrorCode.ELECTION_NOT_NEEDED);
        assertThat(elect(cluster, Election.UNCLEAN, "t", 0))
                .isEqualTo(ErrorCode.ELECTION_NOT_NEEDED);
    }

    @Test
    void uncleanElectionTakesAnyReplicaWhereThereIsNoLeader() {
        TestCluster cluster = TestCluster.of(2);
        cluster.createOn("t", 1, 2);
        cluster.fence(2);
        cluster.run(c -> c.updateFeatures(List.of(elrOff()), false));
        cluster.fence(1);
        assertThat(elect(cluster, Election.UNCLEAN, "t", 0))
                .isEqualTo(ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE);

        cluster.unfence(2);
        assertThat(cluster.partition("t", 0).hasLeader()).isFalse();
        assertThat(elect(cluster, Election.PREFERRED, "t", 0))
                .isEqualTo(ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE);
        assertThat(elect(cluster, Election.UNCLEAN, "t", 0)).isEqualTo(ErrorCode.NONE);

        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(2));
        assertThat(cluster.partition("t", 0).recovering()).isTrue();
    }

    @Test
    void whatDoesNotExistIsUnknown() {
        TestCluster cluster = TestCluster.of(1);
        cluster.createOn("t", 1);

        for (int partition : List.of(1, -1)) {
            assertThat(elect(cluster, Election.PREFERRED, "t", partition))
                    .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        }
        assertThat(elect(cluster, Election.PREFERRED, "other", 0))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void electionInAllPartitionsAnswersForThoseThatNeededIt() {
        TestCluster cluster = TestCluster.of(3);
        cluster.create(
                CreateTopic.named("t")
                        .withAssignments(
                                Map.of(
                                        0, List.of(1, 2, 3),
                                        1, List.of(2, 3, 1),
                                        2, List.of(1, 3, 2))));
        cluster.fence(1);
        cluster.unfence(1);
        cluster.changeIsr("t", 0, 1, 2, 3);

        List<ElectedPartition> results =
                cluster.run(c -> c.electLeaders(Election.PREFERRED, Optional.empty()));

        assertThat(results)
                .extracting(ElectedPartition::partition, result -> result.error().code())
                .containsExactly(
                        tuple(0, ErrorCode.NONE),
                        tuple(2, ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE));
    }

    @Test
    void partitionThatIsNamedTwiceGetsOneElection() {
        TestCluster cluster = movedAway();
        cluster.changeIsr("t", 0, 1, 2, 3);
        int epoch = cluster.partition("t", 0).leaderEpoch();
        NamedPartition partition = new NamedPartition("t", 0);

        List<ElectedPartition> results =
                cluster.run(c ->
                        c.electLeaders(
                                Election.PREFERRED, Optional.of(List.of(partition, partition))));

        assertThat(results).hasSize(2).allMatch(result -> result.error().isNone());
        assertThat(cluster.partition("t", 0).leaderEpoch()).isEqualTo(epoch + 1);
    }

    /// A partition preferred by broker 1, led by 2, with 1 out of sync.
    private static TestCluster movedAway() {
        TestCluster cluster = TestCluster.of(3);
        cluster.createOn("t", 1, 2, 3);
        cluster.fence(1);
        cluster.unfence(1);
        return cluster;
    }

    private static UpdateFeature elrOff() {
        return new UpdateFeature(
                "eligible.leader.replicas.version",
                (short) 0,
                UpdateFeature.Direction.SAFE_DOWNGRADE);
    }

    private static ErrorCode elect(
            TestCluster cluster, Election election, String topic, int partition) {
        return cluster.run(c ->
                        c.electLeaders(
                                election,
                                Optional.of(List.of(new NamedPartition(topic, partition)))))
                .getFirst()
                .error()
                .code();
    }
}

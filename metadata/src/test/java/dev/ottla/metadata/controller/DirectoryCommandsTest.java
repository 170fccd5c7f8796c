package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.Directories;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryCommandsTest {
    private static final Uuid FIRST = TestCluster.directory(1, 0);
    private static final Uuid SECOND = TestCluster.directory(1, 1);
    private final TestCluster cluster = new TestCluster();

    @Test
    void aReplicaMovesBetweenOnlineDirectoriesAndKeepsTheLead() {
        cluster.start(1, FIRST, SECOND);
        cluster.createOn("t", 1);
        Uuid other = directory().equals(FIRST) ? SECOND : FIRST;

        assertThat(assign(other)).isEqualTo(ErrorCode.NONE);

        assertThat(directory()).isEqualTo(other);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(1);
        assertThat(cluster.partition("t", 0).leaderEpoch()).isZero();
    }

    @Test
    void aReplicaThatIsGoneNeverLeadsAgain() {
        cluster.start(1, FIRST);
        cluster.createOn("t", 1);

        assertThat(assign(Directories.LOST)).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(PartitionState.NO_LEADER);

        cluster.start(1, FIRST);
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(PartitionState.NO_LEADER);
        assertThat(assign(FIRST)).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
    }

    @Test
    void aReplicaThatBeginsAnewIsOutOfSync() {
        cluster.start(1, FIRST, SECOND);
        cluster.start(2);
        cluster.createOn("t", 1, 2);
        Uuid other = directory().equals(FIRST) ? SECOND : FIRST;
        cluster.run(c -> c.onlineDirectories(1, cluster.epoch(1), List.of(other)));
        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);

        assertThat(assign(other)).isEqualTo(ErrorCode.NONE);

        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(2));
        assertThat(cluster.partition("t", 0).elr()).isEmpty();
    }

    @Test
    void aLostReplicaLeavesTheIsrToTheOthers() {
        cluster.start(1);
        cluster.start(2);
        cluster.createOn("t", 1, 2);

        assertThat(assign(Directories.LOST)).isEqualTo(ErrorCode.NONE);

        assertThat(cluster.partition("t", 0).leader()).isEqualTo(2);
        assertThat(cluster.partition("t", 0).isr()).isEqualTo(List.of(2));
    }

    @Test
    void whatDoesNotExistIsRefused() {
        cluster.start(1, FIRST);
        cluster.start(2);
        cluster.createOn("t", 1);
        cluster.createOn("elsewhere", 2);

        assertThat(assign(SECOND)).isEqualTo(ErrorCode.LOG_DIR_NOT_FOUND);
        assertThat(assign(new PartitionId(new Uuid(9, 9), 0), FIRST))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
        assertThat(assign(new PartitionId(cluster.topicId("t"), 5), FIRST))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(assign(new PartitionId(cluster.topicId("elsewhere"), 0), FIRST))
                .isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
    }

    @Test
    void thePresentDirectoryChangesNothing() {
        cluster.start(1, FIRST);
        cluster.createOn("t", 1);
        int records = cluster.records.size();

        assertThat(assign(FIRST)).isEqualTo(ErrorCode.NONE);

        assertThat(cluster.records).hasSize(records);
    }

    @Test
    void anIncarnationThatIsOverMayNotAsk() {
        cluster.start(1, FIRST);
        cluster.createOn("t", 1);
        AssignDirectory request =
                new AssignDirectory(new PartitionId(cluster.topicId("t"), 0), FIRST);

        BrokerReply<ApiError> reply =
                cluster.run(c ->
                        c.assignDirectories(1, cluster.epoch(1) - 1, List.of(request, request)));

        assertThat(reply.error().code()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(reply.parts()).isEmpty();
    }

    private Uuid directory() {
        return cluster.partition("t", 0).directoryOf(1);
    }

    private ErrorCode assign(Uuid directory) {
        return assign(new PartitionId(cluster.topicId("t"), 0), directory);
    }

    private ErrorCode assign(PartitionId partition, Uuid directory) {
        return cluster.run(c ->
                        c.assignDirectories(
                                1,
                                cluster.epoch(1),
                                List.of(new AssignDirectory(partition, directory))))
                .parts()
                .getFirst()
                .code();
    }
}

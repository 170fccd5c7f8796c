package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectoryCommandsTest {
    private static final Uuid FIRST = TestCluster.directory(1, 0);
    private static final Uuid SECOND = TestCluster.directory(1, 1);

    private final TestCluster cluster = TestCluster.of(2);

    @BeforeEach
    void giveBrokerOneTwoDirectories() {
        cluster.start(1, FIRST, SECOND);
        cluster.createOn("t", 2, 1);
    }

    @Test
    void replicaChangesItsDirectoryAndNothingElse() {
        PartitionState before = cluster.partition("t", 0);
        Uuid target = before.directoryOf(1).equals(FIRST) ? SECOND : FIRST;

        assertThat(assign("t", 0, target)).isEqualTo(ErrorCode.NONE);

        PartitionState after = cluster.partition("t", 0);
        assertThat(after.directoryOf(1)).isEqualTo(target);
        assertThat(after.directoryOf(2)).isEqualTo(before.directoryOf(2));
        assertThat(after.leader()).isEqualTo(before.leader());
        assertThat(after.leaderEpoch()).isEqualTo(before.leaderEpoch());
        assertThat(after.isr()).isEqualTo(before.isr());
        assertThat(after.partitionEpoch()).isEqualTo(before.partitionEpoch() + 1);
    }

    @Test
    void presentDirectoryChangesNothing() {
        int records = cluster.records.size();

        assertThat(assign("t", 0, cluster.partition("t", 0).directoryOf(1)))
                .isEqualTo(ErrorCode.NONE);

        assertThat(cluster.records).hasSize(records);
    }

    @Test
    void whatCannotBeIsRefused() {
        cluster.createOn("elsewhere", 2);

        assertThat(assign("t", 5, SECOND)).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(assign("elsewhere", 0, SECOND)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(assign("t", 0, TestCluster.directory(2, 0)))
                .isEqualTo(ErrorCode.LOG_DIR_NOT_FOUND);
        AssignDirectory assignment =
                new AssignDirectory(new PartitionId(cluster.topicId("t"), 0), SECOND);
        assertThat(
                        cluster.run(c ->
                                        c.assignDirectories(
                                                1, cluster.epoch(1) - 1, List.of(assignment)))
                                .getFirst()
                                .code())
                .isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
    }

    private ErrorCode assign(String topic, int partition, Uuid directory) {
        AssignDirectory assignment =
                new AssignDirectory(new PartitionId(cluster.topicId(topic), partition), directory);
        return cluster.run(c -> c.assignDirectories(1, cluster.epoch(1), List.of(assignment)))
                .getFirst()
                .code();
    }
}

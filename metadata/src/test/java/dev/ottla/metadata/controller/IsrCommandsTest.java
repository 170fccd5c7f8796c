package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IsrCommandsTest {
    private final TestCluster cluster = TestCluster.of(3);

    @BeforeEach
    void createTopic() {
        cluster.createOn("t", 1, 2, 3);
    }

    @Test
    void theLeaderShrinksAndGrowsTheIsr() {
        AlteredPartition shrunk = alter(1, state(), 1, 2);

        assertThat(shrunk.error()).isEqualTo(ApiError.NONE);
        assertThat(shrunk.state()).contains(state());
        assertThat(state().isr()).isEqualTo(List.of(1, 2));
        assertThat(state().leaderEpoch()).isZero();
        assertThat(state().partitionEpoch()).isEqualTo(1);

        alter(1, state(), 1, 2, 3);
        assertThat(state().isr()).isEqualTo(List.of(1, 2, 3));
    }

    @Test
    void whoLeavesBelowTheMinimumStaysEligible() {
        alter(1, state(), 1);

        assertThat(state().isr()).isEqualTo(List.of(1));
        assertThat(state().elr()).isEqualTo(List.of(2, 3));

        alter(1, state(), 1, 2);
        assertThat(state().elr()).isEmpty();
    }

    @Test
    void nothingChangesForTheSameIsr() {
        assertThat(alter(1, state(), 1, 2, 3).error()).isEqualTo(ApiError.NONE);
        assertThat(state().partitionEpoch()).isZero();
    }

    @Test
    void staleRequestsAreRefused() {
        PartitionState old = state();
        cluster.start(1);
        cluster.start(2);
        assertThat(state().leader()).isEqualTo(3);

        assertThat(alter(1, old, 1, 2).error().code()).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(alter(1, state(), 1, 3).error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        PartitionState current = state();
        alter(3, current, 1, 3);
        assertThat(alter(3, current, 1, 3).error().code())
                .isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
    }

    @Test
    void anIncarnationThatIsOverIsNotInSync() {
        long before = cluster.epoch(2);
        alter(1, state(), 1, 3);
        cluster.start(2);

        AlterPartition old =
                change(state(), List.of(member(1), member(3), new IsrMember(2, before)));
        assertThat(send(1, old).error().code()).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        assertThat(alter(1, state(), 1, 3, 2).error()).isEqualTo(ApiError.NONE);
    }

    @Test
    void aFencedBrokerIsNotInSync() {
        cluster.fence(2);

        assertThat(alter(1, state(), 1, 2, 3).error().code())
                .isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
    }

    @Test
    void anImpossibleIsrIsRefused() {
        assertThat(alter(1, state(), 2, 3).error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(1, state(), 1, 9).error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(alter(1, state(), 1, 1).error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        AlterPartition unknown =
                new AlterPartition(
                        new PartitionId(new Uuid(5, 5), 0), 0, 0, List.of(member(1)), false);
        assertThat(send(1, unknown).error().code()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID);
    }

    @Test
    void anIncarnationThatIsOverMayNotAsk() {
        BrokerReply<AlteredPartition> reply =
                cluster.run(c ->
                        c.alterPartitions(
                                1, cluster.epoch(1) - 1, List.of(change(state(), List.of()))));

        assertThat(reply.error().code()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(reply.parts()).isEmpty();
    }

    private PartitionState state() {
        return cluster.partition("t", 0);
    }

    private IsrMember member(int id) {
        return new IsrMember(id, cluster.epoch(id));
    }

    private AlterPartition change(PartitionState known, List<IsrMember> isr) {
        return new AlterPartition(
                new PartitionId(cluster.topicId("t"), 0),
                known.leaderEpoch(),
                known.partitionEpoch(),
                isr,
                false);
    }

    private AlteredPartition alter(int leader, PartitionState known, Integer... isr) {
        return send(leader, change(known, Stream.of(isr).map(this::member).toList()));
    }

    private AlteredPartition send(int leader, AlterPartition change) {
        return cluster.run(c -> c.alterPartitions(leader, cluster.epoch(leader), List.of(change)))
                .parts()
                .getFirst();
    }
}

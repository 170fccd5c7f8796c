package dev.ottla.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaderReplicaTest {
    private final List<Long> advances = new ArrayList<>();

    @Test
    void singleReplicaAdvancesOnlyWithItsOwnFlush() {
        LeaderReplica leader = leader(List.of(1), Set.of(1), 1, 10, 10);

        leader.onAppended(25);
        assertThat(leader.highWatermark()).isEqualTo(10);

        leader.onFlushed(20, advances::add);
        assertThat(advances).containsExactly(10L, 20L);
        assertThat(leader.highWatermark()).isEqualTo(20);
    }

    @Test
    void highWatermarkWaitsForSlowestInSyncReplica() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2, 3), 2, 0, 0);
        leader.onAppended(30);

        leader.onFollowerFetch(2, 30, advances::add);
        leader.onFollowerFetch(3, 12, advances::add);
        leader.onFlushed(20, advances::add);

        assertThat(advances).containsExactly(12L);
    }

    @Test
    void leaderThatFlushesSlowestHoldsTheHighWatermark() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 2, 0, 0);
        leader.onAppended(30);
        leader.onFollowerFetch(2, 30, advances::add);
        assertThat(advances).isEmpty();

        leader.onFlushed(7, advances::add);

        assertThat(advances).containsExactly(7L);
    }

    @Test
    void replicaOutsideTheIsrDoesNotCount() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2), 2, 0, 0);
        leader.onAppended(30);

        leader.onFlushed(30, advances::add);
        leader.onFollowerFetch(2, 30, advances::add);

        assertThat(advances).containsExactly(30L);
    }

    @Test
    void proposedAdditionCountsAtOnceAndProposedRemovalOnlyWhenCommitted() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2), 1, 0, 0);
        leader.onAppended(30);
        leader.onFlushed(30, advances::add);
        leader.onFollowerFetch(2, 10, advances::add);
        leader.onFollowerFetch(3, 10, advances::add);

        leader.onIsrProposed(Set.of(1, 3));
        assertThat(leader.maximalIsr()).containsExactly(1, 2, 3);
        leader.onFollowerFetch(3, 30, advances::add);
        assertThat(leader.highWatermark()).isEqualTo(10);

        leader.onIsrCommitted(Set.of(1, 3), advances::add);
        assertThat(leader.highWatermark()).isEqualTo(30);
        assertThat(leader.maximalIsr()).containsExactly(1, 3);
    }

    @Test
    void rejectedAdditionLeavesTheMaximalIsr() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 1, 0, 0);
        leader.onAppended(30);
        leader.onIsrProposed(Set.of(1, 2));
        leader.onFlushed(30, advances::add);
        assertThat(advances).isEmpty();

        leader.onIsrRejected(advances::add);

        assertThat(advances).containsExactly(30L);
    }

    @Test
    void highWatermarkStandsStillBelowMinInSyncReplicas() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1), 2, 0, 0);
        leader.onAppended(30);
        leader.onFlushed(30, advances::add);
        assertThat(advances).isEmpty();
        assertThat(leader.hasEnoughReplicas()).isFalse();

        leader.onMinInSyncReplicas(1, advances::add);

        assertThat(advances).containsExactly(30L);
        assertThat(leader.hasEnoughReplicas()).isTrue();
    }

    @Test
    void additionUnderWayDoesNotMakeUpForMissingInSyncReplicas() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 2, 0, 0);
        leader.onAppended(30);
        leader.onFlushed(30, advances::add);
        leader.onFollowerFetch(2, 30, advances::add);

        leader.onIsrProposed(Set.of(1, 2));
        assertThat(leader.highWatermark()).isZero();

        leader.onIsrCommitted(Set.of(1, 2), advances::add);
        assertThat(leader.highWatermark()).isEqualTo(30);
    }

    @Test
    void assignmentBoundsMinInSyncReplicas() {
        LeaderReplica leader = leader(List.of(1), Set.of(1), 3, 0, 0);
        leader.onAppended(5);

        leader.onFlushed(5, advances::add);

        assertThat(leader.hasEnoughReplicas()).isTrue();
        assertThat(advances).containsExactly(5L);
    }

    @Test
    void followerMayJoinOnceItHasTheHighWatermarkAndTheEpochStart() {
        LeaderReplica leader =
                new LeaderReplica(new LeaderStart(1, 4, List.of(1, 2), Set.of(1), 1, 20, 15, 10));
        leader.begin(advances::add);
        assertThat(advances).containsExactly(15L);
        assertThat(leader.mayJoinIsr(2)).isFalse();

        leader.onFollowerFetch(2, 19, advances::add);
        assertThat(leader.mayJoinIsr(2)).isFalse();

        leader.onFollowerFetch(2, 20, advances::add);
        assertThat(leader.mayJoinIsr(2)).isTrue();
    }

    @Test
    void droppedRecordsGiveTheirOffsetsBack() {
        LeaderReplica leader = leader(List.of(1), Set.of(1), 1, 0, 0);
        leader.onAppended(30);
        leader.onFlushed(10, advances::add);

        leader.onDropped(12);
        leader.onAppended(13);
        leader.onFlushed(13, advances::add);

        assertThat(advances).containsExactly(10L, 13L);
        assertThatThrownBy(() -> leader.onDropped(12)).hasMessageContaining("12");
    }

    @Test
    void impossibleEventsAreBugs() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 1, 10, 10);

        assertThatThrownBy(() -> leader.onAppended(9)).hasMessageContaining("10");
        assertThatThrownBy(() -> leader.onFlushed(11, advances::add)).hasMessageContaining("11");
        assertThatThrownBy(() -> leader.onFollowerFetch(2, 11, advances::add))
                .hasMessageContaining("11");
        assertThatThrownBy(() -> leader.onFollowerFetch(9, 1, advances::add))
                .hasMessageContaining("9");
        assertThatThrownBy(() -> leader.onIsrCommitted(Set.of(2), advances::add))
                .hasMessageContaining("[2]");
    }

    private LeaderReplica leader(
            List<Integer> replicas,
            Set<Integer> isr,
            int minInSyncReplicas,
            long logEndOffset,
            long flushed) {
        LeaderReplica leader =
                new LeaderReplica(
                        new LeaderStart(
                                1, 4, replicas, isr, minInSyncReplicas, logEndOffset, flushed, 0));
        leader.begin(advances::add);
        return leader;
    }
}

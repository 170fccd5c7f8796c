package dev.ottla.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.replication.LeaderStart.Membership;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaderReplicaTest {
    private static final long MAX_LAG_MS = 10_000;
    private static final long EPOCH = 7;

    private final List<Long> advances = new ArrayList<>();
    private final List<IsrProposal> proposals = new ArrayList<>();
    private final Map<Integer, Long> epochs =
            new HashMap<>(Map.of(1, EPOCH, 2, EPOCH, 3, EPOCH, 4, EPOCH));
    private final Set<Integer> full = new HashSet<>();
    private final Set<Integer> fenced = new HashSet<>();
    private boolean confirmed;
    private boolean blind;
    private final ActiveBrokers active =
            new ActiveBrokers() {
                @Override
                public long epochOf(int brokerId) {
                    return fenced.contains(brokerId) ? NOT_ACTIVE : registeredEpochOf(brokerId);
                }

                @Override
                public long registeredEpochOf(int brokerId) {
                    return epochs.getOrDefault(brokerId, NOT_ACTIVE);
                }

                @Override
                public boolean hasRoom(int brokerId) {
                    return !full.contains(brokerId);
                }

                @Override
                public boolean isBlind() {
                    return blind;
                }

                @Override
                public boolean isConfirmed() {
                    return confirmed;
                }
            };
    private final LeaderReplica.Effects effects =
            new LeaderReplica.Effects() {
                @Override
                public void highWatermarkAdvanced(long highWatermark) {
                    advances.add(highWatermark);
                }

                @Override
                public void isrProposed(IsrProposal proposal) {
                    proposals.add(proposal);
                }
            };
    private long nowMs = 1_000_000;

    @Test
    void singleReplicaAdvancesOnlyWithItsOwnFlush() {
        LeaderReplica leader = leader(List.of(1), Set.of(1), 1, 10, 10);

        leader.onAppended(25);
        assertThat(leader.highWatermark()).isEqualTo(10);

        leader.onFlushed(20, effects);
        assertThat(advances).containsExactly(10L, 20L);
        assertThat(leader.highWatermark()).isEqualTo(20);
    }

    @Test
    void highWatermarkWaitsForSlowestInSyncReplica() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2, 3), 2);
        leader.onAppended(30);

        fetch(leader, 2, 30);
        fetch(leader, 3, 12);
        leader.onFlushed(20, effects);

        assertThat(advances).containsExactly(12L);
    }

    @Test
    void leaderThatFlushesSlowestHoldsTheHighWatermark() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 2);
        leader.onAppended(30);
        fetch(leader, 2, 30);
        assertThat(advances).isEmpty();

        leader.onFlushed(7, effects);

        assertThat(advances).containsExactly(7L);
    }

    @Test
    void replicaOutsideTheIsrDoesNotCount() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2), 2);
        leader.onAppended(30);

        leader.onFlushed(30, effects);
        fetch(leader, 2, 30);

        assertThat(advances).containsExactly(30L);
    }

    @Test
    void proposedAdditionCountsAtOnce() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2), 1);
        write(leader, 30);
        fetch(leader, 2, 10);
        assertThat(proposals).isEmpty();

        fetch(leader, 3, 30);
        assertThat(leader.maximalIsr()).containsExactly(1, 2, 3);
        assertThat(proposals.getFirst().members()).isEqualTo(Map.of(1, EPOCH, 2, EPOCH, 3, EPOCH));

        fetch(leader, 3, 5);
        fetch(leader, 2, 30);
        assertThat(leader.highWatermark()).isEqualTo(10);
    }

    @Test
    void proposedRemovalCountsOnlyWhenCommitted() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 1);
        write(leader, 30);
        nowMs += MAX_LAG_MS + 1;

        leader.checkLag(nowMs, effects);
        assertThat(proposals.getFirst().members()).containsOnlyKeys(1);
        assertThat(leader.maximalIsr()).containsExactly(1, 2);
        assertThat(advances).isEmpty();

        leader.onMembership(new Membership(1, List.of(1, 2), Set.of(1)), nowMs, effects);
        assertThat(leader.maximalIsr()).containsExactly(1);
        assertThat(advances).containsExactly(30L);
    }

    @Test
    void memberStaysAsLongAsItHoldsWhatTheLeaderHadAtItsFetchBefore() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 1);
        for (int end = 10; end < 200; end += 10) {
            leader.onAppended(end);
            fetch(leader, 2, end - 10);
            nowMs += MAX_LAG_MS / 2;
            leader.checkLag(nowMs, effects);
        }

        assertThat(proposals).isEmpty();
    }

    @Test
    void memberThatHoldsEverythingStaysHoweverLongItIsSilent() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 1);
        fetch(leader, 2, 0);

        nowMs += 100 * MAX_LAG_MS;
        leader.checkLag(nowMs, effects);

        assertThat(proposals).isEmpty();
    }

    @Test
    void replicaThatJustKeepsUpDoesNotJoin() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 2);
        write(leader, 30);
        fetch(leader, 2, 0);
        leader.onAppended(60);
        nowMs += MAX_LAG_MS * 2 / 3;

        fetch(leader, 2, 30); // It had everything then, but that is long ago.
        assertThat(proposals).isEmpty();

        nowMs += 100;
        fetch(leader, 2, 60);
        assertThat(proposals).hasSize(1);
    }

    @Test
    void followerThatTheHighWatermarkRunsAheadOfIsAwaited() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 1);
        fetch(leader, 2, 0);
        leader.onRefused(proposals.removeFirst(), nowMs, effects);
        nowMs += 1_000;
        write(leader, 10);

        fetch(leader, 2, 0); // It has all but what has just come.
        write(leader, 20);
        assertThat(proposals).isEmpty();
        assertThat(leader.highWatermark()).isEqualTo(10);

        fetch(leader, 2, 10);
        assertThat(proposals.getFirst().members()).containsOnlyKeys(1, 2);
    }

    @Test
    void highWatermarkDoesNotWaitLongForOneThatIsAwaited() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 1);
        fetch(leader, 2, 0);
        leader.onRefused(proposals.removeFirst(), nowMs, effects);
        nowMs += 1_000;
        write(leader, 10);
        fetch(leader, 2, 0);
        write(leader, 20);

        nowMs += 1_001;
        leader.checkLag(nowMs, effects);

        assertThat(leader.highWatermark()).isEqualTo(20);
        assertThat(leader.maximalIsr()).containsExactly(1);
    }

    @Test
    void oneProposalAtATimeAndAPauseAfterARefusal() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1), 1);
        fetch(leader, 2, 0);
        fetch(leader, 3, 0);
        assertThat(proposals).hasSize(1);
        assertThat(leader.proposal()).contains(proposals.getFirst());

        leader.onRefused(proposals.getFirst(), nowMs, effects);
        fetch(leader, 3, 0);
        assertThat(proposals).hasSize(1);
        assertThat(leader.maximalIsr()).containsExactly(1);

        nowMs += 1_000;
        fetch(leader, 3, 0);
        assertThat(proposals.getLast().members()).containsOnlyKeys(1, 2, 3);
    }

    @Test
    void refusalOfASettledProposalChangesNothing() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 1);
        fetch(leader, 2, 0);
        IsrProposal first = proposals.getFirst();
        leader.onMembership(new Membership(1, List.of(1, 2), Set.of(1, 2)), nowMs, effects);

        leader.onRefused(first, nowMs, effects);

        assertThat(leader.maximalIsr()).containsExactly(1, 2);
    }

    @Test
    void olderStateChangesNothing() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 1);
        leader.onMembership(new Membership(5, List.of(1, 2), Set.of(1)), nowMs, effects);

        leader.onMembership(new Membership(4, List.of(1, 2), Set.of(1, 2)), nowMs, effects);

        assertThat(leader.isr()).containsExactly(1);
    }

    @Test
    void onlyTheRegisteredIncarnationJoins() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 1);
        epochs.put(2, EPOCH + 1);
        assertThat(leader.accepts(2, EPOCH)).isFalse();

        // Not heard of here yet, so it may fetch, but not join.
        leader.onFollowerFetch(
                new FollowerFetch(2, EPOCH + 2, 0, 0, FollowerFetch.NEVER_MS), nowMs, effects);
        assertThat(proposals).isEmpty();
        assertThat(leader.flushedEndOffset(2)).isEqualTo(-1);

        epochs.put(2, EPOCH + 2);
        assertThat(leader.accepts(2, EPOCH + 1)).isFalse();
        leader.onFollowerFetch(
                new FollowerFetch(2, EPOCH + 2, 0, 0, FollowerFetch.NEVER_MS), nowMs, effects);
        assertThat(proposals.getFirst().members()).isEqualTo(Map.of(1, EPOCH, 2, EPOCH + 2));
    }

    @Test
    void fencedBrokerDoesNotJoin() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 1);
        fenced.add(2);

        fetch(leader, 2, 0);

        assertThat(proposals).isEmpty();
        assertThat(leader.flushedEndOffset(2)).as("it may catch up").isZero();
    }

    @Test
    void fetchOfAnIncarnationThatIsNotRegisteredDoesNotCount() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2), 1);
        write(leader, 30);
        long forged = Long.MAX_VALUE;

        assertThat(leader.accepts(2, forged)).as("its registration may be on its way").isTrue();
        leader.onFollowerFetch(
                new FollowerFetch(2, forged, 30, 0, FollowerFetch.NEVER_MS), nowMs, effects);
        leader.onFollowerFetch(
                new FollowerFetch(3, forged, 30, 0, FollowerFetch.NEVER_MS), nowMs, effects);
        epochs.remove(3);
        leader.onFollowerFetch(
                new FollowerFetch(3, EPOCH, 30, 0, FollowerFetch.NEVER_MS), nowMs, effects);
        assertThat(leader.highWatermark()).isZero();
        assertThat(proposals).isEmpty();

        fetch(leader, 2, 30);
        assertThat(leader.highWatermark()).as("the real one is not locked out").isEqualTo(30);
    }

    @Test
    void replicaThatIsAddedToTheAssignmentMayJoin() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 1);
        assertThat(leader.accepts(4, EPOCH)).isFalse();

        leader.onMembership(new Membership(1, List.of(1, 2, 4), Set.of(1, 2)), nowMs, effects);
        fetch(leader, 4, 0);

        assertThat(proposals.getFirst().members()).containsOnlyKeys(1, 2, 4);
    }

    @Test
    void highWatermarkStandsStillBelowMinInSyncReplicas() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1), 2);
        write(leader, 30);
        assertThat(advances).isEmpty();
        assertThat(leader.hasEnoughReplicas()).isFalse();

        leader.onMinInSyncReplicas(1, effects);

        assertThat(advances).containsExactly(30L);
        assertThat(leader.hasEnoughReplicas()).isTrue();
    }

    @Test
    void additionUnderWayDoesNotMakeUpForMissingInSyncReplicas() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1), 2);
        write(leader, 30);
        fetch(leader, 2, 30);
        assertThat(proposals).hasSize(1);
        assertThat(leader.highWatermark()).isZero();

        leader.onMembership(new Membership(1, List.of(1, 2), Set.of(1, 2)), nowMs, effects);
        assertThat(leader.highWatermark()).isEqualTo(30);
    }

    @Test
    void assignmentBoundsMinInSyncReplicas() {
        LeaderReplica leader = leader(List.of(1), Set.of(1), 3);
        leader.onAppended(5);

        leader.onFlushed(5, effects);

        assertThat(leader.hasEnoughReplicas()).isTrue();
        assertThat(advances).containsExactly(5L);
    }

    @Test
    void followerMayJoinOnceItHasTheHighWatermarkAndTheEpochStart() {
        LeaderReplica leader =
                new LeaderReplica(
                        new LeaderStart(
                                1,
                                4,
                                new Membership(0, List.of(1, 2), Set.of(1)),
                                1,
                                20,
                                15,
                                10,
                                MAX_LAG_MS,
                                1_500,
                                nowMs),
                        active);
        leader.begin(effects);
        assertThat(advances).containsExactly(15L);

        fetch(leader, 2, 19);
        assertThat(proposals).isEmpty();

        fetch(leader, 2, 20);
        assertThat(proposals).hasSize(1);
    }

    @Test
    void replicaWithoutRoomDoesNotJoinAndIsNotWaitedFor() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 3), 1);
        write(leader, 10);
        fetch(leader, 3, 10);
        full.add(2);
        fetch(leader, 2, 9);
        fetch(leader, 2, 10);
        leader.checkLag(nowMs, effects);
        assertThat(proposals).isEmpty();
        assertThat(leader.maximalIsr()).containsExactly(1, 3);

        full.clear();
        fetch(leader, 2, 10);
        assertThat(proposals).hasSize(1);
    }

    @Test
    void droppedRecordsGiveTheirOffsetsBack() {
        LeaderReplica leader = leader(List.of(1), Set.of(1), 1);
        leader.onAppended(30);
        leader.onFlushed(10, effects);

        leader.onDropped(12);
        write(leader, 13);

        assertThat(advances).containsExactly(10L, 13L);
        assertThatThrownBy(() -> leader.onDropped(12)).hasMessageContaining("12");
    }

    @Test
    void impossibleEventsAreBugs() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 1, 10, 10);

        assertThatThrownBy(() -> leader.onAppended(9)).hasMessageContaining("10");
        assertThatThrownBy(() -> leader.onFlushed(11, effects)).hasMessageContaining("11");
        assertThatThrownBy(() -> fetch(leader, 2, 11)).hasMessageContaining("11");
        assertThatThrownBy(() -> fetch(leader, 9, 1)).hasMessageContaining("9");
        Membership withoutLeader = new Membership(1, List.of(1, 2), Set.of(2));
        assertThatThrownBy(() -> leader.onMembership(withoutLeader, nowMs, effects))
                .hasMessageContaining("[2]");
    }

    @Test
    void lowWatermarkIsTheLowestLogStartOfLivingReplicas() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2, 3), 1);
        write(leader, 30);
        leader.onFollowerFetch(
                new FollowerFetch(2, EPOCH, 30, 20, FollowerFetch.NEVER_MS), nowMs, effects);
        assertThat(leader.lowWatermark(25)).isEqualTo(-1);

        leader.onFollowerFetch(
                new FollowerFetch(3, EPOCH, 30, 10, FollowerFetch.NEVER_MS), nowMs, effects);
        assertThat(leader.lowWatermark(25)).isEqualTo(10);
        assertThat(leader.lowWatermark(5)).isEqualTo(5);

        epochs.remove(3);
        assertThat(leader.lowWatermark(25)).isEqualTo(20);
    }

    @Test
    void leaderIsCertainWhileAllInSyncReplicasFollow() {
        LeaderReplica leader = leader(List.of(1, 2, 3), Set.of(1, 2), 1);
        assertThat(leader.isCertain(nowMs)).isFalse();

        fetch(leader, 2, 0);
        long answeredMs = nowMs + 500;
        nowMs = answeredMs + 20;
        assertThat(leader.isCertain(nowMs)).isFalse();
        fetchOn(leader, 2, answeredMs);
        assertThat(leader.isCertain(nowMs)).isTrue();
        nowMs = answeredMs + 1_500;
        assertThat(leader.isCertain(nowMs)).isTrue();
        nowMs++;
        assertThat(leader.isCertain(nowMs)).isFalse();
    }

    /// Fetches that were sent before the pause are read after it, by connections old and new.
    @Test
    void leaderThatStoodStillIsNotCertainBecauseOfFetchesOfBefore() {
        LeaderReplica leader = leader(List.of(1, 2), Set.of(1, 2), 1);
        fetch(leader, 2, 0);
        fetchOn(leader, 2, nowMs);
        long answeredMs = nowMs + 500;

        nowMs += 5_000;
        fetch(leader, 2, 0);
        fetchOn(leader, 2, answeredMs);
        fetch(leader, 2, 0);
        assertThat(leader.isCertain(nowMs)).isFalse();

        fetchOn(leader, 2, nowMs);
        assertThat(leader.isCertain(nowMs)).isTrue();
    }

    @Test
    void nobodyCouldHaveTakenOverFromTheOnlyInSyncReplica() {
        assertThat(leader(List.of(1), Set.of(1), 1).isCertain(nowMs)).isTrue();
        assertThat(leader(List.of(1, 2, 3), Set.of(1), 1).isCertain(nowMs)).isTrue();
    }

    @Test
    void whoLeftAnIsrThatIsTooSmallCouldHaveTakenOver() {
        LeaderReplica alone = leader(List.of(1, 2, 3), Set.of(1), 2);
        assertThat(alone.isCertain(nowMs)).isFalse();

        LeaderReplica withAnother = leader(List.of(1, 2, 3), Set.of(1, 2), 3);
        fetchOn(withAnother, 2, nowMs);
        assertThat(withAnother.isCertain(nowMs)).isFalse();
    }

    /// Its own controller may count on it, and neither hears what others have decided.
    @Test
    void blindLeaderIsNotCertain() {
        confirmed = true;
        blind = true;
        assertThat(leader(List.of(1, 2), Set.of(1), 1).isCertain(nowMs)).isFalse();
        assertThat(leader(List.of(1), Set.of(1), 1).isCertain(nowMs)).isTrue();
    }

    @Test
    void leaderIsCertainWhileTheControllerCountsOnIt() {
        confirmed = true;
        assertThat(leader(List.of(1, 2, 3), Set.of(1), 2).isCertain(nowMs)).isTrue();
        assertThat(leader(List.of(1, 2, 3), Set.of(1, 2), 2).isCertain(nowMs)).isTrue();
    }

    /// Appends up to `endOffset` and makes that safe on the leader.
    private void write(LeaderReplica leader, long endOffset) {
        leader.onAppended(endOffset);
        leader.onFlushed(endOffset, effects);
    }

    private void fetch(LeaderReplica leader, int follower, long offset) {
        leader.onFollowerFetch(
                new FollowerFetch(follower, EPOCH, offset, 0, FollowerFetch.NEVER_MS),
                nowMs,
                effects);
    }

    /// Fetches from offset 0, with an answer of `answeredMs` in its hands.
    private void fetchOn(LeaderReplica leader, int follower, long answeredMs) {
        leader.onFollowerFetch(
                new FollowerFetch(follower, EPOCH, 0, 0, answeredMs), nowMs, effects);
    }

    /// Leads with an empty log.
    private LeaderReplica leader(List<Integer> replicas, Set<Integer> isr, int minInSyncReplicas) {
        return leader(replicas, isr, minInSyncReplicas, 0, 0);
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
                                1,
                                4,
                                new Membership(0, replicas, isr),
                                minInSyncReplicas,
                                logEndOffset,
                                flushed,
                                0,
                                MAX_LAG_MS,
                                1_500,
                                nowMs),
                        active);
        leader.begin(effects);
        return leader;
    }
}

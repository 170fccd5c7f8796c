package dev.ottla.quorum.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;

final class ArrivalsTest {
    private static final RaftPeerId VOTER = RaftPeerId.valueOf("new");
    private final Arrivals arrivals = new Arrivals();

    @Test
    void whoVotesAlreadyIsNotAwaited() {
        assertThat(arrivals.isAwaited(VOTER, -1, 0)).isFalse();
    }

    @Test
    void whoIsAddedIsAwaitedUntilItHasWhatTheOthersAgreedOn() {
        arrivals.expect(List.of(VOTER));
        assertThat(arrivals.isAwaited(VOTER, 1_000, 0)).isTrue();

        arrivals.agreed(List.of(VOTER), 7, 0);
        assertThat(arrivals.isAwaited(VOTER, 6, 0)).isTrue();
        assertThat(arrivals.isAwaited(VOTER, 7, 0)).isFalse();
        assertThat(arrivals.isAwaited(VOTER, -1, 0)).as("later, when it is down").isFalse();
    }

    @Test
    void whoTakesTooLongCountsAsAVoterThatIsDown() {
        arrivals.expect(List.of(VOTER));
        arrivals.agreed(List.of(VOTER), 7, 5_000);

        assertThat(arrivals.isAwaited(VOTER, 6, 14_999)).isTrue();
        assertThat(arrivals.isAwaited(VOTER, 6, 15_000)).isFalse();
    }

    @Test
    void nobodyIsAwaitedWhoWasNotAddedAfterAll() {
        arrivals.expect(List.of(VOTER));
        arrivals.forget(List.of(VOTER));
        assertThat(arrivals.isAwaited(VOTER, -1, 0)).isFalse();

        arrivals.expect(List.of(VOTER));
        arrivals.forgetAll();
        arrivals.agreed(List.of(VOTER), 7, 0);
        assertThat(arrivals.isAwaited(VOTER, -1, 0)).isFalse();
    }
}

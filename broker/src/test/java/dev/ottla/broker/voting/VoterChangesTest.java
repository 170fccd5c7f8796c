package dev.ottla.broker.voting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumMembers;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// What the active controller, node 1, lets happen to the voters.
final class VoterChangesTest {
    private final Map<Integer, QuorumVoter> voters = new TreeMap<>();
    private final Set<Integer> living = new HashSet<>();
    private boolean leads = true;

    private final VoterChanges changes =
            new VoterChanges(
                    new VoterChanges.Surroundings(
                            1,
                            new Members(),
                            () -> {
                                voters.putIfAbsent(1, voter(1, 10));
                                return CompletableFuture.completedFuture(null);
                            },
                            () -> leads,
                            Runnable::run));

    private static QuorumVoter voter(int id, int directory) {
        return new QuorumVoter(id, new Uuid(0, directory), "localhost", 9000 + id);
    }

    private void votes(int... ids) {
        for (int id : ids) voters.put(id, voter(id, id * 10));
    }

    private void lives(int... ids) {
        for (int id : ids) living.add(id);
    }

    private ApiError remove(int id) {
        return changes.remove(id, new Uuid(0, id * 10L)).join();
    }

    @Test
    void theFirstThatIsAddedMakesTheOnlyNodeBeginTheQuorum() {
        assertThat(changes.add(voter(2, 20)).join().isNone()).isTrue();
        assertThat(voters).containsOnlyKeys(1, 2);
    }

    @Test
    void aNodeVotesOnce() {
        votes(1, 2, 3);

        assertThat(changes.add(voter(3, 31)).join().code()).isEqualTo(ErrorCode.DUPLICATE_VOTER);
        assertThat(changes.add(voter(3, 30)).join().isNone()).isTrue();
        assertThat(voters).hasSize(3);
    }

    @Test
    void aVoterGoesWhenTheOthersAreThere() {
        votes(1, 2, 3);
        lives(1, 2);

        assertThat(remove(3).isNone()).isTrue();
        assertThat(voters).containsOnlyKeys(1, 2);
    }

    @Test
    void aVoterStaysWhenTheOthersWouldHaveNoMajority() {
        votes(1, 2, 3);
        lives(1, 3);

        ApiError refused = remove(3);

        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(refused.message())
                .contains("Without node 3 the voters are 1 and 2", "2 is not: start that one");
        assertThat(remove(2).isNone()).isTrue();
    }

    @Test
    void theOnlyVoterStays() {
        assertThat(remove(1).message()).contains("the only voter", "three nodes");
        votes(1);
        assertThat(remove(1).message()).contains("the only voter");
        assertThat(remove(4).code()).isEqualTo(ErrorCode.VOTER_NOT_FOUND);
    }

    @Test
    void nothingIsChangedOnAnotherNodeThanTheController() {
        votes(1, 2, 3);
        lives(1, 2, 3);
        leads = false;

        assertThatThrownBy(() -> remove(3)).hasCauseInstanceOf(NotControllerException.class);
        assertThat(voters).hasSize(3);
    }

    private final class Members implements QuorumMembers {
        @Override
        public List<QuorumVoter> voters() {
            return List.copyOf(voters.values());
        }

        @Override
        public boolean isThere(QuorumVoter voter) {
            return living.contains(voter.nodeId());
        }

        @Override
        public CompletableFuture<Void> addVoters(List<QuorumVoter> added) {
            added.forEach(voter -> voters.put(voter.nodeId(), voter));
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> removeVoter(int nodeId, Uuid directoryId) {
            voters.remove(nodeId);
            return CompletableFuture.completedFuture(null);
        }
    }
}

package dev.ottla.broker.voting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.VersionRange;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// When a node asks to vote, and what it asks first. The voters are a map here, and node 2 asks.
final class CandidacyTest {
    private static final QuorumVoter SELF = voter(2, 20);

    private final Map<Integer, QuorumVoter> voters = new TreeMap<>();
    private final List<String> asked = new ArrayList<>();
    private ClusterImage image = ClusterImage.EMPTY;
    private boolean ready;
    private boolean takenOut;
    private boolean refusing;

    /// What the controller's answers wait for.
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);

    private boolean led = true;

    /// What this node's engine has not heard yet.
    private List<QuorumVoter> believed = List.of();

    private int ownEpoch;
    private long nowNs;

    private static QuorumVoter voter(int id, int directory) {
        return new QuorumVoter(id, new Uuid(0, directory), "localhost", 9000 + id);
    }

    private void votes(int id, int directory) {
        voters.put(id, voter(id, directory));
    }

    private void lives(int... ids) {
        for (int id : ids) lives(id, List.of());
    }

    private void lives(int id, List<Uuid> cordoned) {
        lives(id, Features.ofCandidate(), cordoned);
    }

    private void lives(int id, Map<String, VersionRange> features, List<Uuid> cordoned) {
        ImageDelta delta = new ImageDelta(image);
        delta.replay(
                new MetadataRecord.RegisterBroker(
                        id,
                        new Uuid(1, id),
                        100 + id,
                        List.of(new BrokerEndpoint("PLAINTEXT", "localhost", 9092, (short) 0)),
                        features,
                        Optional.empty(),
                        false,
                        false,
                        List.of(new Uuid(0, id * 10L)),
                        cordoned));
        image = delta.apply(image.version());
    }

    private Candidacy candidacy(Role role) {
        return new Candidacy(
                new Candidacy.Surroundings(
                        role,
                        () -> SELF,
                        () -> image,
                        new Vote(),
                        Runnable::run,
                        new Controller(),
                        () -> nowNs));
    }

    @Test
    void theThirdNodeMakesTheSecondAsk() {
        votes(1, 10);
        lives(1, 2);
        Candidacy candidacy = candidacy(Role.AUTO);

        candidacy.check();
        assertThat(asked).isEmpty();
        lives(3);
        candidacy.check();

        assertThat(asked).containsExactly("ready", "add 2");
    }

    @Test
    void aNodeThatWouldNotVoteIsNotWaitedFor() {
        votes(1, 10);
        lives(2, 4);
        lives(1, Features.supported(), List.of());
        lives(3, Features.supported(), List.of());

        candidacy(Role.AUTO).check();
        assertThat(asked).containsExactly("ready", "add 2");

        asked.clear();
        voters.remove(2);
        ready = false;
        lives(4, Features.supported(), List.of());
        candidacy(Role.AUTO).check();
        assertThat(asked).isEmpty();
    }

    @Test
    void aNodeThatLostItsDirectoryHasItsOldVoterTakenOutFirst() {
        votes(1, 10);
        votes(2, 19);
        votes(3, 30);
        lives(1, 2, 3);

        candidacy(Role.AUTO).check();

        assertThat(asked).containsExactly("remove 2 with 19", "ready", "add 2");
        assertThat(voters.get(2)).isEqualTo(SELF);
    }

    @Test
    void aNodeThatGaveUpAnAttemptHasTheVoterOfTheSameNameTakenOutFirst() {
        votes(1, 10);
        votes(2, 20);
        votes(3, 30);
        lives(1, 2, 3);

        candidacy(Role.AUTO).check();

        assertThat(asked).containsExactly("remove 2 with 20", "ready", "add 2");
    }

    @Test
    void aVoterThatIsNotWhereTheOthersFindItMovesItsVote() {
        votes(1, 10);
        voters.put(2, new QuorumVoter(2, SELF.directoryId(), "before", SELF.port()));
        votes(3, 30);
        lives(1, 2, 3);
        ready = true;
        Candidacy candidacy = candidacy(Role.AUTO);

        candidacy.check();
        candidacy.check();

        assertThat(asked).containsExactly("remove 2 with 20", "give up", "ready", "add 2");
        assertThat(voters.get(2)).isEqualTo(SELF);
    }

    @Test
    void aVoterThatMovedKeepsItsVoteWhenItCannotBeTakenOut() {
        votes(1, 10);
        voters.put(2, new QuorumVoter(2, SELF.directoryId(), "before", SELF.port()));
        votes(3, 30);
        lives(1, 2, 3);
        ready = true;
        refusing = true;

        candidacy(Role.AUTO).check();

        assertThat(asked).containsExactly("remove 2 with 20");
        assertThat(ready).isTrue();
    }

    @Test
    void anObserverGivesBackTheVoteThatItLost() {
        votes(1, 10);
        votes(2, 19);
        votes(3, 30);
        lives(1, 2, 3);

        candidacy(Role.OBSERVER).check();

        assertThat(asked).containsExactly("remove 2 with 19");
    }

    @Test
    void nobodyIsReadyWhileTheOldVoterCouldNotBeTakenOut() {
        votes(1, 10);
        votes(2, 19);
        votes(3, 30);
        lives(1, 2, 3);
        refusing = true;

        candidacy(Role.AUTO).check();

        assertThat(asked).containsExactly("remove 2 with 19");
        assertThat(ready).isFalse();
    }

    @Test
    void aVoterThatIsDownKeepsItsVote() {
        votes(1, 10);
        votes(3, 30);
        votes(4, 40);
        lives(1, 2, 3);

        candidacy(Role.AUTO).check();

        assertThat(asked).isEmpty();
    }

    @Test
    void theLivingNodeWithTheLowestIdTakesAFreeVoteUnlessItIsDrained() {
        votes(3, 30);
        votes(4, 40);
        lives(2, 3, 4);
        lives(1, List.of(new Uuid(0, 10)));

        candidacy(Role.AUTO).check();
        assertThat(asked).containsExactly("ready", "add 2");

        asked.clear();
        voters.remove(2);
        ready = false;
        lives(1);
        candidacy(Role.AUTO).check();
        assertThat(asked).isEmpty();
    }

    @Test
    void aNodeThatShallVoteAsksHoweverManyVote() {
        votes(1, 10);
        votes(3, 30);
        votes(4, 40);
        lives(1, 2, 3, 4);

        candidacy(Role.VOTER).check();

        assertThat(asked).containsExactly("ready", "add 2");
    }

    @Test
    void aNodeThatIsRefusedCopiesOnAndAsksAgainLater() {
        votes(1, 10);
        lives(1, 2, 3);
        refusing = true;
        Candidacy candidacy = candidacy(Role.AUTO);

        candidacy.check();
        candidacy.check();
        assertThat(asked).containsExactly("ready", "add 2", "give up");
        refusing = false;
        nowNs += 10_000_000_000L;
        candidacy.check();

        assertThat(asked).containsExactly("ready", "add 2", "give up", "ready", "add 2");
    }

    @Test
    void aNodeThatWasTakenOutAsksNoMore() {
        votes(1, 10);
        votes(2, 20);
        votes(3, 30);
        lives(1, 2, 3);
        ready = true;
        Candidacy candidacy = candidacy(Role.AUTO);
        candidacy.check();

        voters.remove(2);
        ready = false;
        takenOut = true;
        candidacy.check();

        assertThat(asked).isEmpty();
    }

    @Test
    void aNodeThatWasTakenOutBeforeItStartedAsks() {
        votes(1, 10);
        votes(3, 30);
        lives(1, 2, 3);
        takenOut = true;

        candidacy(Role.AUTO).check();

        assertThat(asked).containsExactly("ready", "add 2");
    }

    /// The others do not talk to it, so it would wait for ever.
    @Test
    void aVoterThatHearsOfNoLeaderAsksWhetherItWasTakenOut() {
        votes(1, 10);
        votes(3, 30);
        lives(1, 2, 3);
        ready = true;
        believed = List.of(voter(1, 10), SELF, voter(3, 30));
        Candidacy candidacy = candidacy(Role.AUTO);

        candidacy.check();
        assertThat(asked).isEmpty();
        led = false;
        candidacy.check();

        assertThat(asked).containsExactly("give up", "ready", "add 2");
    }

    @Test
    void aVoterThatHearsOfNoLeaderAndIsNamedGoesOn() {
        votes(1, 10);
        votes(2, 20);
        votes(3, 30);
        lives(1, 2, 3);
        ready = true;
        led = false;

        candidacy(Role.AUTO).check();

        assertThat(asked).isEmpty();
        assertThat(ready).isTrue();
    }

    @Test
    void aNodeThatLostItsVoteBecauseItWasDrainedAsksWhenItIsNotAnyMore() {
        votes(1, 10);
        votes(3, 30);
        lives(1, 3);
        takenOut = true;
        Candidacy candidacy = candidacy(Role.AUTO);

        lives(2, List.of(new Uuid(0, 20)));
        candidacy.check();
        assertThat(asked).isEmpty();
        lives(2);
        candidacy.check();

        assertThat(asked).containsExactly("ready", "add 2");
    }

    @Test
    void anObserverVotesWhenSomebodyWantsItToAndOnce() {
        votes(1, 10);
        lives(1, 2);
        Candidacy candidacy = candidacy(Role.OBSERVER);

        assertThat(candidacy.volunteer().join()).isEqualTo(ApiError.NONE);
        assertThat(candidacy.volunteer().join().code()).isEqualTo(ErrorCode.DUPLICATE_VOTER);

        assertThat(asked).containsExactly("ready", "add 2");
    }

    @Test
    void aVoterThatHasNotHeardThatItWasTakenOutVotesAnewWhenSomebodyWantsItTo() {
        votes(1, 10);
        lives(1, 2);
        ready = true;
        believed = List.of(voter(1, 10), SELF);

        assertThat(candidacy(Role.AUTO).volunteer().join()).isEqualTo(ApiError.NONE);

        assertThat(asked).containsExactly("give up", "ready", "add 2");
    }

    @Test
    void aControllerThatMayHaveBeenReplacedCannotSayThatAVoterWasTakenOut() {
        votes(1, 10);
        lives(1, 2);
        ready = true;
        believed = List.of(voter(1, 10), SELF);
        ownEpoch = 2;

        ApiError answer = candidacy(Role.AUTO).volunteer().join();

        assertThat(answer.code()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(asked).isEmpty();
    }

    /// That nobody wants it to vote by itself is no answer to who does.
    @Test
    void aWishThatComesWhileTheNodeAsksByItselfIsFulfilledAfterwards() {
        votes(1, 10);
        lives(1, 2);
        answers = new CompletableFuture<>();
        Candidacy candidacy = candidacy(Role.OBSERVER);
        candidacy.check();

        CompletableFuture<ApiError> wish = candidacy.volunteer();
        assertThat(wish).isNotDone();
        answers.complete(null);

        assertThat(wish.join()).isEqualTo(ApiError.NONE);
        assertThat(asked).containsExactly("ready", "add 2");
    }

    @Test
    void aWishThatCannotBeFulfilledIsAnsweredSo() {
        votes(1, 10);
        lives(1, 2);
        refusing = true;

        ApiError answer = candidacy(Role.AUTO).volunteer().join();

        assertThat(answer.code()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(asked).containsExactly("ready", "add 2", "give up");
    }

    private final class Vote implements OwnVote {
        @Override
        public boolean leads() {
            return false;
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public List<QuorumVoter> voters() {
            if (!ready) return List.of();
            return believed.isEmpty() ? List.copyOf(voters.values()) : believed;
        }

        @Override
        public boolean isLed() {
            return led;
        }

        @Override
        public int epoch() {
            return ownEpoch;
        }

        @Override
        public boolean wasTakenOut() {
            return takenOut;
        }

        @Override
        public CompletableFuture<Void> getReady() {
            asked.add("ready");
            ready = true;
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void giveUp() {
            asked.add("give up");
            ready = false;
        }
    }

    private final class Controller implements Electorate {
        @Override
        public CompletableFuture<QuorumState> quorum() {
            List<QuorumState.Replica> all =
                    voters.values().stream()
                            .map(v -> new QuorumState.Replica(v.nodeId(), v.directoryId(), 0, 0, 0))
                            .toList();
            return answers.thenApply(_ -> new QuorumState(1, 1, 0, all, List.of()));
        }

        @Override
        public CompletableFuture<Void> add(QuorumVoter voter) {
            asked.add("add " + voter.nodeId());
            return changed(() -> voters.put(voter.nodeId(), voter));
        }

        @Override
        public CompletableFuture<Void> remove(int nodeId, Uuid directoryId) {
            asked.add("remove " + nodeId + " with " + directoryId.leastSignificantBits());
            return changed(() -> voters.remove(nodeId));
        }

        private CompletableFuture<Void> changed(Runnable change) {
            if (refusing) return CompletableFuture.failedFuture(new NotControllerException("no"));
            change.run();
            return CompletableFuture.completedFuture(null);
        }
    }
}

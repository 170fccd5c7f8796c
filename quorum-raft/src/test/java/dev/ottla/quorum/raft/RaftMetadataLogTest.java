package dev.ottla.quorum.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.controller.CreatedTopic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whole engines over the loopback interface. Most cases wait more than they work.
@Execution(ExecutionMode.CONCURRENT)
final class RaftMetadataLogTest {
    private static final Duration AWAY = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofSeconds(3);

    @TempDir Path root;

    @Test
    void anotherVoterLeadsWhenTheLeaderIsGone() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            cluster.create("before");
            cluster.agree();
            TestVoter first = cluster.leader();
            int firstEpoch = first.quorum().leaderEpoch();

            cluster.stop(first.voter.nodeId());
            TestVoter second = cluster.leader();
            cluster.create("after");

            QuorumState quorum = second.quorum();
            assertThat(quorum.leaderId()).isEqualTo(second.voter.nodeId());
            assertThat(quorum.leaderEpoch()).isGreaterThan(firstEpoch);
            assertThat(quorum.voters()).hasSize(3);
            assertThat(second.image().topic("before")).isPresent();
            cluster.start(first.voter.nodeId());
            cluster.agree();
        }
    }

    /// Heartbeats come every second here, so that those alone would take too long.
    @Test
    void allVotersHearAtOnceWhatIsCommitted() {
        RaftOptions slow = new RaftOptions(2000, 64 << 10, 1 << 20, 1000, 60_000, "");
        try (TestCluster cluster = TestCluster.ofThree(root, slow)) {
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            for (int i = 0; i < 40; i++) {
                String topic = "t" + i;
                cluster.create(topic);
                for (TestVoter voter : cluster.running.values()) {
                    TestVoter.await(
                            "node " + voter.voter.nodeId() + " knows " + topic,
                            () -> voter.image().topic(topic).isPresent());
                }
            }
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
        }
    }

    @Test
    void nobodyWaitsForALeaderThatIsKnownToBeGone() {
        RaftOptions patient = new RaftOptions(5_000, 64 << 10, 1 << 20, 1000, 500, "");
        try (TestCluster cluster = TestCluster.ofThree(root, patient)) {
            cluster.create("before");
            cluster.agree();
            int gone = cluster.leader().voter.nodeId();
            int epoch = cluster.leader().quorum().leaderEpoch();
            TestVoter next = cluster.follower();
            next.run(() -> next.service.leaderIsGone(next.voter.nodeId()));
            cluster.create("meanwhile");
            assertThat(cluster.leader().quorum().leaderEpoch()).isEqualTo(epoch);

            cluster.stop(gone);

            long beganNs = System.nanoTime();
            next.run(() -> next.service.leaderIsGone(gone));
            TestVoter.await("the follower leads", next::leads);

            // Hearts beat every two and a half seconds, and a silence of five would be enough.

            assertThat(System.nanoTime() - beganNs).isLessThan(2_200_000_000L);
            cluster.create("after");
        }
    }

    @Test
    void aLeaderKnowsThatTheOthersMayHaveReplacedIt() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            cluster.create("before");
            TestVoter leader = cluster.leader();
            TestVoter follower = cluster.follower();
            assertThat(leader.leadsForCertain()).isTrue();
            assertThat(follower.leadsForCertain()).isFalse();

            for (int id = 1; id <= 3; id++) {
                if (id != leader.voter.nodeId()) cluster.stop(id);
            }

            assertThat(leader.leadsForCertain()).isFalse();
            cluster.start(follower.voter.nodeId());
            TestVoter.await(
                    "one of two leads",
                    () -> cluster.findLeader().map(TestVoter::leadsForCertain).orElse(false));
        }
    }

    @Test
    void everythingIsThereAfterARestartOfAll() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            for (int i = 0; i < 20; i++) cluster.create("t" + i);
            cluster.agree();
            int epoch = cluster.leader().image().version().epoch();

            for (int id = 1; id <= 3; id++) cluster.stop(id);
            for (int id = 1; id <= 3; id++) cluster.start(id);
            cluster.create("more");

            cluster.agree();
            assertThat(cluster.leader().image().topics()).hasSize(22);
            assertThat(cluster.leader().image().version().epoch()).isGreaterThan(epoch);
        }
    }

    @Test
    void anOversizeBatchIsRefusedBeforeTheEngineSeesIt() {
        try (TestCluster cluster = TestCluster.founded(root, TestVoter.OPTIONS)) {
            TestVoter leader = cluster.leader();
            int epoch = leader.quorum().leaderEpoch();
            MetadataRecord record =
                    new MetadataRecord.Config(
                            ConfigResource.CLUSTER, "k", Optional.of("9".repeat(32_000)));
            List<MetadataRecord> large =
                    Collections.nCopies(RaftOptions.MAX_ENTRY_BYTES / 32_000 + 1, record);

            leader.run(() ->
                    assertThatThrownBy(() -> leader.log.append(large, epoch))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("does not fit"));

            cluster.create("next");
            assertThat(leader.quorum().leaderEpoch()).isEqualTo(epoch);
        }
    }

    @Test
    void aLateVoterStartsFromTheSnapshotThatTookThePlaceOfTheLog() {
        RaftOptions small = new RaftOptions(300, 64 << 10, 4 << 10, 20, 500, "");
        try (TestCluster cluster = TestCluster.founded(root, small)) {
            for (int i = 0; i < 50; i++) {
                cluster.create("t" + i);
                if (i % 10 == 9) cluster.leader().sweep();
            }
            TestVoter.await("the log is shortened", () -> cluster.leader().log.firstIndex() > 1);

            cluster.add(2, 3);

            cluster.create("later");
            cluster.agree();
            TestVoter late = cluster.voter(2);
            assertThat(late.image().topics()).hasSize(52);
            cluster.stop(2);
            cluster.start(2);
            cluster.agree();
        }
    }

    /// The longer a voter is away, the less often Ratis by itself tries to reach it.
    @Test
    void aVoterThatWasAwayForLongHearsFromTheLeaderSoon() {
        assumeTrue(Boolean.getBoolean("ottla.long"), "-Dottla.long=true");
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            cluster.create("before");
            cluster.agree();
            int away = cluster.follower().voter.nodeId();
            cluster.stop(away);
            cluster.create("meanwhile");
            long stoppedNs = System.nanoTime();
            TestVoter.await("a long time", () -> System.nanoTime() - stoppedNs > AWAY.toNanos());

            cluster.start(away);
            long startedNs = System.nanoTime();
            cluster.agree();

            assertThat(Duration.ofNanos(System.nanoTime() - startedNs)).isLessThan(SOON);
        }
    }

    @Test
    void aWipedVoterComesBackUnderANewId() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            cluster.create("before");
            TestVoter lost = cluster.follower();
            int id = lost.voter.nodeId();

            cluster.wipeKeepingTheAddress(id);
            cluster.remove(lost.voter);
            cluster.add(id);

            cluster.create("after");
            cluster.agree();
            assertThat(cluster.leader().quorum().voters())
                    .extracting(QuorumState.Replica::directoryId)
                    .hasSize(3)
                    .doesNotContain(lost.voter.directoryId())
                    .contains(cluster.voter(id).voter.directoryId());
        }
    }

    /// Two voters agree on a third that does not hear of it yet, and would not vote.
    @Test
    void nobodyIsCalledAVoterWhoDoesNotKnowItYet() {
        try (TestCluster cluster = TestCluster.founded(root, TestVoter.OPTIONS)) {
            cluster.add(2);
            TestVoter leader = cluster.leader();
            TestVoter third = cluster.start(3);
            CountDownLatch until = new CountDownLatch(1);
            third.log.beforeSync(() -> {
                if (leader.log.voters().size() == 3) awaitQuietly(until);
            });

            CompletableFuture<Void> added = leader.log.addVoters(List.of(third.voter));
            TestVoter.await(
                    "two have agreed on three",
                    () ->
                            cluster.running.values().stream()
                                    .filter(voter -> voter != third)
                                    .allMatch(voter -> voter.log.voters().size() == 3));
            cluster.create("while-it-does-not-know");
            assertThat(leader.quorum().voters()).hasSize(2);
            assertThat(leader.quorum().observers())
                    .extracting(QuorumState.Replica::nodeId)
                    .containsExactly(3);

            until.countDown();
            added.orTimeout(30, TimeUnit.SECONDS).join();
            TestVoter.await(
                    "the third knows that it votes", () -> leader.quorum().voters().size() == 3);
            cluster.stop(leader.voter.nodeId());
            cluster.create("without-the-one-that-added-it");
        }
    }

    private static void awaitQuietly(CountDownLatch until) {
        try {
            assertThat(until.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void fiveVotersStandTheLossOfTwoAndGoBackToThree() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            cluster.add(4, 5);
            cluster.create("before");
            cluster.agree();

            int first = cluster.leader().voter.nodeId();
            cluster.stop(first);
            int second = cluster.leader().voter.nodeId();
            cluster.stop(second);
            cluster.create("by-three-of-five");

            assertThat(cluster.leader().quorum().voters()).hasSize(5);
            cluster.start(first);
            cluster.start(second);
            cluster.agree();
            for (int i = 0; i < 2; i++) {
                TestVoter removed = cluster.follower();
                cluster.remove(removed.voter);
                cluster.stop(removed.voter.nodeId());
            }
            cluster.create("after");
            assertThat(cluster.leader().quorum().voters()).hasSize(3);
        }
    }

    /// Of all voters, so that none can tell the others.
    @Test
    void votersWhoseTermAndVoteAreLostGoOnInALaterTerm() throws IOException {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            cluster.create("before");
            int epoch = cluster.leader().image().version().epoch();
            for (int id = 1; id <= 3; id++) cluster.stop(id);
            for (int id = 1; id <= 3; id++) cluster.emptyVoteFile(id);

            for (int id = 1; id <= 3; id++) cluster.start(id);
            cluster.create("after");

            TestVoter leader = cluster.leader();
            assertThat(leader.image().topics()).hasSize(3);
            assertThat(leader.image().version().epoch()).isGreaterThan(epoch + 1_000_000);
            cluster.stop(1);
            cluster.start(1); // from a file that is whole again
            cluster.create("later");
        }
    }

    @Test
    void aVoterThatMovedIsFoundAtItsNewAddress() throws IOException {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            cluster.create("before");
            TestVoter moved = cluster.follower();
            int id = moved.voter.nodeId();

            cluster.remove(moved.voter);
            cluster.move(id);
            cluster.add(id);

            cluster.create("after");
            cluster.agree();
            cluster.stop(cluster.leader().voter.nodeId());
            cluster.create("by-the-moved-one-and-another");
            assertThat(cluster.voter(id).voter.port()).isNotEqualTo(moved.voter.port());
        }
    }

    @Test
    void theOthersGoOnWhileAVoterIsHeldUp() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            TestVoter slow = cluster.follower();
            CountDownLatch until = new CountDownLatch(1);
            slow.hold(until);

            List<CompletableFuture<List<CreatedTopic>>> replies = new ArrayList<>();
            TestVoter leader = cluster.leader();
            for (int i = 0; i < 600; i++) replies.add(leader.create("t" + i));
            replies.forEach(reply -> reply.orTimeout(30, TimeUnit.SECONDS).join());

            assertThat(slow.image().topic("t599")).isEmpty();
            until.countDown();
            cluster.agree();
        }
    }

    enum Slow {
        FOLLOWER,
        LEADER,
        ALL
    }

    /// A sync takes longer than the silence after which an election begins.
    @ParameterizedTest
    @EnumSource
    void slowDisksBringNoElections(Slow which) {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            TestVoter leader = cluster.leader();
            int epoch = leader.quorum().leaderEpoch();
            List<TestVoter> slow =
                    switch (which) {
                        case FOLLOWER -> List.of(cluster.follower());
                        case LEADER -> List.of(leader);
                        case ALL -> List.copyOf(cluster.running.values());
                    };
            long syncMs = 3L * TestVoter.OPTIONS.electionTimeoutMs();
            slow.forEach(voter -> voter.disk.slowDown(syncMs));

            long beganNs = System.nanoTime();
            cluster.create("alone");
            List<CompletableFuture<List<CreatedTopic>>> replies = new ArrayList<>();
            for (int i = 0; i < 20; i++) replies.add(leader.create("t" + i));
            replies.forEach(reply -> reply.orTimeout(30, TimeUnit.SECONDS).join());

            // The other two are a majority, so nobody waits for the follower. Those that wait for
            // the leader share its syncs.
            Duration took = Duration.ofNanos(System.nanoTime() - beganNs);
            assertThat(took).isLessThan(Duration.ofMillis(12 * syncMs));
            slow.forEach(voter -> voter.disk.slowDown(0));
            cluster.agree();
            assertThat(leader.image().topics()).hasSize(22);
            assertThat(cluster.leader().quorum().leaderEpoch()).isEqualTo(epoch);
        }
    }

    @Test
    void aLeaderWithoutMajorityGivesUpItsCommandsAndGoesOnWithOthers() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            TestVoter leader = cluster.leader();
            List<Integer> others =
                    cluster.running.keySet().stream()
                            .filter(id -> id != leader.voter.nodeId())
                            .toList();

            others.forEach(cluster::stop);
            CompletableFuture<List<CreatedTopic>> alone = leader.create("alone");

            assertThat(alone.handle((_, failure) -> failure).orTimeout(30, TimeUnit.SECONDS).join())
                    .isInstanceOf(NotControllerException.class);
            TestVoter.await("nobody leads", () -> !leader.leads());
            others.forEach(cluster::start);
            cluster.create("together");
            cluster.agree();
        }
    }

    @Test
    void votersWithoutALeaderKnowWhomTheyHear() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            int gone = cluster.leader().voter.nodeId();
            List<Integer> left =
                    cluster.running.keySet().stream().filter(id -> id != gone).toList();
            TestVoter alone = cluster.voter(left.getLast());
            TestVoter.await("it hears its leader", () -> heard(alone).contains(gone));

            cluster.stop(gone);
            cluster.stop(left.getFirst());

            TestVoter.await("nobody leads", () -> alone.quorum().leaderId() < 0);
            TestVoter.await(
                    "it hears itself alone",
                    () -> heard(alone).equals(Set.of(alone.voter.nodeId())));
            assertThat(alone.quorum().voters()).hasSize(3);
        }
    }

    private static Set<Integer> heard(TestVoter voter) {
        long nowMs = System.currentTimeMillis();
        return voter.quorum().voters().stream()
                .filter(each -> nowMs - each.lastFetchTimestampMs() < 3_000)
                .map(QuorumState.Replica::nodeId)
                .collect(Collectors.toSet());
    }

    @Test
    void pipelinedCommandsKeepTheirOrderAndCountOnce() {
        try (TestCluster cluster = TestCluster.ofThree(root, TestVoter.OPTIONS)) {
            TestVoter leader = cluster.leader();
            long before = leader.image().version().offset();

            List<CompletableFuture<List<CreatedTopic>>> replies = new ArrayList<>();
            for (int i = 0; i < 1000; i++) replies.add(leader.create("t" + i));
            replies.forEach(reply -> reply.orTimeout(30, TimeUnit.SECONDS).join());

            cluster.agree();
            assertThat(leader.image().topics()).hasSize(1001);
            assertThat(leader.image().version().offset()).isEqualTo(before + 2000);
        }
    }
}

package dev.ottla.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.group.consumer.ConsumerHeartbeat;
import dev.ottla.group.consumer.ConsumerSettings;
import dev.ottla.group.consumer.ConsumerSettings.MigrationPolicy;
import dev.ottla.group.consumer.DescribedConsumerGroup;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConsumerProtocolTest {
    private final TestShell shell = new TestShell();
    private final ConsumerClient first = new ConsumerClient(shell, "g", "m1");
    private final ConsumerClient second = new ConsumerClient(shell, "g", "m2");

    ConsumerProtocolTest() {
        shell.setTopics(TestTopics.EMPTY.with("t", 4).with("u", 2));
    }

    private DescribedConsumerGroup describe() {
        Answer<DescribedConsumerGroup> answer = new Answer<>();
        shell.coordinator.describeConsumerGroup("g", answer, shell.nowMs);
        return answer.get();
    }

    private static ConsumerSettings settings(int maxSize, int assignmentIntervalMs) {
        return new ConsumerSettings(
                45_000,
                5_000,
                assignmentIntervalMs,
                600_000,
                maxSize,
                List.of("uniform", "range"),
                MigrationPolicy.BIDIRECTIONAL);
    }

    /// Both members in the group, with two partitions each.
    private void settle() {
        first.join();
        second.join();
        shell.advance(1_000);
        for (int i = 0; i < 3; i++) {
            first.heartbeat();
            second.heartbeat();
        }
        assertThat(describe().state()).isEqualTo("Stable");
    }

    @Test
    void firstMemberGetsEverythingAtOnce() {
        ConsumerHeartbeat.Response response = first.join().get();

        assertThat(response.memberEpoch()).isEqualTo(1);
        assertThat(response.heartbeatIntervalMs()).isEqualTo(5_000);
        assertThat(first.owns("t")).isEqualTo("[0, 1, 2, 3]");
        assertThat(describe().state()).isEqualTo("Stable");
    }

    @Test
    void heartbeatThatChangesNothingWritesNothingAndSaysNothing() {
        first.join();
        int before = shell.log.size();

        ConsumerHeartbeat.Response response = first.heartbeat().get();

        assertThat(response.assignment()).isEmpty();
        assertThat(shell.log).hasSize(before);
    }

    @Test
    void partitionsAreRevokedBeforeTheyAreGivenAway() {
        first.join();
        second.join();
        shell.advance(1_000);
        first.holdsOn = true;

        second.heartbeat();
        assertThat(second.owns("t")).isEqualTo("[]");
        Assignment kept = first.heartbeat().get().assignment().orElseThrow();
        second.heartbeat();
        assertThat(second.owns("t")).isEqualTo("[]");
        assertThat(describe().state()).isEqualTo("Reconciling");

        first.owned = kept;
        first.heartbeat();
        second.heartbeat();

        assertThat(first.owns("t")).isEqualTo("[0, 1]");
        assertThat(second.owns("t")).isEqualTo("[2, 3]");
        assertThat(describe().state()).isEqualTo("Stable");
    }

    @Test
    void memberThatWaitsIsToldToComeMoreOften() {
        first.join();
        first.holdsOn = true;
        assertThat(second.join().get().heartbeatIntervalMs())
                .as("waits for the next assignment")
                .isEqualTo(1_000);

        shell.advance(1_000);
        assertThat(second.heartbeat().get().heartbeatIntervalMs())
                .as("waits for what the first one has")
                .isEqualTo(1_000);
        ConsumerHeartbeat.Response revoking = first.heartbeat().get();
        assertThat(revoking.heartbeatIntervalMs()).as("waits for nobody").isEqualTo(5_000);

        first.owned = revoking.assignment().orElseThrow();
        first.heartbeat();
        assertThat(second.heartbeat().get().heartbeatIntervalMs())
                .as("has its part")
                .isEqualTo(5_000);
    }

    @Test
    void assignmentsAreAtLeastTheIntervalApart() {
        first.join();
        second.join();

        shell.advance(999);
        first.heartbeat();
        assertThat(describe().state()).isEqualTo("Assigning");
        shell.advance(1);
        first.heartbeat();

        assertThat(describe().state()).isEqualTo("Reconciling");
    }

    @Test
    void memberThatDoesNotGiveUpPartitionsInTimeIsFenced() {
        first.rebalanceTimeoutMs = 20_000;
        first.holdsOn = true;
        first.join();
        first.owned = new Assignment(Map.of(shell.topics.id("t"), PartitionSet.range(0, 4)));
        second.join();
        shell.advance(1_000);
        for (int i = 0; i < 5; i++) {
            first.heartbeat();
            second.heartbeat();
            shell.advance(5_000);
        }

        first.heartbeat().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
        second.heartbeat();
        assertThat(second.owns("t")).isEqualTo("[0, 1, 2, 3]");
        assertThat(shell.coordinator.rebalances("g").getLast().cause())
                .contains("did not give up partitions");
    }

    @Test
    void silentMemberIsRemoved() {
        settle();
        for (int i = 0; i < 9; i++) {
            shell.advance(5_000);
            first.heartbeat();
        }
        first.heartbeat();

        assertThat(first.owns("t")).isEqualTo("[0, 1, 2, 3]");
        second.heartbeat().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    @Test
    void leavingMemberGivesItsPartitionsToTheOthers() {
        settle();

        assertThat(second.leave().get().memberEpoch()).isEqualTo(-1);
        shell.advance(1_000);
        first.heartbeat();

        assertThat(first.owns("t")).isEqualTo("[0, 1, 2, 3]");
        first.leave();
        assertThat(describe().state()).isEqualTo("Empty");
    }

    @Test
    void staticMemberComesBackToItsPartitions() {
        first.withInstance("i1");
        second.withInstance("i2");
        settle();
        int epochBefore = describe().groupEpoch();
        ConsumerClient again = new ConsumerClient(shell, "g", "m3").withInstance("i2");

        again.join().expectError(ErrorCode.UNRELEASED_INSTANCE_ID);
        second.leaveForNow();
        again.join();

        assertThat(again.owns("t")).isEqualTo(second.owns("t"));
        assertThat(describe().groupEpoch()).isEqualTo(epochBefore);
        second.heartbeat().expectError(ErrorCode.FENCED_INSTANCE_ID);
        assertThat(again.heartbeat().isRefused()).isFalse();
    }

    @Test
    void staticMemberThatStaysAwayIsRemovedWithItsSession() {
        first.withInstance("i1");
        second.withInstance("i2");
        settle();
        second.leaveForNow();
        for (int i = 0; i < 10; i++) {
            shell.advance(5_000);
            first.heartbeat();
        }

        assertThat(describe().members()).hasSize(1);
        assertThat(first.owns("t")).isEqualTo("[0, 1, 2, 3]");
    }

    @Test
    void staticMemberWhoseAnswerWasLostJoinsAgain() {
        first.withInstance("i1");
        first.join();

        assertThat(first.join().get().memberEpoch()).isEqualTo(1);
        assertThat(first.owns("t")).isEqualTo("[0, 1, 2, 3]");
    }

    @Test
    void wrongEpochIsFenced() {
        settle();
        int epoch = first.epoch;

        first.send(epoch + 1, false).expectError(ErrorCode.FENCED_MEMBER_EPOCH);
        first.owned = new Assignment(Map.of(shell.topics.id("t"), PartitionSet.range(0, 4)));
        first.send(epoch - 1, false).expectError(ErrorCode.FENCED_MEMBER_EPOCH);
    }

    @Test
    void lostAnswerIsRepeatedForThePreviousEpoch() {
        first.join();
        second.join();
        shell.advance(1_000);
        second.leave();
        shell.advance(1_000);
        first.send(first.epoch, false);

        // The answer with the new epoch never arrived.
        assertThat(first.heartbeat().get().memberEpoch()).isGreaterThan(1);
    }

    @Test
    void memberOfAnUnknownGroupIsRefused() {
        first.send(3, false).expectError(ErrorCode.GROUP_ID_NOT_FOUND);
        first.leave().expectError(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(shell.coordinator.groupCount()).isZero();
    }

    @Test
    void badRequestsAreRefusedBeforeAnythingIsWritten() {
        first.topics = Optional.empty();
        first.join().expectError(ErrorCode.INVALID_REQUEST);
        first.subscribedTo("t");
        first.assignor = Optional.of("mine");
        first.join().expectError(ErrorCode.UNSUPPORTED_ASSIGNOR);
        first.assignor = Optional.empty();
        first.matching("(");
        first.join().expectError(ErrorCode.INVALID_REGULAR_EXPRESSION);
        first.matching("((a{1000}){1000}){1000}");
        first.join().expectError(ErrorCode.INVALID_REGULAR_EXPRESSION);
        new ConsumerClient(shell, "g", "").join().expectError(ErrorCode.INVALID_REQUEST);
        new ConsumerClient(shell, "", "m").join().expectError(ErrorCode.INVALID_REQUEST);
        first.send(-3, false).expectError(ErrorCode.INVALID_REQUEST);
        first.leaveForNow().expectError(ErrorCode.INVALID_REQUEST);

        assertThat(shell.log).isEmpty();
        assertThat(shell.coordinator.groupCount()).isZero();
    }

    @Test
    @Tag("config:group.consumer.max.size")
    void fullGroupRefusesMore() {
        shell.consumerSettings = settings(1, 1_000);
        first.join();

        second.join().expectError(ErrorCode.GROUP_MAX_SIZE_REACHED);
        assertThat(first.join().isRefused()).isFalse();
    }

    @Test
    void membersChooseTheAssignor() {
        first.assignor = Optional.of("range");
        first.subscribedTo("t", "u");
        second.subscribedTo("t", "u");
        second.assignor = Optional.of("range");
        settle();

        assertThat(describe().assignorName()).isEqualTo("range");
        assertThat(first.owns("t") + first.owns("u")).isEqualTo("[0, 1][0]");
    }

    @Test
    @Tag("config:consumer.session.timeout.ms")
    @Tag("config:consumer.heartbeat.interval.ms")
    void groupHasSettingsOfItsOwn() {
        shell.groupSettings.put(
                "g",
                new ConsumerSettings(
                        60_000,
                        9_000,
                        1_000,
                        600_000,
                        10,
                        List.of("range"),
                        MigrationPolicy.BIDIRECTIONAL));

        assertThat(first.join().get().heartbeatIntervalMs()).isEqualTo(9_000);
        shell.advance(59_999);
        assertThat(first.heartbeat().isRefused()).isFalse();
        shell.advance(60_000);
        first.heartbeat().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    @Test
    void changedSubscriptionTakesEffectBeforeTheNextAssignment() {
        first.subscribedTo("t", "u");
        first.join();
        first.subscribedTo("u");

        first.heartbeatInFull();

        assertThat(first.owns("t")).isEqualTo("[]");
        assertThat(first.owns("u")).isEqualTo("[0, 1]");
    }

    @Test
    void newPartitionsAreAssigned() {
        first.join();
        shell.advance(1_000);

        shell.setTopics(shell.topics.with("t", 6));
        first.heartbeat();

        assertThat(first.owns("t")).isEqualTo("[0, 1, 2, 3, 4, 5]");
    }

    @Test
    void topicThatComesLaterIsAssigned() {
        first.subscribedTo("t", "later");
        first.join();
        shell.advance(1_000);

        shell.setTopics(shell.topics.with("later", 1));
        first.heartbeat();

        assertThat(first.owns("later")).isEqualTo("[0]");
    }

    @Test
    void deletedTopicIsTakenAway() {
        first.subscribedTo("t", "u");
        first.join();
        shell.advance(1_000);

        shell.setTopics(shell.topics.without("t"));
        first.heartbeat();

        assertThat(first.owned.size()).isEqualTo(2);
    }

    @Test
    void topicsOfOthersDoNotDisturb() {
        first.join();
        int before = shell.log.size();

        shell.setTopics(shell.topics.with("v", 3));

        assertThat(shell.log).hasSize(before);
    }

    @Test
    void changeWhileNotLoadedIsSeenWhenLoading() {
        first.join();
        shell.advance(1_000);
        shell.topics = shell.topics.with("t", 5);

        shell.reload();
        first.heartbeat();

        assertThat(first.owns("t")).isEqualTo("[0, 1, 2, 3, 4]");
    }

    @Test
    void groupSurvivesAReload() {
        settle();

        shell.reload();

        assertThat(describe().state()).isEqualTo("Stable");
        assertThat(first.heartbeat().get().memberEpoch()).isEqualTo(first.epoch);
        assertThat(second.heartbeat().isRefused()).isFalse();
    }

    @Test
    void joinWaitsForItsPattern() {
        first.matching("[tu]");

        Answer<ConsumerHeartbeat.Response> join = first.join();
        join.expectWaiting();
        shell.resolveRegexes();

        assertThat(join.get().assignment().orElseThrow().size()).isEqualTo(6);
        assertThat(shell.regexRequests).isEmpty();
    }

    @Test
    void joinIsAnsweredWhenItsPatternCannotBeResolved() {
        first.matching("[tu]");
        Answer<ConsumerHeartbeat.Response> join = first.join();

        shell.regexRequests.clear();
        shell.coordinator.onRegexesFailed("g", shell.nowMs);
        assertThat(join.get().assignment()).contains(Assignment.EMPTY);
        first.lookAgain();
        shell.advance(1_000);
        shell.resolveRegexes();
        shell.advance(1_000);
        first.heartbeat();

        assertThat(first.owned.size()).isEqualTo(6);
    }

    @Test
    void joinThatWaitsIsRefusedWhenTheCoordinatorGoes() {
        first.matching("[tu]");
        Answer<ConsumerHeartbeat.Response> join = first.join();

        shell.coordinator.abandon(
                Refusal.of(ErrorCode.NOT_COORDINATOR, "The partition has moved."), shell.nowMs);

        join.expectError(ErrorCode.NOT_COORDINATOR);
    }

    @Test
    void patternThatStartsToMatchRebalances() {
        first.matching("v.*");
        first.join();
        shell.resolveRegexes();
        first.lookAgain();
        shell.advance(5_000);

        shell.setTopics(shell.topics.with("v1", 2));
        shell.resolveRegexes();
        first.heartbeat();

        assertThat(first.owns("v1")).isEqualTo("[0, 1]");
    }

    @Test
    void topicsThatComeWhileAPatternIsResolvedAreNotMissed() {
        first.matching("v.*");
        first.join();
        var asked = Map.copyOf(shell.regexRequests);
        shell.setTopics(shell.topics.with("v1", 1));
        assertThat(asked).containsKey("g");
        shell.regexRequests.clear();
        shell.coordinator.onRegexesResolved("g", Map.of("v.*", java.util.Set.of()), 1, shell.nowMs);
        first.lookAgain();

        shell.advance(1_000);
        shell.resolveRegexes();
        shell.advance(1_000);
        first.heartbeat();

        assertThat(first.owns("v1")).isEqualTo("[0]");
    }

    @Test
    @Tag("config:group.consumer.regex.refresh.interval.ms")
    void patternIsMatchedAgainAfterItsInterval() {
        shell.consumerSettings =
                new ConsumerSettings(
                        45_000,
                        5_000,
                        1_000,
                        20_000,
                        10,
                        List.of("uniform"),
                        MigrationPolicy.BIDIRECTIONAL);
        first.matching("v.*");
        first.join();
        shell.resolveRegexes();

        shell.advance(19_999);
        assertThat(shell.regexRequests).isEmpty();
        shell.advance(1);

        assertThat(shell.regexRequests).containsKey("g");
    }

    @Test
    void unusedPatternIsForgotten() {
        first.matching("t");
        first.join();
        shell.resolveRegexes();
        first.lookAgain();
        first.regex = Optional.of("");
        first.topics = Optional.of(java.util.Set.of("u"));
        int before = shell.log.size();

        first.heartbeatInFull();

        assertThat(shell.recordsSince(before))
                .contains(new GroupRecord.ResolvedRegex("g", "t", Optional.empty()));
        shell.advance(1_000);
        first.heartbeat();
        assertThat(first.owns("u")).isEqualTo("[0, 1]");
    }

    private Answer<OffsetCommit.Response> commit(
            ConsumerClient client, int epoch, int version, int partition) {
        Answer<OffsetCommit.Response> answer = new Answer<>();
        shell.coordinator.offsetCommit(
                new OffsetCommit.Request(
                        "g",
                        MemberIdentity.dynamic(client.memberId),
                        epoch,
                        version,
                        OptionalLong.empty(),
                        List.of(
                                new OffsetCommit.Topic(
                                        "t",
                                        shell.topics.id("t"),
                                        List.of(
                                                new OffsetCommit.Partition(
                                                        partition, 7, -1, ""))))),
                answer,
                shell.nowMs);
        return answer;
    }

    @Test
    void commitsAreFencedByEpoch() {
        settle();
        int now = first.epoch;

        commit(first, now, 9, 0).get();
        commit(first, now + 1, 9, 0).expectError(ErrorCode.STALE_MEMBER_EPOCH);
        commit(first, now, 8, 0).expectError(ErrorCode.UNSUPPORTED_VERSION);
        commit(new ConsumerClient(shell, "g", "other"), now, 9, 0)
                .expectError(ErrorCode.UNKNOWN_MEMBER_ID);
        commit(new ConsumerClient(shell, "g", ""), -1, 9, 0)
                .expectError(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    @Test
    void olderEpochMayCommitWhatTheMemberHasHadSinceThen() {
        first.join();
        int before = first.epoch;
        second.join();
        shell.advance(1_000);
        first.heartbeat();
        first.heartbeat();
        second.heartbeat();
        assertThat(first.epoch).isGreaterThan(before);

        commit(first, before, 9, 0).get();
        commit(first, before, 9, 3).expectError(ErrorCode.STALE_MEMBER_EPOCH);
        commit(second, before, 9, 3).expectError(ErrorCode.STALE_MEMBER_EPOCH);
        commit(second, second.epoch, 9, 3).get();
    }

    @Test
    void fetchIsFencedByEpoch() {
        first.join();

        fetch(Optional.of("m1"), 1).get();
        fetch(Optional.empty(), -1).get();
        fetch(Optional.of("m1"), 2).expectError(ErrorCode.STALE_MEMBER_EPOCH);
        fetch(Optional.of("m9"), 1).expectError(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    private Answer<OffsetFetch.Response> fetch(Optional<String> memberId, int epoch) {
        Answer<OffsetFetch.Response> answer = new Answer<>();
        shell.coordinator.offsetFetch(
                new OffsetFetch.Request("g", memberId, epoch, Optional.empty(), false),
                answer,
                shell.nowMs);
        return answer;
    }

    @Test
    void deletedGroupLeavesNothingBehind() {
        first.matching("t");
        first.join();
        shell.resolveRegexes();
        first.lookAgain();
        Answer<String> refused = new Answer<>();
        shell.coordinator.deleteGroup("g", refused, shell.nowMs);
        first.leave();
        Answer<String> answer = new Answer<>();

        shell.coordinator.deleteGroup("g", answer, shell.nowMs);

        refused.expectError(ErrorCode.NON_EMPTY_GROUP);
        assertThat(answer.get()).isEqualTo("g");
        assertThat(shell.coordinator.groupCount()).isZero();
        shell.reload();
        assertThat(shell.coordinator.groupCount()).isZero();
        assertThat(shell.timers.keySet()).allMatch(key -> key.groupId().isEmpty());
    }

    @Test
    void emptyGroupIsForgottenInTheEnd() {
        first.join();
        first.leave();

        shell.advance(601_000);

        assertThat(shell.coordinator.groupCount()).isZero();
    }

    @Test
    void listFiltersByStateAndType() {
        first.join();
        ClassicClient classic = new ClassicClient(shell, "c");
        ClassicClient.stabilise(List.of(classic));

        assertThat(list(List.of(), List.of())).containsExactlyInAnyOrder("c", "g");
        assertThat(list(List.of("STABLE"), List.of("consumer"))).containsExactly("g");
        assertThat(list(List.of("Empty"), List.of())).isEmpty();
        assertThat(list(List.of(), List.of("Classic"))).containsExactly("c");
    }

    private List<String> list(List<String> states, List<String> types) {
        Answer<List<ListedGroup>> answer = new Answer<>();
        shell.coordinator.listGroups(states, types, answer, shell.nowMs);
        return answer.get().stream().map(ListedGroup::groupId).toList();
    }
}

package dev.ottla.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.group.classic.ClassicSettings;
import dev.ottla.group.classic.DescribedGroup;
import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.LeaveGroup;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.group.shell.Refusal;
import dev.ottla.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClassicProtocolTest {
    private final TestShell shell = new TestShell();
    private final ClassicClient first = new ClassicClient(shell, "g");
    private final ClassicClient second = new ClassicClient(shell, "g");

    private String state() {
        Answer<DescribedGroup> answer = new Answer<>();
        shell.coordinator.describeGroup("g", answer, shell.nowMs);
        return answer.get().state();
    }

    @Test
    void newMemberIsFirstToldItsId() {
        Answer<JoinGroup.Response> answer = first.sendJoin();

        assertThat(answer.get()).isEqualTo(new JoinGroup.MemberIdRequired("client-id1"));
        assertThat(state()).isEqualTo("Empty");
    }

    @Test
    void oldClientJoinsWithoutASecondRequest() {
        first.requiresKnownMemberId = false;

        Answer<JoinGroup.Response> answer = first.sendJoin();
        answer.expectWaiting();
        shell.advance(3_000);

        assertThat(first.took(answer).generationId()).isEqualTo(1);
    }

    @Test
    void unusedMemberIdExpires() {
        first.sendJoin();

        shell.advance(10_000);

        first.memberId = "client-id1";
        first.sendJoin().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    @Test
    void newGroupWaitsForMoreMembersWithinTheRebalanceTimeout() {
        first.rebalanceTimeoutMs = 5_000;
        second.rebalanceTimeoutMs = 5_000;
        Answer<JoinGroup.Response> ofFirst = first.join();
        shell.advance(2_000);
        Answer<JoinGroup.Response> ofSecond = second.join();

        shell.advance(1_500);
        ofFirst.expectWaiting();
        shell.advance(1_500);

        assertThat(first.took(ofFirst).members()).hasSize(2);
        assertThat(second.took(ofSecond).members()).isEmpty();
        assertThat(second.took(ofSecond).leader()).isEqualTo(first.memberId);
    }

    @Test
    void followerWaitsForTheLeadersAssignment() {
        Answer<JoinGroup.Response> ofFirst = first.join();
        Answer<JoinGroup.Response> ofSecond = second.join();
        shell.advance(6_000);
        first.took(ofFirst);
        second.took(ofSecond);

        Answer<SyncGroup.Response> syncOfSecond = second.sync(Map.of());
        syncOfSecond.expectWaiting();
        Answer<SyncGroup.Response> syncOfFirst =
                first.sync(Map.of(second.memberId, ClassicClient.bytes("all")));

        assertThat(syncOfFirst.get().assignment()).isEqualTo(Bytes.EMPTY);
        assertThat(syncOfSecond.get().assignment()).isEqualTo(ClassicClient.bytes("all"));
        assertThat(state()).isEqualTo("Stable");
    }

    @Test
    void stableGroupSurvivesAReload() {
        ClassicClient.stabilise(List.of(first, second));

        shell.reload();

        assertThat(state()).isEqualTo("Stable");
        assertThat(first.heartbeat().get()).isEqualTo(Heartbeat.Response.ALIVE);
        assertThat(second.sync(Map.of()).get().assignment())
                .isEqualTo(ClassicClient.bytes("part 1"));
    }

    @Test
    void heartbeatTellsOfARebalance() {
        ClassicClient.stabilise(List.of(first));

        second.join().expectWaiting();

        first.heartbeat().expectError(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    @Test
    void heartbeatThatChangesNothingWritesNoRecord() {
        ClassicClient.stabilise(List.of(first));
        int before = shell.log.size();

        first.heartbeat();

        assertThat(shell.log).hasSize(before);
    }

    @Test
    void silentMemberIsRemovedAndTheOthersRebalance() {
        ClassicClient.stabilise(List.of(first, second));
        for (int i = 0; i < 4; i++) {
            shell.advance(2_000);
            first.heartbeat();
        }

        shell.advance(2_000);

        second.heartbeat().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
        first.heartbeat().expectError(ErrorCode.REBALANCE_IN_PROGRESS);
        assertThat(shell.coordinator.rebalances("g").getLast().cause())
                .contains("not heard of for 10000 ms");
        assertThat(first.took(first.join()).generationId()).isEqualTo(2);
    }

    @Test
    void memberThatDoesNotRejoinInTimeIsLeftOut() {
        first.rebalanceTimeoutMs = 20_000;
        second.rebalanceTimeoutMs = 20_000;
        ClassicClient.stabilise(List.of(first, second));
        Answer<JoinGroup.Response> rejoin = first.join();
        for (int i = 0; i < 10; i++) {
            rejoin.expectWaiting();
            second.heartbeat();
            shell.advance(2_000);
        }

        assertThat(first.took(rejoin).members()).hasSize(1);
        second.heartbeat().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    @Test
    void lastMemberThatLeavesEmptiesTheGroup() {
        ClassicClient.stabilise(List.of(first));

        first.leave();

        assertThat(state()).isEqualTo("Empty");
        shell.reload();
        assertThat(state()).isEqualTo("Empty");
    }

    @Test
    void staticMemberComesBackWithoutARebalance() {
        first.withInstance("i1");
        second.withInstance("i2");
        ClassicClient.stabilise(List.of(first, second));
        ClassicClient again = new ClassicClient(shell, "g").withInstance("i2");

        JoinGroup.Joined joined = again.took(again.join());

        assertThat(joined.generationId()).isEqualTo(second.generationId);
        assertThat(again.sync(Map.of()).get().assignment())
                .isEqualTo(ClassicClient.bytes("part 1"));
        assertThat(first.heartbeat().get()).isEqualTo(Heartbeat.Response.ALIVE);
        second.heartbeat().expectError(ErrorCode.FENCED_INSTANCE_ID);
    }

    @Test
    void idOfADynamicMemberIsNotForAnInstance() {
        first.withInstance("i");
        ClassicClient.stabilise(List.of(first));
        JoinGroup.MemberIdRequired given = (JoinGroup.MemberIdRequired) second.sendJoin().get();
        second.memberId = given.memberId();

        for (String instance : List.of("i", "free")) {
            second.withInstance(instance);
            second.sendJoin().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
        }
        assertThat(first.heartbeat().get()).isEqualTo(Heartbeat.Response.ALIVE);
        second.instanceId = Optional.empty();
        second.sendJoin().expectWaiting();
    }

    @Test
    void returningStaticLeaderIsToldToSkipTheAssignment() {
        first.withInstance("i1");
        ClassicClient.stabilise(List.of(first));
        String oldId = first.memberId;

        ClassicClient again = new ClassicClient(shell, "g").withInstance("i1");
        JoinGroup.Joined joined = again.took(again.join());
        ClassicClient older = new ClassicClient(shell, "g").withInstance("i1");
        older.supportsSkippingAssignment = false;
        JoinGroup.Joined withoutSkip = older.took(older.join());

        assertThat(joined.skipAssignment()).isTrue();
        assertThat(joined.members()).hasSize(1);
        assertThat(joined.leader()).isEqualTo(again.memberId).isNotEqualTo(oldId);
        assertThat(withoutSkip.skipAssignment()).isFalse();
        assertThat(withoutSkip.leader()).isEqualTo(again.memberId);
        assertThat(withoutSkip.members()).isEmpty();
    }

    @Test
    void administratorRemovesAStaticMemberByItsInstance() {
        first.withInstance("i1");
        ClassicClient.stabilise(List.of(first));
        Answer<LeaveGroup.Response> answer = new Answer<>();

        shell.coordinator.leaveGroup(
                new LeaveGroup.Request(
                        "g",
                        List.of(
                                leaver(MemberIdentity.fixed("", "i1")),
                                leaver(MemberIdentity.fixed("", "i9")))),
                answer,
                shell.nowMs);

        assertThat(answer.get().members().getFirst().refusal()).isEmpty();
        assertThat(answer.get().members().getLast().refusal().orElseThrow().error())
                .isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(state()).isEqualTo("Empty");
    }

    private static LeaveGroup.Leaver leaver(MemberIdentity identity) {
        return new LeaveGroup.Leaver(identity, Optional.empty());
    }

    @Test
    void groupTakesTheProtocolThatMostMembersPrefer() {
        first.speaking("range", "sticky");
        second.speaking("sticky", "range");
        ClassicClient third = new ClassicClient(shell, "g").speaking("sticky", "range", "other");
        ClassicClient.stabilise(List.of(first, second, third));

        Answer<JoinGroup.Response> again = third.join();

        assertThat(((JoinGroup.Joined) again.get()).protocolName()).contains("sticky");
    }

    @Test
    void memberWithoutACommonProtocolIsRefused() {
        ClassicClient.stabilise(List.of(first));

        second.speaking("other").sendJoin().expectError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL);
    }

    @Test
    void refusedFirstJoinLeavesNoGroup() {
        first.speaking().sendJoin().expectError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL);

        assertThat(shell.coordinator.groupCount()).isZero();
        assertThat(shell.log).isEmpty();
    }

    @Test
    void sessionTimeoutOutOfRangeIsRefused() {
        first.sessionTimeoutMs = 5_999;

        first.sendJoin().expectError(ErrorCode.INVALID_SESSION_TIMEOUT);
    }

    @Test
    @Tag("config:group.max.size")
    void groupThatIsFullRefusesMore() {
        shell.classicSettings = new ClassicSettings(6_000, 1_800_000, 3_000, 1, 1_048_576);
        ClassicClient.stabilise(List.of(first));

        second.sendJoin().expectError(ErrorCode.GROUP_MAX_SIZE_REACHED);
    }

    @Test
    void memberThatNeverSyncsIsRemoved() {
        second.sessionTimeoutMs = 600_000;
        Answer<JoinGroup.Response> ofFirst = first.join();
        Answer<JoinGroup.Response> ofSecond = second.join();
        shell.advance(6_000);
        first.took(ofFirst);
        second.took(ofSecond);
        Answer<SyncGroup.Response> sync = first.sync(Map.of());

        assertThat(sync.get().assignment()).isEqualTo(Bytes.EMPTY);
        for (int i = 0; i < 10; i++) {
            first.heartbeat();
            shell.advance(6_000);
        }

        second.heartbeat().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
        first.heartbeat().expectError(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    @Test
    void wrongGenerationIsRefused() {
        ClassicClient.stabilise(List.of(first));
        first.generationId = 7;

        first.heartbeat().expectError(ErrorCode.ILLEGAL_GENERATION);
        first.sync(Map.of()).expectError(ErrorCode.ILLEGAL_GENERATION);
    }

    @Test
    void assignmentThatDoesNotFitIsRefusedAndNothingIsWritten() {
        shell.classicSettings = new ClassicSettings(6_000, 1_800_000, 3_000, 9, 1_000);
        first.took(joined(first));
        int before = shell.log.size();

        Answer<SyncGroup.Response> sync =
                first.sync(Map.of(first.memberId, Bytes.copyOf(new byte[2_000])));

        sync.expectError(ErrorCode.UNKNOWN_SERVER_ERROR);
        assertThat(shell.log).hasSize(before);
        assertThat(state()).isEqualTo("PreparingRebalance");
    }

    private Answer<JoinGroup.Response> joined(ClassicClient client) {
        Answer<JoinGroup.Response> answer = client.join();
        shell.advance(3_000);
        return answer;
    }

    @Test
    void stableGroupIsStoredOnceForAllMembers() {
        ClassicClient.stabilise(List.of(first, second));

        List<GroupRecord> records = shell.recordsSince(0);

        assertThat(records).hasSize(2);
        GroupRecord.ClassicGroupValue value =
                ((GroupRecord.Classic) records.getLast()).value().orElseThrow();
        assertThat(value.members()).hasSize(2);
        assertThat(value.leader()).contains(first.memberId);
    }

    @Test
    void protocolNamedTwiceCountsOnce() {
        first.speaking("range", "range");

        ClassicClient.stabilise(List.of(first));

        assertThat(state()).isEqualTo("Stable");
    }

    @Test
    void veryLongClientIdMakesNoOverlongMemberId() {
        first.clientId = "c".repeat(30_000);

        ClassicClient.stabilise(List.of(first));

        assertThat(first.memberId.length()).isLessThan(300);
    }

    @Test
    void subscriptionThatCannotBeStoredIsRefused() {
        first.metadata = Optional.of(Bytes.copyOf(new byte[600_000]));

        first.sendJoin().expectError(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void waitingRequestsAreRefusedWhenTheCoordinatorGoes() {
        Answer<JoinGroup.Response> join = first.join();

        shell.coordinator.abandon(
                Refusal.of(ErrorCode.NOT_COORDINATOR, "The partition has moved."), shell.nowMs);

        join.expectError(ErrorCode.NOT_COORDINATOR);
        assertThat(shell.timers.keySet()).noneMatch(key -> !key.memberId().isEmpty());
    }
}

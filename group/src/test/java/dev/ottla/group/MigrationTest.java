package dev.ottla.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.group.classic.DescribedGroup;
import dev.ottla.group.classic.Heartbeat;
import dev.ottla.group.classic.JoinGroup;
import dev.ottla.group.classic.SyncGroup;
import dev.ottla.group.consumer.ConsumerSettings;
import dev.ottla.group.consumer.ConsumerSettings.MigrationPolicy;
import dev.ottla.group.consumer.DescribedConsumerGroup;
import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.record.Bytes;
import dev.ottla.group.record.ConsumerProtocolCodec;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ConsumerProtocolAssignment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MigrationTest {
    private final TestShell shell = new TestShell();
    private final ClassicClient old1 = new ClassicClient(shell, "g");
    private final ClassicClient old2 = new ClassicClient(shell, "g");
    private final ConsumerClient young = new ConsumerClient(shell, "g", "young");

    @BeforeEach
    void fourPartitions() {
        shell.setTopics(TestTopics.EMPTY.with("t", 4));
    }

    /// Both classic members in a stable group, with two partitions each.
    private void classicGroup() {
        Answer<JoinGroup.Response> join1 = old1.join();
        Answer<JoinGroup.Response> join2 = old2.join();
        shell.advance(6_000);
        old1.took(join1);
        old2.took(join2);
        Map<String, Bytes> assignments =
                Map.of(old1.memberId, assigned(0, 1), old2.memberId, assigned(2, 3));
        old1.sync(assignments);
        old2.sync(Map.of());
    }

    private static Bytes assigned(int... partitions) {
        return ConsumerProtocolCodec.encodeAssignment(
                Map.of("t", PartitionSet.of(partitions)), (short) 3);
    }

    private static PartitionSet partitions(SyncGroup.Response response) {
        return ConsumerProtocolCodec.assignment(response.assignment())
                .orElseThrow()
                .partitions()
                .getOrDefault("t", PartitionSet.EMPTY);
    }

    private DescribedConsumerGroup describe() {
        Answer<DescribedConsumerGroup> answer = new Answer<>();
        shell.coordinator.describeConsumerGroup("g", answer, shell.nowMs);
        return answer.get();
    }

    private String classicState() {
        Answer<DescribedGroup> answer = new Answer<>();
        shell.coordinator.describeGroup("g", answer, shell.nowMs);
        return answer.get().state();
    }

    private void policy(MigrationPolicy policy) {
        shell.consumerSettings =
                new ConsumerSettings(
                        45_000, 5_000, 1_000, 600_000, 100, List.of("uniform"), policy);
    }

    private PartitionSet rejoin(ClassicClient client) {
        client.took(client.join());
        return partitions(client.sync(Map.of()).get());
    }

    @Test
    void firstConsumerMemberMakesTheGroupAConsumerGroup() {
        classicGroup();

        young.join();

        assertThat(describe().members())
                .extracting(DescribedConsumerGroup.Member::classic)
                .containsExactlyInAnyOrder(true, true, false);
        // The classic members keep what they have until they are told.
        assertThat(young.owned.size()).isZero();
        old1.heartbeat().expectError(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    @Test
    void classicMembersTakePartInTheNewGroup() {
        classicGroup();
        young.join();

        PartitionSet of1 = rejoin(old1);
        PartitionSet of2 = rejoin(old2);
        young.heartbeat();

        assertThat(of1.size()).isBetween(1, 2);
        assertThat(of2.size()).isBetween(1, 2);
        assertThat(of1.intersect(of2).isEmpty()).isTrue();
        assertThat(of1.size() + of2.size() + young.owned.size()).isEqualTo(4);
        assertThat(describe().state()).isEqualTo("Stable");
        assertThat(old1.heartbeat().get()).isEqualTo(Heartbeat.Response.ALIVE);
    }

    @Test
    void mixedGroupSurvivesAReload() {
        classicGroup();
        young.join();
        rejoin(old1);
        rejoin(old2);
        young.heartbeat();

        shell.reload();

        assertThat(describe().state()).isEqualTo("Stable");
        assertThat(old1.heartbeat().get()).isEqualTo(Heartbeat.Response.ALIVE);
        assertThat(young.heartbeat().isRefused()).isFalse();
    }

    @Test
    void lastConsumerMemberThatLeavesMakesTheGroupClassicAgain() {
        classicGroup();
        young.join();
        rejoin(old1);
        rejoin(old2);
        young.heartbeat();

        young.leave();

        assertThat(classicState()).isEqualTo("PreparingRebalance");
        old1.heartbeat().expectError(ErrorCode.REBALANCE_IN_PROGRESS);
        Answer<JoinGroup.Response> join1 = old1.join();
        Answer<JoinGroup.Response> join2 = old2.join();
        int leaders = 0;
        for (var join : List.of(join1, join2)) {
            if (!((JoinGroup.Joined) join.get()).members().isEmpty()) leaders++;
        }
        assertThat(leaders).isEqualTo(1);
        assertThat(shell.coordinator.rebalances("g").getLast().cause()).contains("classic again");
    }

    @Test
    void consumerMemberThatFallsSilentMakesTheGroupClassicAgain() {
        classicGroup();
        young.join();
        rejoin(old1);
        rejoin(old2);
        for (int i = 0; i < 10; i++) {
            old1.heartbeat();
            old2.heartbeat();
            shell.advance(5_000);
        }

        assertThat(classicState()).isEqualTo("PreparingRebalance");
    }

    /// Found by the simulation: the partitions of the member that left would have stayed with
    /// nobody.
    @Test
    void groupThatJustBecameClassicRebalancesAfterAReload() {
        classicGroup();
        young.join();
        rejoin(old1);
        rejoin(old2);
        young.leave();

        shell.reload();

        assertThat(classicState()).isEqualTo("PreparingRebalance");
        old1.heartbeat().expectError(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    /// Found by the simulation: what a member should have once, another one still held.
    @Test
    void groupThatGoesBackAndForthKeepsPartitionsInOneHand() {
        young.join();
        shell.advance(1_000);
        old1.took(old1.join());
        young.heartbeat();
        young.heartbeat();
        old1.took(old1.join());
        old2.took(old2.join());
        shell.advance(1_000);
        young.heartbeat();
        young.leave();

        ConsumerClient another = new ConsumerClient(shell, "g", "another");
        another.join();

        shell.coordinator.checkInvariants();
        DescribedConsumerGroup.Member holder =
                describe().members().stream()
                        .filter(member -> member.memberId().equals(old1.memberId))
                        .findFirst()
                        .orElseThrow();
        assertThat(holder.assigned().size()).isEqualTo(2);
    }

    /// Found by the simulation: a member that was given up came back under its old id and went on
    /// reading.
    @Test
    void classicMemberThatWasGivenUpHearsOfIt() {
        classicGroup();
        young.join();
        rejoin(old1);
        rejoin(old2);
        for (int i = 0; i < 3; i++) {
            shell.advance(5_000);
            old2.heartbeat();
        }

        old1.sendJoin().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    @Test
    @Tag("config:group.consumer.migration.policy")
    void policyDecidesWhichWayIsOpen() {
        classicGroup();
        policy(MigrationPolicy.DISABLED);
        young.join().expectError(ErrorCode.GROUP_ID_NOT_FOUND);
        policy(MigrationPolicy.DOWNGRADE);
        young.join().expectError(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(classicState()).isEqualTo("Stable");

        policy(MigrationPolicy.UPGRADE);
        young.join();
        rejoin(old1);
        young.leave();

        assertThat(describe().members()).hasSize(2);
        shell.advance(1_000);
        old1.heartbeat();
        assertThat(rejoin(old1).size() + rejoin(old2).size()).isEqualTo(4);
    }

    @Test
    void classicMemberIsKeptOutWhenMigrationIsDisabled() {
        policy(MigrationPolicy.DISABLED);
        young.join();

        old1.sendJoin().expectError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL);
    }

    @Test
    void classicMemberJoinsAConsumerGroup() {
        young.join();
        shell.advance(1_000);

        old1.took(old1.join());
        assertThat(partitions(old1.sync(Map.of()).get()).size()).isZero();
        young.heartbeat();
        young.heartbeat();
        old1.heartbeat().expectError(ErrorCode.REBALANCE_IN_PROGRESS);

        assertThat(rejoin(old1).size()).isEqualTo(2);
        assertThat(young.owned.size()).isEqualTo(2);
    }

    @Test
    void classicMemberThatDoesNotRejoinInTimeIsRemoved() {
        classicGroup();
        old2.rebalanceTimeoutMs = 60_000;
        young.join();
        rejoin(old1);
        for (int i = 0; i < 13; i++) {
            old1.heartbeat();
            old2.heartbeat();
            young.heartbeat();
            shell.advance(5_000);
        }

        old2.heartbeat().expectError(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(describe().members()).hasSize(2);
    }

    @Test
    void classicMemberThatFallsSilentIsRemoved() {
        classicGroup();
        young.join();

        shell.advance(11_000);

        assertThat(describe().members()).hasSize(1);
    }

    @Test
    void otherKindsOfGroupsAreLeftAlone() {
        old1.protocolType = "connect";
        ClassicClient.stabilise(List.of(old1));

        young.join().expectError(ErrorCode.GROUP_ID_NOT_FOUND);
    }

    @Test
    void assignorWithDataOfItsOwnBlocksTheUpgrade() {
        Answer<JoinGroup.Response> join = old1.join();
        shell.advance(3_000);
        old1.took(join);
        ConsumerProtocolAssignment message =
                new ConsumerProtocolAssignment(List.of(), ByteBuffer.wrap(new byte[] {1}));
        ByteBuffer bytes =
                ByteBuffer.allocate(2 + message.size((short) 0))
                        .putShort((short) 0)
                        .put(message.toBuffer((short) 0))
                        .flip();
        old1.sync(Map.of(old1.memberId, Bytes.copyOf(bytes)));

        young.join().expectError(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(old1.heartbeat().get()).isEqualTo(Heartbeat.Response.ALIVE);
    }

    @Test
    void emptyGroupChangesItsTypeWithoutAsking() {
        policy(MigrationPolicy.DISABLED);
        classicGroup();
        old1.leave();
        old2.leave();

        young.join();
        assertThat(describe().state()).isEqualTo("Stable");
        young.leave();
        ClassicClient.stabilise(List.of(new ClassicClient(shell, "g")));

        assertThat(classicState()).isEqualTo("Stable");
        shell.reload();
        assertThat(classicState()).isEqualTo("Stable");
    }

    @Test
    void staticMemberChangesSides() {
        ConsumerClient fixed = new ConsumerClient(shell, "g", "c1").withInstance("i");
        fixed.join();
        new ConsumerClient(shell, "g", "c2").join();
        ClassicClient back = new ClassicClient(shell, "g").withInstance("i");

        back.took(back.join());

        assertThat(describe().members()).hasSize(2);
        fixed.heartbeat().expectError(ErrorCode.FENCED_INSTANCE_ID);
        ConsumerClient again = new ConsumerClient(shell, "g", "c3").withInstance("i");
        assertThat(again.join().isRefused()).isFalse();
        back.heartbeat().expectError(ErrorCode.FENCED_INSTANCE_ID);
    }

    @Test
    void lastConsumerMemberThatComesBackClassicMakesTheGroupClassic() {
        ConsumerClient fixed = new ConsumerClient(shell, "g", "c1").withInstance("i");
        fixed.join();
        shell.advance(1_000);
        old1.took(old1.join());
        old1.sync(Map.of());
        ClassicClient back = new ClassicClient(shell, "g").withInstance("i");

        Answer<JoinGroup.Response> join = back.join();
        join.expectWaiting();
        old1.heartbeat().expectError(ErrorCode.REBALANCE_IN_PROGRESS);
        old1.took(old1.join());

        assertThat(((JoinGroup.Joined) join.get()).memberId()).startsWith("i-");
        assertThat(classicState()).isEqualTo("CompletingRebalance");
    }

    @Test
    void joinsThatWaitAreToldToStartOver() {
        Answer<JoinGroup.Response> waiting = old1.join();
        waiting.expectWaiting();

        young.join();

        waiting.expectError(ErrorCode.REBALANCE_IN_PROGRESS);
        young.heartbeat();
        shell.advance(1_000);
        young.heartbeat();
        assertThat(rejoin(old1).size() + young.owned.size()).isEqualTo(4);
    }

    @Test
    void offsetsStayThroughBothWays() {
        classicGroup();
        Answer<OffsetCommit.Response> commit = new Answer<>();
        shell.coordinator.offsetCommit(
                new OffsetCommit.Request(
                        "g",
                        old1.identity(),
                        old1.generationId,
                        9,
                        OptionalLong.empty(),
                        List.of(
                                new OffsetCommit.Topic(
                                        "t",
                                        shell.topics.id("t"),
                                        List.of(new OffsetCommit.Partition(0, 42, -1, ""))))),
                commit,
                shell.nowMs);
        commit.get();

        young.join();
        assertThat(fetch()).isEqualTo(42);
        young.leave();
        assertThat(fetch()).isEqualTo(42);
        shell.reload();
        assertThat(fetch()).isEqualTo(42);
    }

    private long fetch() {
        Answer<OffsetFetch.Response> answer = new Answer<>();
        shell.coordinator.offsetFetch(
                new OffsetFetch.Request("g", Optional.empty(), -1, Optional.empty(), false),
                answer,
                shell.nowMs);
        return answer.get().topics().getFirst().partitions().getFirst().offset();
    }
}

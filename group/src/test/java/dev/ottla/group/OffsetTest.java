package dev.ottla.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.group.offset.OffsetCommit;
import dev.ottla.group.offset.OffsetDelete;
import dev.ottla.group.offset.OffsetFetch;
import dev.ottla.group.offset.OffsetSettings;
import dev.ottla.group.record.CoordinatorRecord;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.record.GroupRecordCodec;
import dev.ottla.group.shell.MemberIdentity;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OffsetTest {
    private static final long DAY_MS = 86_400_000;

    private final TestShell shell = new TestShell();

    OffsetTest() {
        shell.setTopics(TestTopics.EMPTY.with("t", 4).with("u", 1));
    }

    private Answer<OffsetCommit.Response> commit(OffsetCommit.Request request) {
        Answer<OffsetCommit.Response> answer = new Answer<>();
        shell.coordinator.offsetCommit(request, answer, shell.nowMs);
        return answer;
    }

    private Answer<OffsetCommit.Response> commitSimply(String topic, int partition, long offset) {
        return commit(request(MemberIdentity.dynamic(""), -1, topic, partition, offset));
    }

    private OffsetCommit.Request request(
            MemberIdentity member, int generation, String topic, int partition, long offset) {
        return request("g", member, generation, topic, partition, offset);
    }

    private OffsetCommit.Request request(
            String groupId,
            MemberIdentity member,
            int generation,
            String topic,
            int partition,
            long offset) {
        return new OffsetCommit.Request(
                groupId,
                member,
                generation,
                10,
                OptionalLong.empty(),
                List.of(
                        new OffsetCommit.Topic(
                                topic,
                                shell.topics.id(topic),
                                List.of(new OffsetCommit.Partition(partition, offset, 2, "m")))));
    }

    private long fetch(String topic, int partition) {
        return fetchOne(topic, shell.topics.id(topic), partition).offset();
    }

    private OffsetFetch.PartitionResult fetchOne(String topic, Uuid topicId, int partition) {
        Answer<OffsetFetch.Response> answer = new Answer<>();
        shell.coordinator.offsetFetch(
                new OffsetFetch.Request(
                        "g",
                        Optional.empty(),
                        -1,
                        Optional.of(
                                List.of(new OffsetFetch.Topic(topic, topicId, List.of(partition)))),
                        true),
                answer,
                shell.nowMs);
        return answer.get().topics().getFirst().partitions().getFirst();
    }

    @Test
    void emptyGroupIdKeepsOffsetsForSimpleConsumersOfOld() {
        Answer<OffsetCommit.Response> committed =
                commit(request("", MemberIdentity.dynamic(""), -1, "t", 1, 42));

        assertThat(committed.get().topics().getFirst().partitions().getFirst().error())
                .isEqualTo(ErrorCode.NONE);
    }

    @Test
    void clientWithoutAGroupCommitsAndFetches() {
        commitSimply("t", 1, 42);

        OffsetFetch.PartitionResult result = fetchOne("t", Uuid.ZERO, 1);
        assertThat(result)
                .isEqualTo(new OffsetFetch.PartitionResult(1, 42, 2, "m", ErrorCode.NONE));
        assertThat(fetch("t", 0)).isEqualTo(-1);
    }

    @Test
    void offsetsSurviveAReload() {
        commitSimply("t", 1, 42);
        commitSimply("t", 1, 43);

        shell.reload();

        assertThat(fetch("t", 1)).isEqualTo(43);
    }

    @Test
    void fetchWithoutTopicsReturnsAll() {
        commitSimply("t", 1, 42);
        commitSimply("t", 0, 41);
        commitSimply("u", 0, 7);
        Answer<OffsetFetch.Response> answer = new Answer<>();

        shell.coordinator.offsetFetch(
                new OffsetFetch.Request("g", Optional.empty(), -1, Optional.empty(), false),
                answer,
                shell.nowMs);

        assertThat(answer.get().topics())
                .extracting(OffsetFetch.TopicResult::name)
                .containsExactly("t", "u");
        assertThat(answer.get().topics().getFirst().partitions())
                .extracting(OffsetFetch.PartitionResult::offset)
                .containsExactly(41L, 42L);
    }

    @Test
    void offsetOfAnEarlierTopicOfTheSameNameIsNotReturned() {
        commitSimply("t", 1, 42);

        assertThat(fetchOne("t", new Uuid(1, 2), 1).offset()).isEqualTo(-1);
    }

    @Test
    void metadataThatIsTooLongIsRefusedForItsPartitionAlone() {
        OffsetCommit.Request request =
                new OffsetCommit.Request(
                        "g",
                        MemberIdentity.dynamic(""),
                        -1,
                        9,
                        OptionalLong.empty(),
                        List.of(
                                new OffsetCommit.Topic(
                                        "t",
                                        Uuid.ZERO,
                                        List.of(
                                                new OffsetCommit.Partition(
                                                        0, 1, -1, "x".repeat(4097)),
                                                new OffsetCommit.Partition(1, 1, -1, "")))));

        assertThat(commit(request).get().topics().getFirst().partitions())
                .extracting(OffsetCommit.PartitionResult::error)
                .containsExactly(ErrorCode.OFFSET_METADATA_TOO_LARGE, ErrorCode.NONE);
        assertThat(fetch("t", 0)).isEqualTo(-1);
        assertThat(fetch("t", 1)).isEqualTo(1);
    }

    @Test
    void commitThatDoesNotFitIntoABatchIsRefusedWhole() {
        shell.offsetSettings = new OffsetSettings(4096, OptionalLong.empty(), 600_000, 10_000);
        List<OffsetCommit.Partition> partitions =
                IntStream.range(0, 1_000)
                        .mapToObj(index -> new OffsetCommit.Partition(index, 1, -1, ""))
                        .toList();

        commit(
                        new OffsetCommit.Request(
                                "g",
                                MemberIdentity.dynamic(""),
                                -1,
                                9,
                                OptionalLong.empty(),
                                List.of(new OffsetCommit.Topic("t", Uuid.ZERO, partitions))))
                .expectError(ErrorCode.INVALID_COMMIT_OFFSET_SIZE);
        assertThat(shell.log).isEmpty();
    }

    @Test
    void onlyMembersCommitWhileTheGroupHasMembers() {
        ClassicClient client = new ClassicClient(shell, "g");
        ClassicClient.stabilise(List.of(client));

        commitSimply("t", 0, 1).expectError(ErrorCode.UNKNOWN_MEMBER_ID);
        commit(request(client.identity(), 9, "t", 0, 1)).expectError(ErrorCode.ILLEGAL_GENERATION);
        commit(request(client.identity(), client.generationId, "t", 0, 1)).get();

        assertThat(fetch("t", 0)).isEqualTo(1);
    }

    @Test
    void memberOfAnUnknownGroupIsToldByVersion() {
        commit(request(MemberIdentity.dynamic("m"), 3, "t", 0, 1))
                .expectError(ErrorCode.GROUP_ID_NOT_FOUND);
        OffsetCommit.Request older =
                new OffsetCommit.Request(
                        "g", MemberIdentity.dynamic("m"), 3, 8, OptionalLong.empty(), List.of());
        commit(older).expectError(ErrorCode.ILLEGAL_GENERATION);
    }

    @Test
    void offsetsStayForYearsWhenNoRetentionIsSet() {
        commitSimply("t", 0, 1);

        shell.advance(400 * DAY_MS);

        assertThat(fetch("t", 0)).isEqualTo(1);
    }

    @Test
    @Tag("config:offsets.retention.minutes")
    void offsetsExpireWhenTheOperatorSetsARetention() {
        shell.offsetSettings = new OffsetSettings(4096, OptionalLong.of(DAY_MS), 600_000, 1 << 20);
        commitSimply("t", 0, 1);

        shell.advance(DAY_MS - 600_000);
        assertThat(fetch("t", 0)).isEqualTo(1);
        shell.advance(1_200_000);

        assertThat(fetch("t", 0)).isEqualTo(-1);
        assertThat(shell.coordinator.groupCount()).isZero();
    }

    @Test
    void subscribedTopicsOfAStableGroupKeepTheirOffsets() {
        shell.offsetSettings = new OffsetSettings(4096, OptionalLong.of(DAY_MS), 600_000, 1 << 20);
        commitSimply("t", 0, 1);
        commitSimply("u", 0, 1);
        ClassicClient client = new ClassicClient(shell, "g");
        client.sessionTimeoutMs = 1_800_000;
        ClassicClient.stabilise(List.of(client));

        for (int i = 0; i < 100; i++) {
            client.heartbeat();
            shell.advance(1_000_000);
        }

        assertThat(fetch("t", 0)).isEqualTo(1);
        assertThat(fetch("u", 0)).isEqualTo(-1);
    }

    @Test
    void retentionThatTheClientAskedForIsHonoured() {
        OffsetCommit.Request request = request(MemberIdentity.dynamic(""), -1, "t", 0, 5);
        commit(
                new OffsetCommit.Request(
                        "g",
                        request.member(),
                        -1,
                        4,
                        OptionalLong.of(3_600_000),
                        request.topics()));

        shell.advance(3_000_000);
        assertThat(fetch("t", 0)).isEqualTo(5);
        shell.advance(1_300_000);

        assertThat(fetch("t", 0)).isEqualTo(-1);
    }

    @Test
    void offsetsGoWithTheirTopic() {
        commitSimply("t", 0, 1);
        commitSimply("u", 0, 2);

        shell.setTopics(shell.topics.without("t"));

        assertThat(fetchOne("t", Uuid.ZERO, 0).offset()).isEqualTo(-1);
        assertThat(fetch("u", 0)).isEqualTo(2);
    }

    @Test
    void offsetsOfATopicDeletedUnseenAreSweptLater() {
        commitSimply("t", 0, 1);
        commitSimply("u", 0, 2);
        shell.topics = shell.topics.without("t");
        shell.reload();

        shell.advance(1_300_000);

        assertThat(fetchOne("t", Uuid.ZERO, 0).offset()).isEqualTo(-1);
        assertThat(fetch("u", 0)).isEqualTo(2);
    }

    @Test
    void offsetsOfSubscribedTopicsCannotBeDeleted() {
        ClassicClient client = new ClassicClient(shell, "g");
        ClassicClient.stabilise(List.of(client));
        commit(request(client.identity(), client.generationId, "t", 0, 1)).get();
        commit(request(client.identity(), client.generationId, "u", 0, 1)).get();
        Answer<OffsetDelete.Response> answer = new Answer<>();

        shell.coordinator.offsetDelete(
                new OffsetDelete.Request(
                        "g",
                        List.of(
                                new OffsetDelete.Topic("t", List.of(0)),
                                new OffsetDelete.Topic("u", List.of(0)))),
                answer,
                shell.nowMs);

        assertThat(answer.get().topics().getFirst().partitions().getFirst().error())
                .isEqualTo(ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC);
        assertThat(fetch("t", 0)).isEqualTo(1);
        assertThat(fetch("u", 0)).isEqualTo(-1);
    }

    @Test
    void deletedGroupIsGoneWithItsOffsets() {
        commitSimply("t", 0, 1);
        Answer<String> answer = new Answer<>();

        shell.coordinator.deleteGroup("g", answer, shell.nowMs);

        assertThat(answer.get()).isEqualTo("g");
        shell.reload();
        assertThat(fetch("t", 0)).isEqualTo(-1);
        assertThat(shell.coordinator.groupCount()).isZero();
    }

    @Test
    void groupWithMembersCannotBeDeleted() {
        ClassicClient.stabilise(List.of(new ClassicClient(shell, "g")));
        Answer<String> answer = new Answer<>();
        Answer<String> unknown = new Answer<>();

        shell.coordinator.deleteGroup("g", answer, shell.nowMs);
        shell.coordinator.deleteGroup("other", unknown, shell.nowMs);

        answer.expectError(ErrorCode.NON_EMPTY_GROUP);
        unknown.expectError(ErrorCode.GROUP_ID_NOT_FOUND);
    }

    @Test
    void offsetsOfATransactionWaitForItsMarker() {
        CoordinatorRecord record =
                GroupRecordCodec.encode(
                        new GroupRecord.Offset(
                                "g",
                                "t",
                                0,
                                Optional.of(
                                        new GroupRecord.CommittedOffset(
                                                5, -1, "", Uuid.ZERO, 0, -1))));
        shell.coordinator.replay(record.key(), record.value(), 77);
        shell.coordinator.replay(record.key(), record.value(), 78);

        assertThat(fetchOne("t", Uuid.ZERO, 0).error()).isEqualTo(ErrorCode.UNSTABLE_OFFSET_COMMIT);
        shell.coordinator.replayTransactionEnd(77, false);
        assertThat(fetchOne("t", Uuid.ZERO, 0).error()).isEqualTo(ErrorCode.UNSTABLE_OFFSET_COMMIT);
        shell.coordinator.replayTransactionEnd(78, true);

        assertThat(fetch("t", 0)).isEqualTo(5);
    }
}

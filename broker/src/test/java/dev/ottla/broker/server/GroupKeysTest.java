package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse.DescribedGroup;
import dev.ottla.wire.message.OffsetCommitRequest;
import dev.ottla.wire.message.OffsetCommitResponse;
import dev.ottla.wire.message.OffsetFetchRequest;
import dev.ottla.wire.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import dev.ottla.wire.message.OffsetFetchResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The settings of groups reach the coordinators of a broker that was given other values than the
/// defaults. What each does in detail is tested on the coordinator itself.
@Timeout(60)
final class GroupKeysTest {
    private static final Map<String, String> SETTINGS =
            Map.ofEntries(
                    Map.entry("group.coordinator.background.threads", "3"),
                    Map.entry("group.min.session.timeout.ms", "2000"),
                    Map.entry("group.max.session.timeout.ms", "3000"),
                    Map.entry("group.initial.rebalance.delay.ms", "300"),
                    Map.entry("group.max.size", "1"),
                    Map.entry("group.consumer.session.timeout.ms", "1000"),
                    Map.entry("group.consumer.min.session.timeout.ms", "500"),
                    Map.entry("group.consumer.max.session.timeout.ms", "50000"),
                    Map.entry("group.consumer.heartbeat.interval.ms", "400"),
                    Map.entry("group.consumer.min.heartbeat.interval.ms", "200"),
                    Map.entry("group.consumer.max.heartbeat.interval.ms", "20000"),
                    Map.entry("group.consumer.assignment.interval.ms", "20000"),
                    Map.entry("group.consumer.min.assignment.interval.ms", "100"),
                    Map.entry("group.consumer.max.assignment.interval.ms", "20000"),
                    Map.entry("group.consumer.max.size", "2"),
                    Map.entry("group.consumer.assignors", "range"),
                    Map.entry("group.consumer.migration.policy", "disabled"),
                    Map.entry("offset.metadata.max.bytes", "3000"),
                    Map.entry("offsets.retention.check.interval.ms", "50"),
                    Map.entry("offsets.topic.num.partitions", "7"),
                    Map.entry("offsets.topic.segment.bytes", "1048576"));

    private static TestBroker broker;
    private GroupClient groups;

    @BeforeAll
    static void start() throws IOException {
        broker = new TestBroker(SETTINGS);
        try (BrokerClient client = new BrokerClient(broker)) {
            client.create("t", 250);
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void connect() throws IOException {
        groups = new GroupClient(broker);
    }

    @AfterEach
    void disconnect() throws IOException {
        groups.close();
    }

    @Test
    @Tag("config:group.min.session.timeout.ms")
    @Tag("config:group.max.session.timeout.ms")
    void sessionTimeoutsOfClassicMembersAreBounded() throws IOException {
        assertThat(GroupClient.code(groups.join("bounds", 1_999).errorCode()))
                .isEqualTo(ErrorCode.INVALID_SESSION_TIMEOUT);
        assertThat(GroupClient.code(groups.join("bounds", 3_001).errorCode()))
                .isEqualTo(ErrorCode.INVALID_SESSION_TIMEOUT);
        assertThat(groups.join("at least", 2_000).errorCode()).isZero();
    }

    @Test
    @Tag("config:group.initial.rebalance.delay.ms")
    void newClassicGroupWaitsAsLongAsIsSet() throws IOException {
        long shortestMs = Long.MAX_VALUE;
        for (int i = 0; i < 5 && shortestMs > 2_900; i++) {
            long startNs = System.nanoTime();
            assertThat(groups.join("delayed" + i, 3_000).errorCode()).isZero();
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            shortestMs = Math.min(shortestMs, tookMs);
        }

        assertThat(shortestMs).isBetween(290L, 2_900L);
    }

    @Test
    @Tag("config:group.max.size")
    void fullClassicGroupRefusesMore() throws IOException {
        assertThat(groups.join("small", 3_000).errorCode()).isZero();

        assertThat(GroupClient.code(groups.join("small", 3_000).errorCode()))
                .isEqualTo(ErrorCode.GROUP_MAX_SIZE_REACHED);
    }

    @Test
    @Tag("config:group.consumer.max.size")
    void fullConsumerGroupRefusesMore() throws IOException {
        outlive("full");
        assertThat(groups.join("full", "m1").errorCode()).isZero();
        assertThat(groups.join("full", "m2").errorCode()).isZero();

        assertThat(GroupClient.code(groups.join("full", "m3").errorCode()))
                .isEqualTo(ErrorCode.GROUP_MAX_SIZE_REACHED);
    }

    @Test
    @Tag("config:group.consumer.heartbeat.interval.ms")
    @Tag("config:consumer.heartbeat.interval.ms")
    void heartbeatIntervalIsTold() throws IOException {
        assertThat(groups.join("beating", "m1").heartbeatIntervalMs()).isEqualTo(400);

        groups.client()
                .set(ConfigResource.Type.GROUP, "beating", "consumer.heartbeat.interval.ms", "250");

        assertThat(groups.join("beating", "m1").heartbeatIntervalMs()).isEqualTo(250);
    }

    @Test
    @Tag("config:group.consumer.session.timeout.ms")
    void silentConsumerMemberIsRemovedInTime() throws Exception {
        groups.join("silent", "m1");

        awaitEmpty("silent");
    }

    @Test
    @Tag("config:consumer.session.timeout.ms")
    void silentMemberIsRemovedWhenItsGroupSaysSo() throws Exception {
        outlive("patient");
        groups.join("patient", "m1");
        assertThat(groups.describe("patient").members()).hasSize(1);

        groups.client()
                .set(ConfigResource.Type.GROUP, "patient", "consumer.session.timeout.ms", "500");

        groups.stay("patient", "m1", 1);
        awaitEmpty("patient");
    }

    @Test
    @Tag("config:group.consumer.min.session.timeout.ms")
    @Tag("config:group.consumer.max.session.timeout.ms")
    @Tag("config:group.consumer.min.heartbeat.interval.ms")
    @Tag("config:group.consumer.max.heartbeat.interval.ms")
    @Tag("config:group.consumer.min.assignment.interval.ms")
    @Tag("config:group.consumer.max.assignment.interval.ms")
    void settingsOfAGroupAreBounded() throws IOException {
        assertBounds("consumer.session.timeout.ms", 500, 50_000);
        assertBounds("consumer.heartbeat.interval.ms", 200, 20_000);
        assertBounds("consumer.assignment.interval.ms", 100, 20_000);
    }

    /// The last value, the largest, stays.
    private void assertBounds(String key, int smallest, int largest) throws IOException {
        assertThat(groupSetting("bounded", key, smallest - 1)).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(groupSetting("bounded", key, largest + 1)).isEqualTo(ErrorCode.INVALID_CONFIG);
        assertThat(groupSetting("bounded", key, smallest)).isEqualTo(ErrorCode.NONE);
        assertThat(groupSetting("bounded", key, largest)).isEqualTo(ErrorCode.NONE);
    }

    private ErrorCode groupSetting(String group, String key, int value) throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put("consumer.session.timeout.ms", "50000"); // longer than any heartbeat interval
        settings.put(key, Integer.toString(value));
        return groups.client().trySet(ConfigResource.Type.GROUP, group, settings);
    }

    @Test
    @Tag("config:group.consumer.assignment.interval.ms")
    @Tag("config:consumer.assignment.interval.ms")
    void nextAssignmentComesAfterTheInterval() throws Exception {
        outlive("spaced");
        outlive("dense");
        groups.client()
                .set(ConfigResource.Type.GROUP, "dense", "consumer.assignment.interval.ms", "100");
        for (String group : List.of("spaced", "dense")) {
            groups.join(group, "m1");
            groups.join(group, "m2");
        }

        awaitAssigned("dense", 2);
        DescribedGroup spaced = groups.describe("spaced");
        assertThat(spaced.groupEpoch()).isEqualTo(2);
        assertThat(spaced.assignmentEpoch()).isEqualTo(1);

        groups.client()
                .set(
                        ConfigResource.Type.BROKER,
                        BrokerClient.CLUSTER,
                        "group.consumer.assignment.interval.ms",
                        "100");
        awaitAssigned("spaced", 2);
    }

    private void awaitAssigned(String group, int epoch) throws Exception {
        Await.until(
                "an assignment of epoch " + epoch,
                () -> {
                    groups.stay(group, "m1", 1);
                    return groups.describe(group).assignmentEpoch() >= epoch;
                });
    }

    @Test
    @Tag("config:group.consumer.assignors")
    void onlyTheAssignorsThatAreNamedAreOffered() throws IOException {
        groups.join("ranged", "m1");

        assertThat(groups.describe("ranged").assignorName()).isEqualTo("range");
        assertThat(
                        GroupClient.code(
                                groups.heartbeat(
                                                GroupClient.joining("even", "m1")
                                                        .serverAssignor("uniform"))
                                        .errorCode()))
                .isEqualTo(ErrorCode.UNSUPPORTED_ASSIGNOR);
    }

    @Test
    @Tag("config:group.consumer.migration.policy")
    void classicGroupStaysClassicWhenMigrationIsDisabled() throws IOException {
        assertThat(groups.join("classic", 3_000).errorCode()).isZero();

        assertThat(GroupClient.code(groups.join("classic", "m1").errorCode()))
                .isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
    }

    @Test
    @Tag("config:offset.metadata.max.bytes")
    void longMetadataOfAnOffsetIsRefused() throws IOException {
        assertThat(groups.commit(GroupClient.commitment("noted", "t", 1, "x".repeat(3_000))))
                .isEqualTo(ErrorCode.NONE);
        assertThat(groups.commit(GroupClient.commitment("noted", "t", 1, "x".repeat(3_001))))
                .isEqualTo(ErrorCode.OFFSET_METADATA_TOO_LARGE);
    }

    @Test
    @Tag("config:offsets.retention.check.interval.ms")
    void offsetsThatExpiredAreForgottenAtTheNextCheck() throws Exception {
        OffsetCommitRequest commitment =
                GroupClient.commitment("fleeting", "t", 1, "").toBuilder()
                        .retentionTimeMs(1)
                        .build();
        assertThat(
                        groups.client()
                                .ask(OffsetCommitResponse.class, commitment, 4)
                                .topics()
                                .getFirst()
                                .partitions()
                                .getFirst()
                                .errorCode())
                .isZero();

        OffsetFetchRequest question =
                OffsetFetchRequest.builder()
                        .groupId("fleeting")
                        .topics(
                                List.of(
                                        OffsetFetchRequestTopic.builder()
                                                .name("t")
                                                .partitionIndexes(List.of(0))
                                                .build()))
                        .build();
        Await.until(
                "an offset that is gone",
                () ->
                        groups.client()
                                        .ask(OffsetFetchResponse.class, question, 7)
                                        .topics()
                                        .getFirst()
                                        .partitions()
                                        .getFirst()
                                        .committedOffset()
                                < 0);
    }

    @Test
    @Tag("config:offsets.topic.num.partitions")
    void topicOfTheOffsetsHasAsManyPartitions() throws IOException {
        assertThat(groups.client().metadata("__consumer_offsets").topics().getFirst().partitions())
                .hasSize(7);
    }

    @Test
    @Tag("config:offsets.topic.segment.bytes")
    void topicOfTheOffsetsRollsItsSegments() throws Exception {
        for (int i = 0; i < 3; i++) {
            OffsetCommitRequest commitment =
                    GroupClient.commitment("wordy", "t", 250, "x".repeat(2_900));
            assertThat(groups.commit(commitment)).isEqualTo(ErrorCode.NONE);
        }

        Await.until("a second segment", () -> mostSegments() >= 2);
    }

    /// Of one partition of the offsets.
    private static long mostSegments() throws IOException {
        long most = 0;
        for (int partition = 0; partition < 7; partition++) {
            Path directory = broker.directory().resolve("data/__consumer_offsets-" + partition);
            if (!Files.exists(directory)) continue;
            try (Stream<Path> files = Files.list(directory)) {
                long segments = files.filter(file -> file.toString().endsWith(".log")).count();
                most = Math.max(most, segments);
            }
        }
        return most;
    }

    @Test
    @Tag("config:group.coordinator.background.threads")
    void coordinatorsHaveAsManyThreadsForLongWork() throws Exception {
        for (int i = 0; i < 5; i++) {
            groups.heartbeat(
                    GroupClient.joining("pattern" + i, "m1")
                            .subscribedTopicNames(null)
                            .subscribedTopicRegex("t.*"));
        }

        Await.until("three threads", () -> LiveThreads.count("groups") == 3);
    }

    /// Lets members live for longer than any test.
    private void outlive(String group) throws IOException {
        groups.client()
                .set(ConfigResource.Type.GROUP, group, "consumer.session.timeout.ms", "50000");
    }

    private void awaitEmpty(String group) throws Exception {
        Await.until("a group without members", () -> groups.describe(group).members().isEmpty());
    }
}

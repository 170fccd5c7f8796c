package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerProcess;
import dev.ottla.testkit.RawConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.requests.SyncGroupResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// A group of a thousand members, under both protocols, and ten thousand groups, in a small heap.
/// The members are connections that speak the protocol, since a thousand real consumers would take
/// more memory than the broker.
@Order(5)
class ManyGroupsTest {
    private static final int MEMBERS = 1_000;
    private static final int GROUPS = 10_000;
    private static final int PIPELINE = 500;

    private static BrokerProcess broker;

    private Clients clients;

    @BeforeAll
    static void startBroker() {
        broker =
                BrokerProcess.start(
                        BrokerProcess.Options.of("group.initial.rebalance.delay.ms=3000")
                                .withJvm("-Xmx256m"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void openClients() {
        clients = new Clients(broker.bootstrap());
    }

    @AfterEach
    void closeClients() {
        clients.close();
    }

    @Test
    void classicGroupOfAThousandMembersIsFormed() throws Exception {
        String group = Clients.name("group");
        awaitCoordinator(group);
        List<RawConnection> connections = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> members = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++) {
                RawConnection connection = RawConnection.open(broker.address());
                connections.add(connection);
                members.add(executor.submit(() -> joinAndSync(connection, group)));
            }

            Set<String> assignments = new HashSet<>();
            for (Future<String> member : members) {
                assignments.add(Clients.get(member));
            }
            assertThat(assignments).hasSize(MEMBERS);
            assertThat(
                            Clients.get(clients.admin().describeClassicGroups(List.of(group)).all())
                                    .values())
                    .singleElement()
                    .satisfies(description -> {
                        assertThat(description.members()).hasSize(MEMBERS);
                        assertThat(description.state().toString()).isEqualTo("Stable");
                    });
        } finally {
            for (RawConnection connection : connections) {
                connection.close();
            }
        }
    }

    /// Joins until the group is complete, takes or gives the assignments; returns its own. Members
    /// that joined a generation which others came too late for join again, as a client does.
    private static String joinAndSync(RawConnection connection, String group) throws IOException {
        String memberId = "";
        while (true) {
            JoinGroupResponseData joined = join(connection, group, memberId);
            memberId = joined.memberId();
            if (joined.errorCode() == Errors.MEMBER_ID_REQUIRED.code()) {
                continue;
            }
            assertThat(Errors.forCode(joined.errorCode())).isEqualTo(Errors.NONE);
            List<SyncGroupRequestData.SyncGroupRequestAssignment> assignments =
                    joined.members().stream()
                            .map(m ->
                                    new SyncGroupRequestData.SyncGroupRequestAssignment()
                                            .setMemberId(m.memberId())
                                            .setAssignment(m.memberId().getBytes(UTF_8)))
                            .toList();
            SyncGroupResponseData synced =
                    connection
                            .request(
                                    new SyncGroupRequest.Builder(
                                                    new SyncGroupRequestData()
                                                            .setGroupId(group)
                                                            .setMemberId(memberId)
                                                            .setGenerationId(joined.generationId())
                                                            .setProtocolType("acceptance")
                                                            .setProtocolName("range")
                                                            .setAssignments(assignments))
                                            .build(ApiKeys.SYNC_GROUP.latestVersion()),
                                    SyncGroupResponse.class)
                            .data();
            if (synced.errorCode() == Errors.NONE.code()) {
                return new String(synced.assignment(), UTF_8);
            }
            assertThat(Errors.forCode(synced.errorCode())).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        }
    }

    private static JoinGroupResponseData join(
            RawConnection connection, String group, String memberId) throws IOException {
        JoinGroupRequestData.JoinGroupRequestProtocolCollection protocols =
                new JoinGroupRequestData.JoinGroupRequestProtocolCollection();
        protocols.add(
                new JoinGroupRequestData.JoinGroupRequestProtocol()
                        .setName("range")
                        .setMetadata(new byte[32]));
        return connection
                .request(
                        new JoinGroupRequest.Builder(
                                        new JoinGroupRequestData()
                                                .setGroupId(group)
                                                .setMemberId(memberId)
                                                .setProtocolType("acceptance")
                                                .setSessionTimeoutMs(60_000)
                                                .setRebalanceTimeoutMs(60_000)
                                                .setProtocols(protocols))
                                .build(ApiKeys.JOIN_GROUP.latestVersion()),
                        JoinGroupResponse.class)
                .data();
    }

    @Test
    void consumerGroupOfAThousandMembersSharesAThousandPartitions() throws IOException {
        String group = Clients.name("group");
        String topic = clients.topic(MEMBERS);
        awaitCoordinator(group);
        Map<String, Integer> epochs = new HashMap<>();
        Map<String, Integer> partitions = new HashMap<>();
        try (RawConnection connection = RawConnection.open(broker.address())) {
            for (int i = 0; i < MEMBERS; i++) {
                epochs.put(Uuid.randomUuid().toString(), 0);
            }
            List<String> members = List.copyOf(epochs.keySet());
            Map<String, List<ConsumerGroupHeartbeatRequestData.TopicPartitions>> owned =
                    new HashMap<>();
            Await.until(
                    "each member has one partition",
                    () -> {
                        for (String member : members) {
                            connection.send(heartbeat(group, topic, member, epochs, owned));
                        }
                        for (String member : members) {
                            ConsumerGroupHeartbeatResponseData answer =
                                    connection.receive(ConsumerGroupHeartbeatResponse.class).data();
                            assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
                            epochs.put(member, answer.memberEpoch());
                            if (answer.assignment() != null) {
                                owned.put(member, toOwned(answer.assignment()));
                                partitions.put(member, count(answer.assignment()));
                            }
                        }
                        return partitions.size() == MEMBERS
                                && partitions.values().stream().allMatch(count -> count == 1);
                    });
        }
        assertThat(
                        Clients.get(clients.admin().describeConsumerGroups(List.of(group)).all())
                                .values())
                .singleElement()
                .satisfies(d -> assertThat(d.members()).hasSize(MEMBERS));
    }

    private static ConsumerGroupHeartbeatRequest heartbeat(
            String group,
            String topic,
            String member,
            Map<String, Integer> epochs,
            Map<String, List<ConsumerGroupHeartbeatRequestData.TopicPartitions>> owned) {
        int epoch = epochs.getOrDefault(member, 0);
        ConsumerGroupHeartbeatRequestData data =
                new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId(member)
                        .setMemberEpoch(epoch)
                        .setTopicPartitions(owned.getOrDefault(member, List.of()));
        if (epoch == 0) {
            data.setRebalanceTimeoutMs(60_000).setSubscribedTopicNames(List.of(topic));
        }
        return new ConsumerGroupHeartbeatRequest.Builder(data)
                .build(ApiKeys.CONSUMER_GROUP_HEARTBEAT.latestVersion());
    }

    private static List<ConsumerGroupHeartbeatRequestData.TopicPartitions> toOwned(
            ConsumerGroupHeartbeatResponseData.Assignment assignment) {
        return assignment.topicPartitions().stream()
                .map(t ->
                        new ConsumerGroupHeartbeatRequestData.TopicPartitions()
                                .setTopicId(t.topicId())
                                .setPartitions(t.partitions()))
                .toList();
    }

    private static int count(ConsumerGroupHeartbeatResponseData.Assignment assignment) {
        return assignment.topicPartitions().stream().mapToInt(t -> t.partitions().size()).sum();
    }

    @Test
    void tenThousandGroupsCommitAndSurviveAKill() throws IOException {
        String topic = clients.topic(1);
        String prefix = Clients.name("many");
        awaitCoordinator(prefix);
        try (RawConnection connection = RawConnection.open(broker.address())) {
            Uuid topicId =
                    Clients.get(clients.admin().describeTopics(List.of(topic)).allTopicNames())
                            .values()
                            .iterator()
                            .next()
                            .topicId();
            for (int from = 0; from < GROUPS; from += PIPELINE) {
                for (int i = from; i < from + PIPELINE; i++) {
                    connection.send(commit(prefix + "-" + i, topicId, i));
                }
                for (int i = from; i < from + PIPELINE; i++) {
                    assertThat(connection.receive(OffsetCommitResponse.class).errorCounts())
                            .containsOnlyKeys(Errors.NONE);
                }
            }
        }
        assertThat(groupsWith(prefix)).isEqualTo(GROUPS);

        broker.kill();
        broker.start();

        awaitCoordinator(prefix);
        Await.until("all groups are there again", () -> groupsWith(prefix) == GROUPS);
        for (int i : new int[] {0, 1, 4_711, GROUPS - 1}) {
            assertThat(
                            Clients.get(
                                            clients.admin()
                                                    .listConsumerGroupOffsets(prefix + "-" + i)
                                                    .partitionsToOffsetAndMetadata())
                                    .values())
                    .singleElement()
                    .satisfies(offset -> assertThat(offset.offset()).isEqualTo(i));
        }
    }

    private long groupsWith(String prefix) {
        return Clients.get(clients.admin().listGroups(new ListGroupsOptions()).all()).stream()
                .filter(listing -> listing.groupId().startsWith(prefix))
                .count();
    }

    private static OffsetCommitRequest commit(String group, Uuid topicId, long offset) {
        return new OffsetCommitRequest(
                new OffsetCommitRequestData()
                        .setGroupId(group)
                        .setTopics(
                                List.of(
                                        new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                                .setTopicId(topicId)
                                                .setPartitions(
                                                        List.of(
                                                                new OffsetCommitRequestData
                                                                                .OffsetCommitRequestPartition()
                                                                        .setPartitionIndex(0)
                                                                        .setCommittedOffset(
                                                                                offset))))),
                ApiKeys.OFFSET_COMMIT.latestVersion());
    }

    /// A first look-up of a group's coordinator makes the internal topic; requests sent by hand do
    /// not repeat themselves, so every partition of it is asked for by a client that does.
    private void awaitCoordinator(String group) {
        for (int i = 0; i < 100; i++) {
            Clients.get(
                    clients.admin()
                            .listConsumerGroupOffsets(group + i)
                            .partitionsToOffsetAndMetadata());
        }
    }
}

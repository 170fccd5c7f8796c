package dev.ottla.broker.server;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ConsumerGroupDescribeRequest;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse;
import dev.ottla.wire.message.ConsumerGroupDescribeResponse.DescribedGroup;
import dev.ottla.wire.message.ConsumerGroupHeartbeatRequest;
import dev.ottla.wire.message.ConsumerGroupHeartbeatResponse;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.FindCoordinatorResponse;
import dev.ottla.wire.message.JoinGroupRequest;
import dev.ottla.wire.message.JoinGroupRequest.JoinGroupRequestProtocol;
import dev.ottla.wire.message.JoinGroupResponse;
import dev.ottla.wire.message.OffsetCommitRequest;
import dev.ottla.wire.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import dev.ottla.wire.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import dev.ottla.wire.message.OffsetCommitResponse;
import dev.ottla.wire.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/// Requests of group members, each asked again while the coordinator is not ready.
final class GroupClient implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final Set<ErrorCode> NOT_READY =
            Set.of(
                    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
                    ErrorCode.COORDINATOR_NOT_AVAILABLE,
                    ErrorCode.NOT_COORDINATOR);

    private final BrokerClient client;

    /// The topic that members subscribe to need not exist.
    static final String TOPIC = "read";

    private interface Question<T> {
        T ask() throws IOException;
    }

    GroupClient(TestBroker broker) throws IOException {
        client = new BrokerClient(broker);
        find("any");
    }

    BrokerClient client() {
        return client;
    }

    /// Makes the topic of the coordinators.
    private void find(String group) throws IOException {
        FindCoordinatorRequest request =
                FindCoordinatorRequest.builder().coordinatorKeys(List.of(group)).build();
        untilReady(
                () -> client.ask(FindCoordinatorResponse.class, request, 4),
                found -> found.coordinators().getFirst().errorCode());
    }

    /// A first request without a member id, as old clients made it: one is enough.
    JoinGroupResponse join(String group, int sessionTimeoutMs) throws IOException {
        JoinGroupRequestProtocol protocol =
                JoinGroupRequestProtocol.builder()
                        .name("range")
                        .metadata(ByteBuffer.wrap(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
                        .build();
        JoinGroupRequest request =
                JoinGroupRequest.builder()
                        .groupId(group)
                        .memberId("")
                        .sessionTimeoutMs(sessionTimeoutMs)
                        .rebalanceTimeoutMs(60_000)
                        .protocolType("consumer")
                        .protocols(List.of(protocol))
                        .build();
        return untilReady(
                () -> client.ask(JoinGroupResponse.class, request, 3),
                JoinGroupResponse::errorCode);
    }

    static ConsumerGroupHeartbeatRequest.Builder joining(String group, String member) {
        return ConsumerGroupHeartbeatRequest.builder()
                .groupId(group)
                .memberId(member)
                .memberEpoch(0)
                .rebalanceTimeoutMs(60_000)
                .subscribedTopicNames(List.of(TOPIC))
                .topicPartitions(List.of());
    }

    ConsumerGroupHeartbeatResponse heartbeat(ConsumerGroupHeartbeatRequest.Builder request)
            throws IOException {
        ConsumerGroupHeartbeatRequest built = request.build();
        return untilReady(
                () -> client.ask(ConsumerGroupHeartbeatResponse.class, built, 1),
                ConsumerGroupHeartbeatResponse::errorCode);
    }

    ConsumerGroupHeartbeatResponse join(String group, String member) throws IOException {
        return heartbeat(joining(group, member));
    }

    /// A member that has nothing to say.
    ConsumerGroupHeartbeatResponse stay(String group, String member, int epoch) throws IOException {
        return heartbeat(
                ConsumerGroupHeartbeatRequest.builder()
                        .groupId(group)
                        .memberId(member)
                        .memberEpoch(epoch));
    }

    DescribedGroup describe(String group) throws IOException {
        ConsumerGroupDescribeRequest request =
                ConsumerGroupDescribeRequest.builder().groupIds(List.of(group)).build();
        return untilReady(
                        () -> client.ask(ConsumerGroupDescribeResponse.class, request, 1),
                        answer -> answer.groups().getFirst().errorCode())
                .groups()
                .getFirst();
    }

    /// A commit of somebody who is no member.
    static OffsetCommitRequest commitment(
            String group, String topic, int partitions, String metadata) {
        return OffsetCommitRequest.builder()
                .groupId(group)
                .generationIdOrMemberEpoch(-1)
                .memberId("")
                .topics(
                        List.of(
                                OffsetCommitRequestTopic.builder()
                                        .name(topic)
                                        .partitions(
                                                IntStream.range(0, partitions)
                                                        .mapToObj(number ->
                                                                OffsetCommitRequestPartition
                                                                        .builder()
                                                                        .partitionIndex(number)
                                                                        .committedOffset(1)
                                                                        .committedMetadata(metadata)
                                                                        .build())
                                                        .toList())
                                        .build()))
                .build();
    }

    /// Error of the first partition.
    ErrorCode commit(OffsetCommitRequest request) throws IOException {
        return code(
                error(
                        untilReady(
                                () -> client.ask(OffsetCommitResponse.class, request, 8),
                                GroupClient::error)));
    }

    /// The same, asked once.
    ErrorCode tryCommit(OffsetCommitRequest request) throws IOException {
        return code(error(client.ask(OffsetCommitResponse.class, request, 8)));
    }

    static ErrorCode code(int number) {
        return ErrorCode.forCode(number).orElseThrow();
    }

    private static short error(OffsetCommitResponse response) {
        OffsetCommitResponsePartition first = response.topics().getFirst().partitions().getFirst();
        return first.errorCode();
    }

    private static <T> T untilReady(Question<T> question, ToIntFunction<T> error)
            throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (true) {
            T answer = question.ask();
            ErrorCode code = code(error.applyAsInt(answer));
            if (!NOT_READY.contains(code) || System.nanoTime() > deadlineNs) return answer;
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}

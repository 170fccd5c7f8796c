package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.network.RawClient;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.HeartbeatRequest;
import dev.ottla.wire.message.HeartbeatResponse;
import dev.ottla.wire.message.JoinGroupRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients see of a broker that stops, whose shard shares the network loop's thread, or whose
/// shards have their own.
@Timeout(60)
@ParameterizedClass
@ValueSource(strings = {"1", "2"})
class StopTest {
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    @Parameter String shards = "";

    @Test
    void fetchThatWaitsForRecordsIsAnsweredAndKeepsNobodyWaiting() throws IOException {
        try (TestBroker broker = new TestBroker(settings());
                RawClient client = new RawClient(broker.address())) {
            client.send(
                    CreateTopicsRequest.builder()
                            .topics(
                                    List.of(
                                            CreateTopicsRequest.CreatableTopic.builder()
                                                    .name("t")
                                                    .numPartitions(1)
                                                    .replicationFactor((short) 1)
                                                    .build()))
                            .timeoutMs(10_000)
                            .build(),
                    7,
                    1);
            client.receive(ApiKey.CREATE_TOPICS, 7, 1);
            sendAndSeeRead(client, fetch(), 12);

            assertThat(stopMs(broker)).isLessThan(DEADLINE.toMillis());

            FetchResponse answer = (FetchResponse) client.receive(ApiKey.FETCH, 12, 3);
            FetchResponse.PartitionData partition =
                    answer.responses().getFirst().partitions().getFirst();
            assertThat(partition.errorCode()).isZero();
            assertThat(client.isClosedByBroker()).isTrue();
        }
    }

    @Test
    void memberWhoWaitsForOthersKeepsNobodyWaiting() throws IOException {
        try (TestBroker broker = new TestBroker(settings());
                RawClient client = new RawClient(broker.address())) {
            awaitCoordinator(client);
            sendAndSeeRead(client, join(), 3);

            assertThat(stopMs(broker)).isLessThan(DEADLINE.toMillis());

            assertThat(client.isClosedByBroker()).isTrue();
        }
    }

    private Map<String, String> settings() {
        return Map.of(
                "group.initial.rebalance.delay.ms", "60000",
                "num.network.threads", "1",
                "num.shards", shards);
    }

    private static void awaitCoordinator(RawClient client) throws IOException {
        short error = 0;
        while (error != ErrorCode.UNKNOWN_MEMBER_ID.code()) {
            client.send(FindCoordinatorRequest.builder().key("g").build(), 0, 1);
            client.receive(ApiKey.FIND_COORDINATOR, 0, 1);
            client.send(HeartbeatRequest.builder().groupId("g").memberId("m").build(), 0, 1);
            error = ((HeartbeatResponse) client.receive(ApiKey.HEARTBEAT, 0, 1)).errorCode();
        }
    }

    /// Both requests are in one segment: when the first is answered, the second was read too.
    private static void sendAndSeeRead(RawClient client, ApiMessage request, int version)
            throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(RawClient.frame(ApiVersionsRequest.builder().build(), 0, 2));
        both.writeBytes(RawClient.frame(request, version, 3));
        client.send(both.toByteArray());
        client.receive(ApiKey.API_VERSIONS, 0, 2);
    }

    private static long stopMs(TestBroker broker) {
        long startNs = System.nanoTime();
        broker.server().close();
        return Duration.ofNanos(System.nanoTime() - startNs).toMillis();
    }

    private static FetchRequest fetch() {
        return FetchRequest.builder()
                .maxWaitMs(60_000)
                .minBytes(1_000)
                .maxBytes(1_000_000)
                .sessionEpoch(-1)
                .topics(
                        List.of(
                                FetchRequest.FetchTopic.builder()
                                        .topic("t")
                                        .partitions(
                                                List.of(
                                                        FetchRequest.FetchPartition.builder()
                                                                .partition(0)
                                                                .partitionMaxBytes(1_000_000)
                                                                .build()))
                                        .build()))
                .build();
    }

    private static JoinGroupRequest join() {
        return JoinGroupRequest.builder()
                .groupId("g")
                .sessionTimeoutMs(30_000)
                .rebalanceTimeoutMs(60_000)
                .protocolType("consumer")
                .protocols(
                        List.of(
                                JoinGroupRequest.JoinGroupRequestProtocol.builder()
                                        .name("range")
                                        .metadata(ByteBuffer.allocate(4))
                                        .build()))
                .build();
    }
}

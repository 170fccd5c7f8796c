package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.network.RawClient;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsResponse;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.FindCoordinatorResponse;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Names as long as the protocol allows are answered, though answers repeat them.
@Timeout(60)
class LongNamesTest {
    private static final String LONG = "x".repeat(32_767);
    private static TestBroker broker;

    @BeforeAll
    static void start() {
        broker = new TestBroker(Map.of("metrics.port", "0"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void longNamesAreAnsweredAndCountAsErrors() throws Exception {
        try (RawClient client = new RawClient(broker.address())) {
            client.send(creation(LONG), 5, 1);
            CreateTopicsResponse created =
                    (CreateTopicsResponse) client.receive(ApiKey.CREATE_TOPICS, 5, 1);
            assertThat(created.topics().getFirst().name()).isEqualTo(LONG);
            assertThat(created.topics().getFirst().errorCode())
                    .isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION.code());
            assertThat(created.topics().getFirst().errorMessage()).hasSizeLessThan(3_000);

            client.send(metadata(LONG), 12, 2);
            MetadataResponse described = (MetadataResponse) client.receive(ApiKey.METADATA, 12, 2);
            assertThat(described.topics().getFirst().errorCode())
                    .isEqualTo(ErrorCode.INVALID_TOPIC_EXCEPTION.code());

            client.send(
                    FindCoordinatorRequest.builder()
                            .keyType((byte) 1)
                            .coordinatorKeys(List.of(LONG))
                            .build(),
                    4,
                    3);
            FindCoordinatorResponse found =
                    (FindCoordinatorResponse) client.receive(ApiKey.FIND_COORDINATOR, 4, 3);
            assertThat(found.coordinators().getFirst().errorCode())
                    .isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());

            MetricsPage page = MetricsPage.of(broker);
            for (String api : List.of("CreateTopics", "FindCoordinator", "Metadata")) {
                assertThat(page.value("ottla_request_errors_total{api=\"" + api + "\"}"))
                        .as(api)
                        .isEqualTo(1);
            }
            assertThat(page.value("ottla_request_errors_total{api=\"ApiVersions\"}")).isZero();
        }
    }

    /// As text they would be three times as long.
    @Test
    void bytesThatAreNoTextCloseTheConnection() throws IOException {
        byte[] frame = RawClient.frame(metadata("x".repeat(20_000)), 12, 1);
        Arrays.fill(frame, frame.length - 15_000, frame.length - 10, (byte) 0xff);

        try (RawClient client = new RawClient(broker.address())) {
            client.send(frame);
            assertThat(client.isClosedByBroker()).isTrue();
        }
    }

    private static MetadataRequest metadata(String topic) {
        return MetadataRequest.builder()
                .topics(List.of(MetadataRequest.MetadataRequestTopic.builder().name(topic).build()))
                .build();
    }

    private static CreateTopicsRequest creation(String topic) {
        return CreateTopicsRequest.builder()
                .topics(
                        List.of(
                                CreateTopicsRequest.CreatableTopic.builder()
                                        .name(topic)
                                        .numPartitions(1)
                                        .replicationFactor((short) 1)
                                        .build()))
                .timeoutMs(10_000)
                .build();
    }
}

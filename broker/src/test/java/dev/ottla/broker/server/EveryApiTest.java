package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ottla.broker.network.RawClient;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.RandomRequests;
import dev.ottla.wire.WireReader;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.ApiVersionsResponse;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.DescribeClusterRequest;
import dev.ottla.wire.message.DescribeConfigsRequest;
import dev.ottla.wire.message.DescribeLogDirsRequest;
import dev.ottla.wire.message.DescribeQuorumRequest;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.InitProducerIdRequest;
import dev.ottla.wire.message.ListGroupsRequest;
import dev.ottla.wire.message.ListOffsetsRequest;
import dev.ottla.wire.message.ListPartitionReassignmentsRequest;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.ProduceRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever a client asks, it is answered in the version it asked in, and its connection lives on.
class EveryApiTest {
    private static final int ROUNDS = Boolean.getBoolean("ottla.long") ? 10_000 : 4;

    private static TestBroker broker;

    @BeforeAll
    static void start() throws IOException {
        broker = new TestBroker(Map.of("group.initial.rebalance.delay.ms", "0"));
        try (RawClient client = new RawClient(broker.address())) {
            client.send(
                    CreateTopicsRequest.builder()
                            .topics(
                                    List.of(
                                            CreateTopicsRequest.CreatableTopic.builder()
                                                    .name("orders")
                                                    .numPartitions(2)
                                                    .replicationFactor((short) 1)
                                                    .build()))
                            .timeoutMs(10_000)
                            .build(),
                    7,
                    1);
            client.receive(ApiKey.CREATE_TOPICS, 7, 1);
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    static Stream<ApiVersionsResponse.ApiVersion> advertised() throws IOException {
        if (broker == null) {
            start();
        }
        try (RawClient client = new RawClient(broker.address())) {
            client.send(ApiVersionsRequest.builder().build(), 0, 1);
            ApiVersionsResponse response =
                    (ApiVersionsResponse) client.receive(ApiKey.API_VERSIONS, 0, 1);
            return response.apiKeys().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("advertised")
    void randomRequestsAreAnsweredInEveryVersion(ApiVersionsResponse.ApiVersion range)
            throws IOException {
        ApiKey api = ApiKey.forId(range.apiKey()).orElseThrow();
        String given = System.getProperty("ottla.seed", "");
        long seed = given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
        System.out.println(api + ": -Dottla.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        short oldest = (short) Math.max(range.minVersion(), api.oldestVersion());
        for (short version = oldest; version <= range.maxVersion(); version++) {
            Supplier<ByteBuffer> requests = RandomRequests.of(api, version, random);
            for (int round = 0; round < ROUNDS; round++) {
                ApiMessage request =
                        bounded(api.readRequest(new WireReader(requests.get()), version));
                assertAnswered(api, request, version);
            }
        }
    }

    /// Random ones are refused as a rule; what is answered in full may not fit an old version.
    @ParameterizedTest
    @MethodSource("askedForWhatThereIs")
    void whatIsThereIsToldInEveryVersion(ApiVersionsResponse.ApiVersion range) throws IOException {
        ApiKey api = ApiKey.forId(range.apiKey()).orElseThrow();
        ApiMessage request = sensible(api).orElseThrow();
        short oldest = (short) Math.max(range.minVersion(), api.oldestVersion());
        for (short version = oldest; version <= range.maxVersion(); version++) {
            assertAnswered(api, request, version);
        }
    }

    static Stream<ApiVersionsResponse.ApiVersion> askedForWhatThereIs() throws IOException {
        return advertised()
                .filter(range -> sensible(ApiKey.forId(range.apiKey()).orElseThrow()).isPresent());
    }

    /// A request that is answered with what the broker has.
    private static Optional<ApiMessage> sensible(ApiKey api) {
        return Optional.ofNullable(
                switch (api) {
                    case DESCRIBE_QUORUM ->
                            DescribeQuorumRequest.builder()
                                    .topics(
                                            List.of(
                                                    DescribeQuorumRequest.TopicData.builder()
                                                            .topicName("__cluster_metadata")
                                                            .partitions(
                                                                    List.of(
                                                                            DescribeQuorumRequest
                                                                                    .PartitionData
                                                                                    .builder()
                                                                                    .build()))
                                                            .build()))
                                    .build();
                    case METADATA ->
                            MetadataRequest.builder()
                                    .topics(
                                            List.of(
                                                    MetadataRequest.MetadataRequestTopic.builder()
                                                            .name("orders")
                                                            .build()))
                                    .build();
                    case DESCRIBE_CLUSTER -> DescribeClusterRequest.builder().build();
                    case DESCRIBE_CONFIGS ->
                            DescribeConfigsRequest.builder()
                                    .resources(
                                            List.of(
                                                    DescribeConfigsRequest.DescribeConfigsResource
                                                            .builder()
                                                            .resourceType((byte) 2)
                                                            .resourceName("orders")
                                                            .build()))
                                    .build();
                    case DESCRIBE_LOG_DIRS -> DescribeLogDirsRequest.builder().build();
                    case LIST_GROUPS -> ListGroupsRequest.builder().build();
                    case LIST_PARTITION_REASSIGNMENTS ->
                            ListPartitionReassignmentsRequest.builder().timeoutMs(1_000).build();
                    case INIT_PRODUCER_ID -> InitProducerIdRequest.builder().build();
                    case LIST_OFFSETS ->
                            ListOffsetsRequest.builder()
                                    .replicaId(-1)
                                    .topics(
                                            List.of(
                                                    ListOffsetsRequest.ListOffsetsTopic.builder()
                                                            .name("orders")
                                                            .partitions(
                                                                    List.of(
                                                                            ListOffsetsRequest
                                                                                    .ListOffsetsPartition
                                                                                    .builder()
                                                                                    .timestamp(-1)
                                                                                    .build()))
                                                            .build()))
                                    .build();
                    default -> null;
                });
    }

    private static void assertAnswered(ApiKey api, ApiMessage request, short version)
            throws IOException {
        try (RawClient client = new RawClient(broker.address())) {
            client.send(request, version, 1);
            client.send(ApiVersionsRequest.builder().build(), 0, 2);

            assertThatCode(() -> client.receive(api, version, 1))
                    .as("%s version %d: %s", api, version, request)
                    .doesNotThrowAnyException();
            assertThat(client.receive(ApiKey.API_VERSIONS, 0, 2))
                    .isInstanceOf(ApiVersionsResponse.class);
        }
    }

    /// The same without what makes a broker wait long or not answer at all, as it should.
    private static ApiMessage bounded(ApiMessage request) {
        return switch (request) {
            case FetchRequest fetch -> fetch.toBuilder().maxWaitMs(0).build();
            case ProduceRequest produce ->
                    produce.toBuilder().acks((short) -1).timeoutMs(1_000).build();
            default -> request;
        };
    }
}

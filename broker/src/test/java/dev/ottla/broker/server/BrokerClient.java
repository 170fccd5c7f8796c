package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.network.RawClient;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.ApiVersionsResponse;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsRequest.CreatableTopic;
import dev.ottla.wire.message.CreateTopicsResponse;
import dev.ottla.wire.message.CreateTopicsResponse.CreatableTopicResult;
import dev.ottla.wire.message.DescribeConfigsRequest;
import dev.ottla.wire.message.DescribeConfigsResponse;
import dev.ottla.wire.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterableConfig;
import dev.ottla.wire.message.IncrementalAlterConfigsResponse;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataResponse;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceRequest.PartitionProduceData;
import dev.ottla.wire.message.ProduceRequest.TopicProduceData;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/// One connection to a broker and the requests that tests of settings make of it.
final class BrokerClient implements AutoCloseable {
    private static final byte SET = 0;
    static final String CLUSTER = "";

    private final RawClient raw;
    private int correlationId;

    BrokerClient(TestBroker broker) throws IOException {
        this(broker.address());
    }

    BrokerClient(InetSocketAddress address) throws IOException {
        raw = new RawClient(address);
    }

    RawClient raw() {
        return raw;
    }

    <T extends ApiMessage> T ask(Class<T> answer, ApiMessage request, int version)
            throws IOException {
        ApiKey api = ApiKey.forId(request.apiKey()).orElseThrow();
        raw.send(request, version, ++correlationId);
        return answer.cast(raw.receive(api, version, correlationId));
    }

    /// Whether a request that concerns nobody but the network is answered in time.
    boolean isAnswered() throws IOException {
        try {
            ask(ApiVersionsResponse.class, ApiVersionsRequest.builder().build(), 0);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    MetadataResponse metadata(String... topics) throws IOException {
        MetadataRequest request =
                MetadataRequest.builder()
                        .topics(
                                List.of(topics).stream()
                                        .map(name ->
                                                MetadataRequest.MetadataRequestTopic.builder()
                                                        .name(name)
                                                        .build())
                                        .toList())
                        .build();
        return ask(MetadataResponse.class, request, 12);
    }

    void create(String topic, int partitions) throws IOException {
        assertThat(create(topic, partitions, 1).errorCode()).isZero();
    }

    /// -1 leaves a number to the broker.
    CreatableTopicResult create(String topic, int partitions, int replicas) throws IOException {
        CreatableTopic wanted =
                CreatableTopic.builder()
                        .name(topic)
                        .numPartitions(partitions)
                        .replicationFactor((short) replicas)
                        .build();
        return ask(
                        CreateTopicsResponse.class,
                        CreateTopicsRequest.builder()
                                .topics(List.of(wanted))
                                .timeoutMs(10_000)
                                .build(),
                        7)
                .topics()
                .getFirst();
    }

    /// Sets one key and returns once it is in force.
    void set(ConfigResource.Type type, String name, String key, String value) throws IOException {
        assertThat(trySet(type, name, Map.of(key, value))).isEqualTo(ErrorCode.NONE);
    }

    ErrorCode trySet(ConfigResource.Type type, String name, Map<String, String> settings)
            throws IOException {
        AlterConfigsResource resource =
                AlterConfigsResource.builder()
                        .resourceType(type.id())
                        .resourceName(name)
                        .configs(
                                settings.entrySet().stream()
                                        .map(each ->
                                                AlterableConfig.builder()
                                                        .name(each.getKey())
                                                        .configOperation(SET)
                                                        .value(each.getValue())
                                                        .build())
                                        .toList())
                        .build();
        return GroupClient.code(
                ask(
                                IncrementalAlterConfigsResponse.class,
                                IncrementalAlterConfigsRequest.builder()
                                        .resources(List.of(resource))
                                        .build(),
                                1)
                        .responses()
                        .getFirst()
                        .errorCode());
    }

    DescribeConfigsResourceResult described(ConfigResource.Type type, String name, String key)
            throws IOException {
        DescribeConfigsRequest request =
                DescribeConfigsRequest.builder()
                        .resources(
                                List.of(
                                        DescribeConfigsRequest.DescribeConfigsResource.builder()
                                                .resourceType(type.id())
                                                .resourceName(name)
                                                .configurationKeys(List.of(key))
                                                .build()))
                        .build();
        return ask(DescribeConfigsResponse.class, request, 4)
                .results()
                .getFirst()
                .configs()
                .getFirst();
    }

    static ProduceRequest produce(String topic, int partition, int valueBytes) {
        ByteBuffer batch =
                new BatchBuilder().append(1, null, ByteBuffer.allocate(valueBytes)).build();
        PartitionProduceData data =
                PartitionProduceData.builder()
                        .index(partition)
                        .records(new BufferRecords(batch))
                        .build();
        return ProduceRequest.builder()
                .acks((short) -1)
                .timeoutMs(10_000)
                .topicData(
                        List.of(
                                TopicProduceData.builder()
                                        .name(topic)
                                        .partitionData(List.of(data))
                                        .build()))
                .build();
    }

    @Override
    public void close() throws IOException {
        raw.close();
    }
}

package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.ApiVersionsResponse;
import dev.ottla.wire.message.DeleteTopicsRequest;
import dev.ottla.wire.message.DeleteTopicsResponse;
import dev.ottla.wire.message.DescribeTopicPartitionsRequest;
import dev.ottla.wire.message.DescribeTopicPartitionsRequest.TopicRequest;
import dev.ottla.wire.message.DescribeTopicPartitionsResponse;
import dev.ottla.wire.message.MetadataResponse;
import dev.ottla.wire.message.ProduceResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A broker that was given other values than the defaults for what a node is and does.
@Timeout(60)
final class NodeKeysTest {
    private static TestBroker broker;
    private BrokerClient client;

    @BeforeAll
    static void start() {
        broker =
                new TestBroker(
                        Map.ofEntries(
                                Map.entry("node.id", "7"),
                                Map.entry("broker.rack", "north"),
                                Map.entry("auto.create.topics.enable", "false"),
                                Map.entry("delete.topic.enable", "false"),
                                Map.entry("num.partitions", "3"),
                                Map.entry("default.replication.factor", "2"),
                                Map.entry("max.request.partition.size.limit", "2"),
                                Map.entry("unstable.api.versions.enable", "true"),
                                Map.entry("num.shards", "5"),
                                Map.entry("num.io.threads.per.data.dir", "4")));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = new BrokerClient(broker);
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
    }

    @Test
    @Tag("config:node.id")
    void nodeIsKnownByItsId() throws IOException {
        assertThat(client.metadata().brokers().getFirst().nodeId()).isEqualTo(7);
        assertThat(shown(client, 7, "node.id")).isEqualTo("7");
        assertThat(shown(client, 7, "broker.id")).isEqualTo("7");
    }

    @Test
    @Tag("config:broker.id")
    void olderSpellingOfTheIdIsTaken() throws IOException {
        try (TestBroker older = new TestBroker(Map.of("broker.id", "12"));
                BrokerClient its = new BrokerClient(older)) {
            assertThat(its.metadata().brokers().getFirst().nodeId()).isEqualTo(12);
            assertThat(shown(its, 12, "node.id")).isEqualTo("12");
        }
    }

    @Test
    void idThatNobodyChoseIsShown() throws IOException {
        try (TestBroker other = new TestBroker();
                BrokerClient its = new BrokerClient(other)) {
            int id = its.metadata().brokers().getFirst().nodeId();

            assertThat(shown(its, id, "node.id")).isEqualTo(Integer.toString(id));
        }
    }

    private static String shown(BrokerClient client, int id, String key) throws IOException {
        return String.valueOf(
                client.described(ConfigResource.Type.BROKER, Integer.toString(id), key).value());
    }

    @Test
    @Tag("config:broker.rack")
    void rackIsShownToClients() throws IOException {
        assertThat(client.metadata().brokers().getFirst().rack()).isEqualTo("north");
    }

    @Test
    @Tag("config:auto.create.topics.enable")
    void unknownTopicIsNotCreatedWhenThatIsSwitchedOff() throws IOException {
        MetadataResponse answer = client.metadata("unheard-of");

        assertThat(GroupClient.code(answer.topics().getFirst().errorCode()))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        try (TestBroker other = new TestBroker(Map.of("auto.create.topics.enable", "true"));
                BrokerClient its = new BrokerClient(other)) {
            its.metadata("unheard-of");
            assertThat(its.metadata("unheard-of").topics().getFirst().errorCode()).isZero();
        }
    }

    @Test
    @Tag("config:delete.topic.enable")
    void topicIsNotDeletedWhenThatIsSwitchedOff() throws IOException {
        client.create("lasting", 1);
        DeleteTopicsRequest request =
                DeleteTopicsRequest.builder()
                        .topicNames(List.of("lasting"))
                        .timeoutMs(10_000)
                        .build();

        DeleteTopicsResponse answer = client.ask(DeleteTopicsResponse.class, request, 5);

        assertThat(GroupClient.code(answer.responses().getFirst().errorCode()))
                .isEqualTo(ErrorCode.TOPIC_DELETION_DISABLED);
    }

    @Test
    @Tag("config:num.partitions")
    void topicGetsTheDefaultNumberOfPartitions() throws IOException {
        assertThat(client.create("default-partitions", -1, 1).numPartitions()).isEqualTo(3);
    }

    /// One broker cannot hold two replicas.
    @Test
    @Tag("config:default.replication.factor")
    void topicGetsTheDefaultNumberOfReplicas() throws IOException {
        assertThat(GroupClient.code(client.create("default-replicas", 1, -1).errorCode()))
                .isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
    }

    @Test
    @Tag("config:max.request.partition.size.limit")
    void descriptionOfPartitionsComesInPages() throws IOException {
        client.create("paged", 3);
        DescribeTopicPartitionsRequest request =
                DescribeTopicPartitionsRequest.builder()
                        .topics(List.of(TopicRequest.builder().name("paged").build()))
                        .responsePartitionLimit(100)
                        .build();

        DescribeTopicPartitionsResponse answer =
                client.ask(DescribeTopicPartitionsResponse.class, request, 0);

        assertThat(answer.topics().getFirst().partitions()).hasSize(2);
        assertThat(answer.nextCursor()).isNotNull();
    }

    @Test
    @Tag("config:unstable.api.versions.enable")
    void unstableVersionsAreOfferedWhenAskedFor() throws IOException {
        try (TestBroker other = new TestBroker();
                BrokerClient its = new BrokerClient(other)) {
            assertThat(latestVersion(its)).isEqualTo(ApiKey.INIT_PRODUCER_ID.latestVersion(false));
        }
        assertThat(latestVersion(client)).isEqualTo(ApiKey.INIT_PRODUCER_ID.latestVersion(true));
        assertThat(ApiKey.INIT_PRODUCER_ID.latestVersionUnstable()).isTrue();
    }

    /// Of InitProducerId, the API whose latest version Kafka 4.4 still marks unstable.
    private static short latestVersion(BrokerClient client) throws IOException {
        ApiVersionsRequest request =
                ApiVersionsRequest.builder()
                        .clientSoftwareName("probe")
                        .clientSoftwareVersion("1")
                        .build();
        return client.ask(ApiVersionsResponse.class, request, 3).apiKeys().stream()
                .filter(api -> api.apiKey() == ApiKey.INIT_PRODUCER_ID.id())
                .findFirst()
                .orElseThrow()
                .maxVersion();
    }

    @Test
    @Tag("config:num.shards")
    void partitionsAreSpreadOverAsManyShards() throws Exception {
        Await.until("five shards", () -> LiveThreads.count("shard-\\d+") == 5);
    }

    @Test
    @Tag("config:num.io.threads.per.data.dir")
    void directoryHasAsManyThreads() throws Exception {
        client.create("written", 8);
        for (int partition = 0; partition < 8; partition++) {
            client.ask(ProduceResponse.class, BrokerClient.produce("written", partition, 10), 9);
        }

        Await.until("four threads", () -> LiveThreads.count("io-data") == 4);
    }
}

package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.RecordsPayload;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.ApiVersionsResponse;
import dev.ottla.wire.message.DescribeQuorumRequest;
import dev.ottla.wire.message.DescribeQuorumResponse;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.FetchSnapshotRequest;
import dev.ottla.wire.message.FetchSnapshotResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What the active controller hands to nodes that copy its metadata, over a socket.
class MetadataCopyTest {
    private static final int FETCH_VERSION = 17;
    private static final int NODE = 7;
    private static final Uuid DIRECTORY = new Uuid(1, 2);

    private static TestBroker broker;

    @BeforeAll
    static void start() {
        broker = new TestBroker();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static FetchRequest.Builder fetch(int replicaId, long offset, int epoch, int waitMs) {
        FetchRequest.FetchPartition partition =
                FetchRequest.FetchPartition.builder()
                        .fetchOffset(offset)
                        .lastFetchedEpoch(epoch)
                        .partitionMaxBytes(1 << 20)
                        .replicaDirectoryId(DIRECTORY)
                        .build();
        return FetchRequest.builder()
                .replicaState(FetchRequest.ReplicaState.builder().replicaId(replicaId).build())
                .maxWaitMs(waitMs)
                .minBytes(1)
                .topics(
                        List.of(
                                FetchRequest.FetchTopic.builder()
                                        .topicId(Uuid.ONE)
                                        .partitions(List.of(partition))
                                        .build()));
    }

    private static FetchResponse ask(FetchRequest request) throws IOException {
        try (BrokerClient client = new BrokerClient(broker)) {
            return client.ask(FetchResponse.class, request, FETCH_VERSION);
        }
    }

    private static FetchResponse.PartitionData data(FetchResponse response) {
        assertThat(response.errorCode()).isZero();
        return response.responses().getFirst().partitions().getFirst();
    }

    private static RecordBatch first(FetchResponse.PartitionData data) {
        if (data.records() instanceof BufferRecords(ByteBuffer bytes)) {
            return RecordBatches.in(bytes).iterator().next();
        }
        throw new AssertionError("no records: " + data);
    }

    private static long end() throws IOException {
        return data(ask(fetch(NODE, 0, 0, 0).build())).highWatermark();
    }

    @Test
    void theLogIsReadFromItsBeginning() throws IOException {
        FetchResponse.PartitionData data = data(ask(fetch(NODE, 0, 0, 0).build()));

        assertThat(data.errorCode()).isZero();
        assertThat(data.currentLeader().leaderId()).isEqualTo(1);
        assertThat(data.highWatermark()).isPositive();
        assertThat(first(data).baseOffset()).isZero();
    }

    @Test
    void whoHasEverythingWaitsForTheNextChange() throws IOException {
        long end = end();
        FetchRequest question = fetch(NODE, end, 1, 10_000).build();
        try (BrokerClient copying = new BrokerClient(broker);
                BrokerClient client = new BrokerClient(broker)) {
            copying.raw().send(question, FETCH_VERSION, 1);

            client.create("waited-for", 1);

            FetchResponse answer =
                    (FetchResponse) copying.raw().receive(ApiKey.FETCH, FETCH_VERSION, 1);
            assertThat(first(data(answer)).baseOffset()).isEqualTo(end);
        }
    }

    @Test
    void theWaitEndsWithItsTime() throws IOException {
        FetchResponse.PartitionData data = data(ask(fetch(NODE, end(), 1, 50).build()));

        assertThat(data.errorCode()).isZero();
        RecordsPayload records = data.records();
        assertThat(records == null ? 0 : records.sizeBytes()).isZero();
    }

    @Test
    void whoHasMoreIsTold() throws IOException {
        FetchResponse.PartitionData data = data(ask(fetch(NODE, end() + 5, 1, 0).build()));

        assertThat(data.errorCode()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE.code());
    }

    @Test
    void anotherHistoryIsTold() throws IOException {
        broker.restart();
        broker.restart();

        FetchResponse.PartitionData data = data(ask(fetch(NODE, end(), 1, 0).build()));

        assertThat(data.errorCode()).isZero();
        assertThat(data.divergingEpoch().epoch()).isEqualTo(1);
        assertThat(data.divergingEpoch().endOffset()).isPositive().isLessThan(end());
    }

    @Test
    void aNodeOfAnotherClusterIsRefused() throws IOException {
        FetchRequest request = fetch(NODE, 0, 0, 0).clusterId("somebody-else").build();

        assertThat(ask(request).errorCode()).isEqualTo(ErrorCode.INCONSISTENT_CLUSTER_ID.code());
    }

    @Test
    void aConsumerDoesNotReadIt() throws IOException {
        FetchResponse.PartitionData data = data(ask(fetch(-1, 0, 0, 0).build()));

        assertThat(data.errorCode()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_ID.code());
    }

    @Test
    void aSnapshotThatIsNotThereIsNotFound() throws IOException {
        FetchSnapshotRequest.PartitionSnapshot wanted =
                FetchSnapshotRequest.PartitionSnapshot.builder()
                        .currentLeaderEpoch(-1)
                        .snapshotId(
                                FetchSnapshotRequest.SnapshotId.builder()
                                        .endOffset(12_345)
                                        .epoch(6)
                                        .build())
                        .build();
        FetchSnapshotRequest request =
                FetchSnapshotRequest.builder()
                        .replicaId(NODE)
                        .topics(
                                List.of(
                                        FetchSnapshotRequest.TopicSnapshot.builder()
                                                .name("__cluster_metadata")
                                                .partitions(List.of(wanted))
                                                .build()))
                        .build();
        try (BrokerClient client = new BrokerClient(broker)) {
            FetchSnapshotResponse answer = client.ask(FetchSnapshotResponse.class, request, 1);

            assertThat(answer.topics().getFirst().partitions().getFirst().errorCode())
                    .isEqualTo(ErrorCode.SNAPSHOT_NOT_FOUND.code());
        }
    }

    @Test
    void whatOnlyNodesAskIsNotAdvertised() throws IOException {
        try (BrokerClient client = new BrokerClient(broker)) {
            ApiVersionsResponse answer =
                    client.ask(
                            ApiVersionsResponse.class,
                            ApiVersionsRequest.builder()
                                    .clientSoftwareName("test")
                                    .clientSoftwareVersion("1")
                                    .build(),
                            3);

            assertThat(answer.apiKeys())
                    .extracting(ApiVersionsResponse.ApiVersion::apiKey)
                    .contains(ApiKey.FETCH.id())
                    .doesNotContain(ApiKey.FETCH_SNAPSHOT.id());
        }
    }

    @Test
    void theQuorumShowsWhoCopies() throws IOException {
        long end = end();
        var _ = ask(fetch(8, end, 1, 0).build());
        DescribeQuorumRequest request =
                DescribeQuorumRequest.builder()
                        .topics(
                                List.of(
                                        DescribeQuorumRequest.TopicData.builder()
                                                .topicName("__cluster_metadata")
                                                .partitions(
                                                        List.of(
                                                                DescribeQuorumRequest.PartitionData
                                                                        .builder()
                                                                        .build()))
                                                .build()))
                        .build();
        try (BrokerClient client = new BrokerClient(broker)) {
            DescribeQuorumResponse answer = client.ask(DescribeQuorumResponse.class, request, 2);

            assertThat(answer.topics().getFirst().partitions().getFirst().observers())
                    .anySatisfy(observer -> {
                        assertThat(observer.replicaId()).isEqualTo(8);
                        assertThat(observer.replicaDirectoryId()).isEqualTo(DIRECTORY);
                        assertThat(observer.logEndOffset()).isEqualTo(end);
                        assertThat(observer.lastCaughtUpTimestamp()).isPositive();
                    });
        }
    }
}

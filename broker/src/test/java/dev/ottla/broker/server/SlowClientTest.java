package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.network.RawClient;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsResponse;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceResponse;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client that asks and asks and does not read its answers.
@Timeout(120)
class SlowClientTest {
    private static final int FETCHES = 200;
    private static final int PRODUCE_VERSION = 9;
    private static final int FETCH_VERSION = 12;

    private TestBroker broker;
    private Uuid topicId = Uuid.ZERO;

    @BeforeEach
    void start() throws IOException {
        broker =
                new TestBroker(
                        Map.of(
                                "connection.max.pending.response.bytes",
                                "4000000",
                                "socket.send.buffer.bytes",
                                "65536"));
        try (RawClient client = new RawClient(broker.address())) {
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
            CreateTopicsResponse created =
                    (CreateTopicsResponse) client.receive(ApiKey.CREATE_TOPICS, 7, 1);
            topicId = created.topics().getFirst().topicId();
            for (int i = 0; i < 20; i++) {
                produce(client, i);
            }
        }
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void takesNoMemoryAndGetsEverythingWhenItReadsAtLast() throws IOException {
        try (RawClient slow = new RawClient(broker.address());
                RawClient other = new RawClient(broker.address())) {
            Thread sender =
                    new Thread(() -> {
                        for (int i = 0; i < FETCHES; i++) {
                            try {
                                slow.send(fetch(0), FETCH_VERSION, i);
                            } catch (IOException e) {
                                return;
                            }
                        }
                    });
            sender.start();
            for (int i = 0; i < 50; i++) {
                produce(other, i);
            }
            assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory())
                    .isLessThan(200L << 20);

            for (int i = 0; i < FETCHES; i++) {
                FetchResponse answer = (FetchResponse) slow.receive(ApiKey.FETCH, FETCH_VERSION, i);
                assertThat(answer.responses().getFirst().partitions().getFirst().records())
                        .isInstanceOfSatisfying(
                                BufferRecords.class,
                                records ->
                                        assertThat(records.sizeBytes()).isGreaterThan(1_000_000));
            }
        }
    }

    private void produce(RawClient client, int correlationId) throws IOException {
        ByteBuffer batch =
                new BatchBuilder()
                        .append(System.currentTimeMillis(), null, ByteBuffer.allocate(900_000))
                        .build();
        client.send(
                ProduceRequest.builder()
                        .acks((short) -1)
                        .timeoutMs(10_000)
                        .topicData(
                                List.of(
                                        ProduceRequest.TopicProduceData.builder()
                                                .name("t")
                                                .topicId(topicId)
                                                .partitionData(
                                                        List.of(
                                                                ProduceRequest.PartitionProduceData
                                                                        .builder()
                                                                        .index(0)
                                                                        .records(
                                                                                new BufferRecords(
                                                                                        batch))
                                                                        .build()))
                                                .build()))
                        .build(),
                PRODUCE_VERSION,
                correlationId);
        ProduceResponse answer =
                (ProduceResponse) client.receive(ApiKey.PRODUCE, PRODUCE_VERSION, correlationId);
        assertThat(answer.responses().getFirst().partitionResponses().getFirst().errorCode())
                .isZero();
    }

    private static FetchRequest fetch(long offset) {
        return FetchRequest.builder()
                .maxWaitMs(1000)
                .minBytes(1)
                .maxBytes(5_000_000)
                .sessionEpoch(-1)
                .topics(
                        List.of(
                                FetchRequest.FetchTopic.builder()
                                        .topic("t")
                                        .partitions(
                                                List.of(
                                                        FetchRequest.FetchPartition.builder()
                                                                .partition(0)
                                                                .fetchOffset(offset)
                                                                .partitionMaxBytes(2_000_000)
                                                                .build()))
                                        .build()))
                .build();
    }
}

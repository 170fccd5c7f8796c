package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchRequest.FetchPartition;
import dev.ottla.wire.message.FetchRequest.FetchTopic;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.ListOffsetsRequest;
import dev.ottla.wire.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.ottla.wire.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.ottla.wire.message.ListOffsetsResponse;
import dev.ottla.wire.message.OffsetForLeaderEpochRequest;
import dev.ottla.wire.message.OffsetForLeaderEpochRequest.OffsetForLeaderPartition;
import dev.ottla.wire.message.OffsetForLeaderEpochRequest.OffsetForLeaderTopic;
import dev.ottla.wire.message.OffsetForLeaderEpochResponse;
import dev.ottla.wire.message.ProduceResponse;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the broker cannot read it does not take for absent: clients would skip records, or read
/// aborted ones.
@Timeout(60)
final class UnreadableLogTest {
    private static final byte READ_COMMITTED = 1;

    private TestBroker broker;
    private BrokerClient client;
    private Path segment;

    @BeforeEach
    void start() throws IOException {
        broker = new TestBroker();
        client = new BrokerClient(broker);
        client.create("t", 1);
        segment = broker.directory().resolve("data/t-0").resolve("00000000000000000000.log");
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    private void produce() throws IOException {
        ProduceResponse answer =
                client.ask(ProduceResponse.class, BrokerClient.produce("t", 0, 100), 12);
        assertThat(answer.responses().getFirst().partitionResponses().getFirst().errorCode())
                .isZero();
    }

    private ListOffsetsResponse.ListOffsetsPartitionResponse offsetAt(long timestamp)
            throws IOException {
        ListOffsetsTopic topic =
                ListOffsetsTopic.builder()
                        .name("t")
                        .partitions(
                                List.of(
                                        ListOffsetsPartition.builder()
                                                .timestamp(timestamp)
                                                .build()))
                        .build();
        return client.ask(
                        ListOffsetsResponse.class,
                        ListOffsetsRequest.builder().replicaId(-1).topics(List.of(topic)).build(),
                        7)
                .topics()
                .getFirst()
                .partitions()
                .getFirst();
    }

    @Test
    void aTimeInADamagedSegmentIsNoEndOfTheLog() throws IOException {
        produce();
        long second = Files.size(segment);
        produce();
        assertThat(offsetAt(1).offset()).isZero();
        assertThat(offsetAt(Long.MAX_VALUE).errorCode()).isZero();

        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            for (long magic : List.of(16L, second + 16)) {
                file.seek(magic);
                file.write(0x55);
            }
        }

        assertThat(offsetAt(1).errorCode()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR.code());
    }

    @Test
    void recordsWhoseAbortedTransactionsCannotBeReadAreNotGiven() throws IOException {
        produce();
        Files.write(segment.resolveSibling("00000000000000000000.txnindex"), new byte[31]);

        FetchResponse.PartitionData answer = fetch(READ_COMMITTED);

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR.code());
        assertThat(fetch((byte) 0).errorCode()).isZero();
    }

    /// A stop in order lets the broker answer for logs whose files it has not looked at.
    @Test
    void aLogWhoseFilesAreGoneSinceTheStopHasNoEpochsToTellOf() throws IOException {
        produce();
        produce();
        client.close();
        broker.restart(
                Map.of(),
                () -> {
                    try {
                        Files.delete(segment);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        client = new BrokerClient(broker);

        assertThat(offsetAt(-2).errorCode()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR.code());
        assertThat(epochEndError()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR.code());
    }

    private short epochEndError() throws IOException {
        OffsetForLeaderTopic topic =
                OffsetForLeaderTopic.builder()
                        .topic("t")
                        .partitions(
                                List.of(OffsetForLeaderPartition.builder().leaderEpoch(0).build()))
                        .build();
        return client.ask(
                        OffsetForLeaderEpochResponse.class,
                        OffsetForLeaderEpochRequest.builder()
                                .replicaId(-1)
                                .topics(List.of(topic))
                                .build(),
                        4)
                .topics()
                .getFirst()
                .partitions()
                .getFirst()
                .errorCode();
    }

    private FetchResponse.PartitionData fetch(byte isolationLevel) throws IOException {
        Uuid id = client.metadata("t").topics().getFirst().topicId();
        FetchTopic topic =
                FetchTopic.builder()
                        .topicId(id)
                        .partitions(
                                List.of(
                                        FetchPartition.builder()
                                                .partitionMaxBytes(1 << 20)
                                                .build()))
                        .build();
        return client.ask(
                        FetchResponse.class,
                        FetchRequest.builder()
                                .isolationLevel(isolationLevel)
                                .minBytes(1)
                                .maxWaitMs(100)
                                .maxBytes(1 << 20)
                                .topics(List.of(topic))
                                .build(),
                        13)
                .responses()
                .getFirst()
                .partitions()
                .getFirst();
    }
}

package dev.ottla.cli;

import dev.ottla.broker.server.BrokerServer;
import dev.ottla.broker.server.Host;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsRequest.CreatableTopic;
import dev.ottla.wire.message.CreateTopicsResponse;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchRequest.FetchPartition;
import dev.ottla.wire.message.FetchRequest.FetchTopic;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.HeartbeatRequest;
import dev.ottla.wire.message.ListOffsetsRequest;
import dev.ottla.wire.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.ottla.wire.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataRequest.MetadataRequestTopic;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceRequest.PartitionProduceData;
import dev.ottla.wire.message.ProduceRequest.TopicProduceData;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Runs a broker on an empty directory and uses it as a first client does, so that the JVM can
/// record which classes a start needs. The build calls it; nobody else has to.
final class TrainCommand {
    private static final String TOPIC = "training";
    private static final int ROUNDS = 50;

    private TrainCommand() {}

    /// @param words as those of a start; the data directory should be an empty one, the ports free
    ///   ones
    static void run(List<String> words, PrintStream out) throws IOException {
        StartCommand start = new StartCommand(StartOptions.parse(words), Host.real(), out);
        try (BrokerServer server = start.open();
                PlainConnection client =
                        new PlainConnection(
                                new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(),
                                        server.listeners().getFirst().address().getPort()))) {
            start.introduce(server);
            exercise(client, (short) 1);
        }
    }

    /// What a first client asks for, of a topic with as many partitions as replicas: one of them is
    /// led by the broker that is asked.
    static void exercise(PlainConnection client, short replicas) throws IOException {
        client.ask(
                ApiVersionsRequest.builder()
                        .clientSoftwareName("ottla")
                        .clientSoftwareVersion("0")
                        .build());
        CreateTopicsResponse created =
                (CreateTopicsResponse)
                        client.ask(
                                CreateTopicsRequest.builder()
                                        .topics(
                                                List.of(
                                                        CreatableTopic.builder()
                                                                .name(TOPIC)
                                                                .numPartitions(replicas)
                                                                .replicationFactor(replicas)
                                                                .build()))
                                        .timeoutMs(10_000)
                                        .build());
        Uuid topicId = created.topics().getFirst().topicId();
        client.ask(
                MetadataRequest.builder()
                        .topics(List.of(MetadataRequestTopic.builder().name(TOPIC).build()))
                        .build());
        for (int round = 0; round < ROUNDS; round++) {
            int partition = round % replicas;
            client.ask(produce(topicId, partition));
            client.ask(fetch(topicId, partition, round / replicas));
        }
        client.ask(
                ListOffsetsRequest.builder()
                        .topics(
                                List.of(
                                        ListOffsetsTopic.builder()
                                                .name(TOPIC)
                                                .partitions(
                                                        List.of(
                                                                ListOffsetsPartition.builder()
                                                                        .timestamp(-1)
                                                                        .build()))
                                                .build()))
                        .build());
        client.ask(
                FindCoordinatorRequest.builder()
                        .coordinatorKeys(List.of("training-group"))
                        .build());
        client.ask(HeartbeatRequest.builder().groupId("training-group").memberId("nobody").build());
    }

    private static ApiMessage produce(Uuid topicId, int partition) {
        ByteBuffer value = ByteBuffer.wrap("a record".getBytes(StandardCharsets.UTF_8));
        ByteBuffer batch = new BatchBuilder().append(1, null, value).build();
        return ProduceRequest.builder()
                .acks((short) -1)
                .timeoutMs(10_000)
                .topicData(
                        List.of(
                                TopicProduceData.builder()
                                        .topicId(topicId)
                                        .partitionData(
                                                List.of(
                                                        PartitionProduceData.builder()
                                                                .index(partition)
                                                                .records(new BufferRecords(batch))
                                                                .build()))
                                        .build()))
                .build();
    }

    private static ApiMessage fetch(Uuid topicId, int partition, long offset) {
        return FetchRequest.builder()
                .maxWaitMs(100)
                .minBytes(1)
                .sessionEpoch(-1)
                .topics(
                        List.of(
                                FetchTopic.builder()
                                        .topicId(topicId)
                                        .partitions(
                                                List.of(
                                                        FetchPartition.builder()
                                                                .partition(partition)
                                                                .fetchOffset(offset)
                                                                .partitionMaxBytes(1 << 20)
                                                                .build()))
                                        .build()))
                .build();
    }
}

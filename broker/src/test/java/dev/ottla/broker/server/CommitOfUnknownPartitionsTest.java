package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.network.RawClient;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.FindCoordinatorRequest;
import dev.ottla.wire.message.OffsetCommitRequest;
import dev.ottla.wire.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import dev.ottla.wire.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import dev.ottla.wire.message.OffsetCommitResponse;
import dev.ottla.wire.message.OffsetCommitResponse.OffsetCommitResponsePartition;
import dev.ottla.wire.message.OffsetCommitResponse.OffsetCommitResponseTopic;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Commits are stored for partitions that exist, and for no others.
@Timeout(60)
class CommitOfUnknownPartitionsTest {
    private static final int VERSION = 8;

    @Test
    void partitionsThatDoNotExistAreRefusedOneByOne() throws IOException {
        try (TestBroker broker = new TestBroker(Map.of("offsets.topic.num.partitions", "1"));
                RawClient client = new RawClient(broker.address())) {
            create(client);
            awaitCoordinator(client);

            OffsetCommitResponse answer =
                    commit(client, topic("t", 0, -5, 2, 1, 2_000_000_000), topic("other", 0));

            assertThat(answer.topics())
                    .extracting(OffsetCommitResponseTopic::name)
                    .containsExactlyInAnyOrder("t", "other");
            assertThat(errors(answer, "t"))
                    .isEqualTo(
                            Map.of(
                                    0, ErrorCode.NONE.code(),
                                    1, ErrorCode.NONE.code(),
                                    -5, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code(),
                                    2, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code(),
                                    2_000_000_000, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()));
            assertThat(errors(commit(client, topic("t", 7)), "t"))
                    .isEqualTo(Map.of(7, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()));
        }
    }

    private static void create(RawClient client) throws IOException {
        client.send(
                CreateTopicsRequest.builder()
                        .topics(
                                List.of(
                                        CreateTopicsRequest.CreatableTopic.builder()
                                                .name("t")
                                                .numPartitions(2)
                                                .replicationFactor((short) 1)
                                                .build()))
                        .timeoutMs(10_000)
                        .build(),
                7,
                1);
        client.receive(ApiKey.CREATE_TOPICS, 7, 1);
    }

    /// Asks as a client does, until the coordinator is there.
    private static void awaitCoordinator(RawClient client) throws IOException {
        short error;
        do {
            client.send(FindCoordinatorRequest.builder().key("g").build(), 0, 1);
            client.receive(ApiKey.FIND_COORDINATOR, 0, 1);
            error = errors(commit(client, topic("t", 0)), "t").getOrDefault(0, (short) -1);
        } while (error != ErrorCode.NONE.code());
    }

    private static OffsetCommitRequestTopic topic(String name, int... partitions) {
        return OffsetCommitRequestTopic.builder()
                .name(name)
                .partitions(
                        Arrays.stream(partitions)
                                .mapToObj(number ->
                                        OffsetCommitRequestPartition.builder()
                                                .partitionIndex(number)
                                                .committedOffset(3)
                                                .build())
                                .toList())
                .build();
    }

    private static OffsetCommitResponse commit(RawClient client, OffsetCommitRequestTopic... topics)
            throws IOException {
        client.send(
                OffsetCommitRequest.builder().groupId("g").topics(List.of(topics)).build(),
                VERSION,
                2);
        return (OffsetCommitResponse) client.receive(ApiKey.OFFSET_COMMIT, VERSION, 2);
    }

    private static Map<Integer, Short> errors(OffsetCommitResponse answer, String topic) {
        return answer.topics().stream()
                .filter(each -> each.name().equals(topic))
                .flatMap(each -> each.partitions().stream())
                .collect(
                        Collectors.toMap(
                                OffsetCommitResponsePartition::partitionIndex,
                                OffsetCommitResponsePartition::errorCode));
    }
}

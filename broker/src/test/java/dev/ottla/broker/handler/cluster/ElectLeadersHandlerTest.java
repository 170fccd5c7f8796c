package dev.ottla.broker.handler.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.request.Asked;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ElectLeadersRequest;
import dev.ottla.wire.message.ElectLeadersRequest.TopicPartitions;
import dev.ottla.wire.message.ElectLeadersResponse;
import dev.ottla.wire.message.ElectLeadersResponse.PartitionResult;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ElectLeadersHandlerTest {
    private final TestMetadata metadata = new TestMetadata(2);
    private final ElectLeadersHandler handler =
            new ElectLeadersHandler(new TimedCommands(metadata.service(), () -> 0));

    @BeforeEach
    void moveOnePartitionAway() {
        metadata.create("t", List.of(List.of(1, 2), List.of(2, 1)));
        metadata.fence(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void everyPartitionIsAnsweredInEveryVersion(int version) {
        ElectLeadersResponse answer =
                ask(
                        version,
                        ElectLeadersRequest.builder()
                                .topicPartitions(List.of(topic("t", 0, 1, 5), topic("unknown", 0)))
                                .build());

        assertThat(answer.errorCode()).isZero();
        assertThat(answer.replicaElectionResults())
                .extracting(ElectLeadersResponse.ReplicaElectionResult::topic)
                .containsExactly("t", "unknown");
        assertThat(answer.replicaElectionResults().getFirst().partitionResult())
                .extracting(PartitionResult::partitionId, PartitionResult::errorCode)
                .containsExactly(
                        tuple(0, ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE.code()),
                        tuple(1, ErrorCode.ELECTION_NOT_NEEDED.code()),
                        tuple(5, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()));
        assertThat(answer.replicaElectionResults().getLast().partitionResult())
                .extracting(PartitionResult::errorCode)
                .containsExactly(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void withoutAListOnlyPartitionsThatNeededAnElectionAreAnswered() {
        ElectLeadersResponse answer =
                ask(2, ElectLeadersRequest.builder().topicPartitions(null).build());

        assertThat(answer.replicaElectionResults()).hasSize(1);
        assertThat(answer.replicaElectionResults().getFirst().partitionResult())
                .extracting(PartitionResult::partitionId)
                .containsExactly(0);
    }

    @Test
    void leaderlessPartitionGetsAnyLeaderByAnUncleanElection() {
        metadata.fence(2);
        metadata.start(1, metadata.image().broker(1).orElseThrow().directories());
        assertThat(metadata.image().partition("t", 0).orElseThrow().hasLeader()).isFalse();

        ElectLeadersResponse answer =
                ask(
                        1,
                        ElectLeadersRequest.builder()
                                .electionType((byte) 1)
                                .topicPartitions(List.of(topic("t", 0)))
                                .build());

        assertThat(answer.replicaElectionResults().getFirst().partitionResult().getFirst())
                .isEqualTo(PartitionResult.builder().partitionId(0).errorMessage(null).build());
        assertThat(metadata.image().partition("t", 0).orElseThrow().leader()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void unknownElectionTypeIsRefusedAtTheTopAndForEachPartition(int version) {
        ElectLeadersResponse answer =
                ask(
                        version,
                        ElectLeadersRequest.builder()
                                .electionType((byte) 7)
                                .topicPartitions(List.of(topic("t", 0)))
                                .build());

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        assertThat(answer.replicaElectionResults().getFirst().partitionResult())
                .extracting(PartitionResult::errorCode)
                .containsExactly(ErrorCode.INVALID_REQUEST.code());
    }

    private ElectLeadersResponse ask(int version, ElectLeadersRequest request) {
        return Asked.ask(handler, version, request, ElectLeadersResponse.class);
    }

    private static TopicPartitions topic(String name, Integer... partitions) {
        return TopicPartitions.builder().topic(name).partitions(List.of(partitions)).build();
    }
}

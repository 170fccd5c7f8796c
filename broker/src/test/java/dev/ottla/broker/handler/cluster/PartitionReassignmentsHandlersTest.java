package dev.ottla.broker.handler.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.request.Asked;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import dev.ottla.wire.message.AlterPartitionReassignmentsResponse;
import dev.ottla.wire.message.AlterPartitionReassignmentsResponse.ReassignablePartitionResponse;
import dev.ottla.wire.message.ListPartitionReassignmentsRequest;
import dev.ottla.wire.message.ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics;
import dev.ottla.wire.message.ListPartitionReassignmentsResponse;
import dev.ottla.wire.message.ListPartitionReassignmentsResponse.OngoingPartitionReassignment;
import dev.ottla.wire.message.ListPartitionReassignmentsResponse.OngoingTopicReassignment;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PartitionReassignmentsHandlersTest {
    private final TestMetadata metadata = new TestMetadata(3);
    private final TimedCommands commands = new TimedCommands(metadata.service(), () -> 0);

    @BeforeEach
    void createTopics() {
        metadata.create("t", List.of(List.of(1), List.of(2)));
        metadata.create("u", List.of(List.of(1)));
    }

    @Test
    void reassignmentsAreListedUntilTheyEnd() {
        alter(true, topic("u", partition(0, 1, 2)), topic("t", partition(1, 2, 3)));

        assertThat(list(null)).extracting(OngoingTopicReassignment::name).containsExactly("t", "u");
        assertThat(list(null).getFirst().partitions())
                .containsExactly(
                        OngoingPartitionReassignment.builder()
                                .partitionIndex(1)
                                .replicas(List.of(2, 3))
                                .addingReplicas(List.of(3))
                                .removingReplicas(List.of())
                                .build());
        assertThat(list(List.of(named("t", 0), named("u", 0, 9), named("nobody", 0))))
                .extracting(OngoingTopicReassignment::name)
                .containsExactly("u");

        alter(true, topic("u", back(0)), topic("t", back(1)));
        assertThat(list(null)).isEmpty();
    }

    @Test
    void eachPartitionIsAnsweredByItself() {
        AlterPartitionReassignmentsResponse answer =
                alter(
                        false,
                        topic("t", partition(0, 3), partition(1, 1, 2), back(0), partition(7, 1)),
                        topic("u", back(0), partition(0, 9)));

        assertThat(answer.errorCode()).isZero();
        assertThat(answer.allowReplicationFactorChange()).isFalse();
        assertThat(answer.responses().getFirst().partitions())
                .extracting(
                        ReassignablePartitionResponse::partitionIndex,
                        ReassignablePartitionResponse::errorCode)
                .containsExactly(
                        tuple(0, ErrorCode.NONE.code()),
                        tuple(1, ErrorCode.INVALID_REPLICATION_FACTOR.code()),
                        tuple(0, ErrorCode.INVALID_REQUEST.code()),
                        tuple(7, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code()));
        assertThat(answer.responses().getLast().partitions().getFirst().errorCode())
                .isEqualTo(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS.code());
    }

    @Test
    void requestWithoutTimeIsNotCarriedOut() {
        AlterPartitionReassignmentsResponse answer =
                alter(
                        AlterPartitionReassignmentsRequest.builder()
                                .timeoutMs(0)
                                .topics(List.of(topic("t", partition(0, 3))))
                                .build());

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT.code());
        assertThat(answer.errorMessage()).contains("time-out of 0 ms");
        assertThat(list(null)).isEmpty();
    }

    private AlterPartitionReassignmentsResponse alter(
            boolean factorMayChange, ReassignableTopic... topics) {
        return alter(
                AlterPartitionReassignmentsRequest.builder()
                        .allowReplicationFactorChange(factorMayChange)
                        .topics(List.of(topics))
                        .build());
    }

    private AlterPartitionReassignmentsResponse alter(AlterPartitionReassignmentsRequest request) {
        return Asked.ask(
                new AlterPartitionReassignmentsHandler(commands),
                1,
                request,
                AlterPartitionReassignmentsResponse.class);
    }

    private List<OngoingTopicReassignment> list(
            @Nullable List<ListPartitionReassignmentsTopics> topics) {
        ListPartitionReassignmentsResponse answer =
                Asked.ask(
                        new ListPartitionReassignmentsHandler(commands),
                        0,
                        ListPartitionReassignmentsRequest.builder().topics(topics).build(),
                        ListPartitionReassignmentsResponse.class);
        assertThat(answer.errorCode()).isZero();
        return answer.topics();
    }

    private static ReassignableTopic topic(String name, ReassignablePartition... partitions) {
        return ReassignableTopic.builder().name(name).partitions(List.of(partitions)).build();
    }

    private static ReassignablePartition partition(int number, Integer... replicas) {
        return ReassignablePartition.builder()
                .partitionIndex(number)
                .replicas(List.of(replicas))
                .build();
    }

    private static ReassignablePartition back(int number) {
        return ReassignablePartition.builder().partitionIndex(number).replicas(null).build();
    }

    private static ListPartitionReassignmentsTopics named(String name, Integer... partitions) {
        return ListPartitionReassignmentsTopics.builder()
                .name(name)
                .partitionIndexes(Stream.of(partitions).toList())
                .build();
    }
}

package dev.ottla.broker.controlling;

import dev.ottla.metadata.controller.AlterPartition;
import dev.ottla.metadata.controller.AlteredPartition;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.BrokerReply;
import dev.ottla.metadata.controller.IsrMember;
import dev.ottla.metadata.controller.PartitionId;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.AlterPartitionRequest;
import dev.ottla.wire.message.AlterPartitionResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Changes of ISRs on the wire, both ways (KIP-497, KIP-704, KIP-841, KIP-903).
public final class AlterPartitionMessages {
    private static final byte RECOVERING = 1;
    private static final short FIRST_WITH_EPOCHS = 3;

    private AlterPartitionMessages() {}

    static AlterPartitionRequest request(BrokerIncarnation leader, List<AlterPartition> changes) {
        Map<Uuid, List<AlterPartitionRequest.PartitionData>> byTopic = new LinkedHashMap<>();
        for (AlterPartition change : changes) {
            byTopic.computeIfAbsent(change.partition().topicId(), _ -> new ArrayList<>())
                    .add(write(change));
        }
        return AlterPartitionRequest.builder()
                .brokerId(leader.id())
                .brokerEpoch(leader.epoch())
                .topics(
                        byTopic.entrySet().stream()
                                .map(topic ->
                                        AlterPartitionRequest.TopicData.builder()
                                                .topicId(topic.getKey())
                                                .partitions(topic.getValue())
                                                .build())
                                .toList())
                .build();
    }

    private static AlterPartitionRequest.PartitionData write(AlterPartition change) {
        return AlterPartitionRequest.PartitionData.builder()
                .partitionIndex(change.partition().partition())
                .leaderEpoch(change.leaderEpoch())
                .newIsrWithEpochs(
                        change.isr().stream()
                                .map(member ->
                                        AlterPartitionRequest.BrokerState.builder()
                                                .brokerId(member.brokerId())
                                                .brokerEpoch(member.brokerEpoch())
                                                .build())
                                .toList())
                .leaderRecoveryState(change.recovering() ? RECOVERING : 0)
                .partitionEpoch(change.partitionEpoch())
                .build();
    }

    public static List<AlterPartition> read(AlterPartitionRequest request, short version) {
        List<AlterPartition> changes = new ArrayList<>();
        for (AlterPartitionRequest.TopicData topic : request.topics()) {
            for (AlterPartitionRequest.PartitionData partition : topic.partitions()) {
                changes.add(
                        new AlterPartition(
                                new PartitionId(topic.topicId(), partition.partitionIndex()),
                                partition.leaderEpoch(),
                                partition.partitionEpoch(),
                                isr(partition, version),
                                partition.leaderRecoveryState() == RECOVERING));
            }
        }
        return changes;
    }

    private static List<IsrMember> isr(
            AlterPartitionRequest.PartitionData partition, short version) {
        return version >= FIRST_WITH_EPOCHS
                ? partition.newIsrWithEpochs().stream()
                        .map(member -> new IsrMember(member.brokerId(), member.brokerEpoch()))
                        .toList()
                : partition.newIsr().stream().map(id -> new IsrMember(id, -1)).toList();
    }

    public static AlterPartitionResponse response(BrokerReply<AlteredPartition> reply) {
        Map<Uuid, List<AlterPartitionResponse.PartitionData>> byTopic = new LinkedHashMap<>();
        for (AlteredPartition result : reply.parts()) {
            byTopic.computeIfAbsent(result.partition().topicId(), _ -> new ArrayList<>())
                    .add(write(result));
        }
        return AlterPartitionResponse.builder()
                .errorCode(reply.error().code().code())
                .topics(
                        byTopic.entrySet().stream()
                                .map(topic ->
                                        AlterPartitionResponse.TopicData.builder()
                                                .topicId(topic.getKey())
                                                .partitions(topic.getValue())
                                                .build())
                                .toList())
                .build();
    }

    private static AlterPartitionResponse.PartitionData write(AlteredPartition result) {
        AlterPartitionResponse.PartitionData.Builder data =
                AlterPartitionResponse.PartitionData.builder()
                        .partitionIndex(result.partition().partition())
                        .errorCode(result.error().code().code());
        result.state()
                .ifPresent(state ->
                        data.leaderId(state.leader())
                                .leaderEpoch(state.leaderEpoch())
                                .isr(List.copyOf(state.isr()))
                                .leaderRecoveryState(state.recovering() ? RECOVERING : 0)
                                .partitionEpoch(state.partitionEpoch()));
        return data.build();
    }

    /// In the order of `asked`, whatever the order of the answer.
    static List<AlteredPartition> read(
            AlterPartitionResponse response, List<AlterPartition> asked) {
        Map<PartitionId, ErrorCode> found = new HashMap<>();
        for (AlterPartitionResponse.TopicData topic : response.topics()) {
            for (AlterPartitionResponse.PartitionData partition : topic.partitions()) {
                found.put(
                        new PartitionId(topic.topicId(), partition.partitionIndex()),
                        code(partition.errorCode()));
            }
        }
        ErrorCode whole = code(response.errorCode());
        ErrorCode missing = whole == ErrorCode.NONE ? ErrorCode.UNKNOWN_SERVER_ERROR : whole;
        return asked.stream()
                .map(AlterPartition::partition)
                .map(id -> result(id, found.getOrDefault(id, missing)))
                .toList();
    }

    private static AlteredPartition result(PartitionId id, ErrorCode error) {
        return new AlteredPartition(
                id,
                error == ErrorCode.NONE
                        ? ApiError.NONE
                        : ApiError.of(
                                error,
                                "The controller refuses to change the ISR of partition %d of topic %s: %s",
                                id.partition(),
                                id.topicId(),
                                error.message()),
                Optional.empty());
    }

    private static ErrorCode code(short code) {
        return ErrorCode.forCode(code).orElse(ErrorCode.UNKNOWN_SERVER_ERROR);
    }
}

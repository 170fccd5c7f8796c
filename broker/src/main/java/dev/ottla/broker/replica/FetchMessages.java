package dev.ottla.broker.replica;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.record.RecordBatch;
import dev.ottla.record.RecordBatches;
import dev.ottla.replication.EpochEnd;
import dev.ottla.replication.FetchPosition;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.RecordsPayload;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Fetch requests of followers and their answers, to and from the wire's form. No state.
final class FetchMessages {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private FetchMessages() {}

    /// What every request of a fetcher says.
    record Limits(int waitMs, int minBytes, int maxBytes, int partitionMaxBytes) {}

    /// @param sessionEpoch 0 begins a session
    record Session(int id, int sessionEpoch) {}

    static FetchRequest request(
            int brokerId,
            long brokerEpoch,
            Session session,
            Limits limits,
            Map<PartitionKey, FetchPosition> wanted,
            Collection<PartitionKey> forgotten) {
        return FetchRequest.builder()
                .replicaState(
                        FetchRequest.ReplicaState.builder()
                                .replicaId(brokerId)
                                .replicaEpoch(brokerEpoch)
                                .build())
                .maxWaitMs(limits.waitMs())
                .minBytes(limits.minBytes())
                .maxBytes(limits.maxBytes())
                .sessionId(session.id())
                .sessionEpoch(session.sessionEpoch())
                .topics(topics(wanted, limits.partitionMaxBytes()))
                .forgottenTopicsData(forgotten(forgotten))
                .build();
    }

    private static List<FetchRequest.FetchTopic> topics(
            Map<PartitionKey, FetchPosition> wanted, int maxBytes) {
        Map<Uuid, List<FetchRequest.FetchPartition>> byTopic = new LinkedHashMap<>();
        wanted.forEach((key, position) ->
                byTopic.computeIfAbsent(key.topicId(), _ -> new ArrayList<>())
                        .add(
                                FetchRequest.FetchPartition.builder()
                                        .partition(key.partition())
                                        .currentLeaderEpoch(position.leaderEpoch())
                                        .fetchOffset(position.fetchOffset())
                                        .lastFetchedEpoch(position.lastFetchedEpoch())
                                        .logStartOffset(position.logStartOffset())
                                        .partitionMaxBytes(maxBytes)
                                        .build()));
        List<FetchRequest.FetchTopic> topics = new ArrayList<>(byTopic.size());
        byTopic.forEach((id, partitions) ->
                topics.add(
                        FetchRequest.FetchTopic.builder()
                                .topicId(id)
                                .partitions(partitions)
                                .build()));
        return topics;
    }

    private static List<FetchRequest.ForgottenTopic> forgotten(Collection<PartitionKey> keys) {
        Map<Uuid, List<Integer>> byTopic = new LinkedHashMap<>();
        for (PartitionKey key : keys) {
            byTopic.computeIfAbsent(key.topicId(), _ -> new ArrayList<>()).add(key.partition());
        }
        List<FetchRequest.ForgottenTopic> topics = new ArrayList<>(byTopic.size());
        byTopic.forEach((id, partitions) ->
                topics.add(
                        FetchRequest.ForgottenTopic.builder()
                                .topicId(id)
                                .partitions(partitions)
                                .build()));
        return topics;
    }

    /// Reads what came, and looks at every checksum: what a disk or a network has changed is not
    /// written here.
    static List<FetchedPartition> read(FetchResponse response) {
        List<FetchedPartition> partitions = new ArrayList<>();
        for (FetchResponse.FetchableTopicResponse topic : response.responses()) {
            for (FetchResponse.PartitionData data : topic.partitions()) {
                partitions.add(
                        read(new PartitionKey(topic.topicId(), data.partitionIndex()), data));
            }
        }
        return partitions;
    }

    private static FetchedPartition read(PartitionKey key, FetchResponse.PartitionData data) {
        Optional<EpochEnd> diverging =
                data.divergingEpoch().epoch() < 0
                        ? Optional.empty()
                        : Optional.of(
                                new EpochEnd(
                                        data.divergingEpoch().epoch(),
                                        data.divergingEpoch().endOffset()));
        ErrorCode error =
                ErrorCode.forCode(data.errorCode()).orElse(ErrorCode.UNKNOWN_SERVER_ERROR);
        Optional<ByteBuffer> batches = batches(data.records());
        return new FetchedPartition(
                key,
                batches.isEmpty() ? ErrorCode.CORRUPT_MESSAGE : error,
                data.highWatermark(),
                data.logStartOffset(),
                diverging,
                batches.orElse(NOTHING));
    }

    /// The whole batches; empty when one of them is damaged.
    private static Optional<ByteBuffer> batches(@Nullable RecordsPayload records) {
        if (!(records instanceof BufferRecords(ByteBuffer buffer)) || !buffer.hasRemaining()) {
            return Optional.of(NOTHING);
        }
        RecordBatches batches = RecordBatches.in(buffer);
        int end = buffer.position();
        while (true) {
            switch (batches.next()) {
                case RecordBatches.Step.Batch(RecordBatch batch) -> {
                    if (!batch.isCrcValid()) {
                        return Optional.empty();
                    }
                    end += batch.sizeBytes();
                }
                case RecordBatches.Step.End _, RecordBatches.Step.Partial _ -> {
                    return Optional.of(buffer.slice(buffer.position(), end - buffer.position()));
                }
                case RecordBatches.Step.Malformed _ -> {
                    return Optional.empty();
                }
            }
        }
    }
}

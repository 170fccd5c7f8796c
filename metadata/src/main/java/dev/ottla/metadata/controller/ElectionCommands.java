package dev.ottla.metadata.controller;

import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.MetadataRecord.PartitionChange;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Elections that a client asks for.
final class ElectionCommands {
    private static final ApiError NOT_NEEDED =
            new ApiError(
                    ErrorCode.ELECTION_NOT_NEEDED,
                    "The partition has the leader already that the election would give it.");

    private final Context context;

    ElectionCommands(Context context) {
        this.context = context;
    }

    /// Answers for each of `partitions`, in their order; one that is named twice gets one election.
    Outcome<List<ElectedPartition>> elect(Election election, List<NamedPartition> partitions) {
        ClusterImage image = context.image();
        PartitionSweep sweep = new PartitionSweep(context, image);
        Map<String, PartitionSweep.TopicView> views = new HashMap<>();
        Map<NamedPartition, ApiError> errors = new LinkedHashMap<>();
        List<MetadataRecord> records = new ArrayList<>();
        for (NamedPartition partition : partitions) {
            if (errors.containsKey(partition)) continue;
            Optional<TopicState> topic = image.topic(partition.topic());
            Optional<PartitionState> state =
                    topic.flatMap(found -> found.partition(partition.partition()));
            if (topic.isEmpty() || state.isEmpty()) {
                errors.put(partition, unknown(partition, topic.isPresent()));
                continue;
            }
            PartitionSweep.TopicView view =
                    views.computeIfAbsent(partition.topic(), _ -> sweep.view(topic.get()));
            errors.put(
                    partition, elect(election, view, partition.partition(), state.get(), records));
        }
        List<ElectedPartition> results =
                partitions.stream()
                        .map(partition ->
                                new ElectedPartition(
                                        partition.topic(),
                                        partition.partition(),
                                        errors.getOrDefault(partition, NOT_NEEDED)))
                        .toList();
        return new Outcome<>(records, results);
    }

    /// Holds the election in every partition there is; answers for those in which it was needed.
    Outcome<List<ElectedPartition>> electAll(Election election) {
        PartitionSweep sweep = new PartitionSweep(context, context.image());
        List<MetadataRecord> records = new ArrayList<>();
        List<ElectedPartition> results = new ArrayList<>();
        for (TopicState topic : context.image().topics()) {
            PartitionSweep.TopicView view = sweep.view(topic);
            for (int i = 0; i < topic.partitionCount(); i++) {
                ApiError error = elect(election, view, i, topic.partitions().get(i), records);
                if (error.code() != ErrorCode.ELECTION_NOT_NEEDED) {
                    results.add(new ElectedPartition(topic.name(), i, error));
                }
            }
        }
        return new Outcome<>(records, results);
    }

    private static ApiError elect(
            Election election,
            PartitionSweep.TopicView topic,
            int partition,
            PartitionState state,
            List<MetadataRecord> records) {
        boolean unclean = election == Election.UNCLEAN;
        if (unclean ? state.hasLeader() : state.leader() == state.replicas().at(0)) {
            return NOT_NEEDED;
        }
        PartitionUpdate update = topic.update(partition, state, unclean);
        Optional<PartitionChange> change =
                update.preferFirstReplica().build().filter(found -> found.leader().isPresent());
        if (change.isEmpty()) {
            return nobody(unclean, topic.topic().name(), partition, state);
        }
        records.add(change.get());
        return ApiError.NONE;
    }

    private static ApiError unknown(NamedPartition partition, boolean topicExists) {
        return topicExists
                ? ApiError.of(
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "Topic %s has no partition %d: check the number.",
                        partition.topic(),
                        partition.partition())
                : ApiError.of(
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "There is no topic '%s': check the name.",
                        partition.topic());
    }

    private static ApiError nobody(
            boolean unclean, String topic, int partition, PartitionState state) {
        return unclean
                ? ApiError.of(
                        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
                        "None of the replicas %s of partition %s-%d is there: start one of their"
                                + " brokers.",
                        state.replicas(),
                        topic,
                        partition)
                : ApiError.of(
                        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
                        "Broker %d, the preferred leader of partition %s-%d, is away, full or not in sync"
                                + " (in sync: %s): try again when it is.",
                        state.replicas().at(0),
                        topic,
                        partition,
                        state.isr());
    }
}

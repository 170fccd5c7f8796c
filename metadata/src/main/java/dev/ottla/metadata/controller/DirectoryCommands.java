package dev.ottla.metadata.controller;

import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Moves of replicas between the directories of one broker (KIP-858).
final class DirectoryCommands {
    private final Context context;

    DirectoryCommands(Context context) {
        this.context = context;
    }

    /// Answers for each of `assignments`, in their order. Of a partition that is named twice the
    /// last one counts.
    Outcome<List<ApiError>> assign(
            int brokerId, long brokerEpoch, List<AssignDirectory> assignments) {
        ClusterImage image = context.image();
        Optional<ApiError> stale = BrokerCommands.stale(image, brokerId, brokerEpoch);
        if (stale.isPresent()) {
            return Outcome.unchanged(assignments.stream().map(_ -> stale.get()).toList());
        }
        Map<PartitionId, Uuid> wanted = new HashMap<>();
        assignments.forEach(a -> wanted.put(a.partition(), a.directory()));
        BrokerState broker = image.broker(brokerId).orElseThrow();
        PartitionSweep sweep = new PartitionSweep(context, image);
        List<MetadataRecord> records = new ArrayList<>();
        List<ApiError> results = new ArrayList<>();
        for (AssignDirectory assignment : assignments) {
            PartitionId id = assignment.partition();
            Optional<ApiError> problem = problem(image, broker, assignment);
            results.add(problem.orElse(ApiError.NONE));
            Uuid directory = wanted.remove(id);
            if (problem.isPresent() || directory == null) continue;
            TopicState topic = image.topic(id.topicId()).orElseThrow();
            PartitionState state = topic.partition(id.partition()).orElseThrow();
            List<Uuid> directories = new ArrayList<>(state.directories());
            directories.set(state.replicas().positionOf(brokerId), directory);
            sweep.view(topic)
                    .update(id.partition(), state, false)
                    .directories(directories)
                    .build()
                    .ifPresent(records::add);
        }
        return new Outcome<>(records, results);
    }

    private static Optional<ApiError> problem(
            ClusterImage image, BrokerState broker, AssignDirectory assignment) {
        PartitionId id = assignment.partition();
        Optional<PartitionState> state = image.partition(id.topicId(), id.partition());
        if (state.isEmpty()) {
            return Optional.of(
                    ApiError.of(
                            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                            "There is no partition %d of the topic with id %s.",
                            id.partition(),
                            id.topicId()));
        }
        if (!state.get().replicas().has(broker.id())) {
            return Optional.of(
                    ApiError.of(
                            ErrorCode.NOT_LEADER_OR_FOLLOWER,
                            "Broker %d holds no replica of partition %d of the topic with id %s,"
                                    + " but %s do.",
                            broker.id(),
                            id.partition(),
                            id.topicId(),
                            state.get().replicas()));
        }
        if (!broker.directories().contains(assignment.directory())) {
            return Optional.of(
                    ApiError.of(
                            ErrorCode.LOG_DIR_NOT_FOUND,
                            "Directory %s of broker %d is not online: use one of %s.",
                            assignment.directory(),
                            broker.id(),
                            broker.directories()));
        }
        return Optional.empty();
    }
}

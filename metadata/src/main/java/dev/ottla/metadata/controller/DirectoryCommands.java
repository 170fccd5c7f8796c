package dev.ottla.metadata.controller;

import dev.ottla.metadata.Directories;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.MetadataRecord.PartitionChange;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Which directory of a broker holds which replica (AssignReplicasToDirs, KIP-858).
final class DirectoryCommands {
    private final Context context;

    DirectoryCommands(Context context) {
        this.context = context;
    }

    /// Answers for each of `requests`, in their order. A replica that moves between online
    /// directories takes its records along. One whose directory is gone and that begins anew in
    /// another has nothing: it leaves the ISR and the eligible replicas, and is refused when it is
    /// the last of both. Of a partition that is named twice the last one counts.
    Outcome<BrokerReply<ApiError>> assign(
            int brokerId, long brokerEpoch, List<AssignDirectory> requests) {
        ClusterImage image = context.image();
        Optional<ApiError> stale = BrokerCommands.stale(image, brokerId, brokerEpoch);
        if (stale.isPresent()) {
            return Outcome.unchanged(BrokerReply.refused(stale.get()));
        }
        BrokerState broker = image.broker(brokerId).orElseThrow();
        Map<PartitionId, AssignDirectory> wanted = new LinkedHashMap<>();
        List<ApiError> results = new ArrayList<>();
        for (AssignDirectory request : requests) {
            Optional<ApiError> problem = problem(image, broker, request);
            if (problem.isEmpty()) wanted.put(request.partition(), request);
            results.add(problem.orElse(ApiError.NONE));
        }
        List<MetadataRecord> records = new ArrayList<>();
        List<PartitionId> bereft = new ArrayList<>();
        for (AssignDirectory request : wanted.values()) {
            PartitionId id = request.partition();
            PartitionState state = image.partition(id.topicId(), id.partition()).orElseThrow();
            Uuid before = state.directoryOf(broker.id());
            if (before.equals(request.directory())) continue;
            if (!broker.hasOnline(before) || request.directory().equals(Directories.LOST)) {
                bereft.add(id);
            }
            records.add(assignment(broker, request, state));
        }
        if (!bereft.isEmpty()) records.addAll(losses(brokerId, bereft, List.copyOf(records)));
        return new Outcome<>(records, BrokerReply.of(results));
    }

    private static Optional<ApiError> problem(
            ClusterImage image, BrokerState broker, AssignDirectory request) {
        try {
            PartitionState state = replica(image, broker, request);
            boolean begins =
                    !broker.hasOnline(state.directoryOf(broker.id()))
                            && !request.directory().equals(Directories.LOST);
            if (begins) checkNotLast(broker, request, state);
            return Optional.empty();
        } catch (Refusal refusal) {
            return Optional.of(refusal.error());
        }
    }

    private static PartitionState replica(
            ClusterImage image, BrokerState broker, AssignDirectory request) throws Refusal {
        PartitionId id = request.partition();
        Optional<TopicState> topic = image.topic(id.topicId());
        if (topic.isEmpty()) {
            throw refusal(request, ErrorCode.UNKNOWN_TOPIC_ID, "belongs to no topic that exists");
        }
        Optional<PartitionState> state = topic.get().partition(id.partition());
        if (state.isEmpty()) {
            throw refusal(request, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "does not exist");
        }
        if (!state.get().replicas().has(broker.id())) {
            throw refusal(
                    request,
                    ErrorCode.NOT_LEADER_OR_FOLLOWER,
                    "has no replica on broker " + broker.id());
        }
        if (!request.directory().equals(Directories.LOST)
                && !broker.directories().contains(request.directory())) {
            throw refusal(
                    request,
                    ErrorCode.LOG_DIR_NOT_FOUND,
                    "cannot be in directory %s, for broker %d has only %s online"
                            .formatted(request.directory(), broker.id(), broker.directories()));
        }
        return state.get();
    }

    private static void checkNotLast(
            BrokerState broker, AssignDirectory request, PartitionState state) throws Refusal {
        boolean another =
                state.isr().stream().anyMatch(id -> id != broker.id())
                        || state.elr().stream().anyMatch(id -> id != broker.id());
        boolean member = state.isr().has(broker.id()) || state.elr().has(broker.id());
        if (!member || another) return;
        Uuid before = state.directoryOf(broker.id());
        throw refusal(
                request,
                ErrorCode.INELIGIBLE_REPLICA,
                before.equals(Directories.LOST)
                        ? "has lost its only copy: delete the topic"
                        : "has its only copy in directory %s, which is not online: bring that back, or delete the topic"
                                .formatted(before));
    }

    private static PartitionChange assignment(
            BrokerState broker, AssignDirectory request, PartitionState state) {
        List<Uuid> directories = new ArrayList<>(state.directories());
        directories.set(state.replicas().positionOf(broker.id()), request.directory());
        return new PartitionChange(
                request.partition().topicId(),
                request.partition().partition(),
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(directories),
                Optional.empty(),
                Optional.empty());
    }

    private List<MetadataRecord> losses(
            int brokerId, List<PartitionId> partitions, List<MetadataRecord> assignments) {
        ImageDelta delta = new ImageDelta(context.image());
        delta.replayAll(assignments);
        ClusterImage after = delta.apply(context.image().version());
        PartitionSweep sweep = new PartitionSweep(context, after);
        List<MetadataRecord> records = new ArrayList<>();
        for (PartitionId id : partitions) {
            TopicState topic = after.topic(id.topicId()).orElseThrow();
            PartitionState state = topic.partitions().get(id.partition());
            PartitionUpdate update = sweep.view(topic).update(id.partition(), state, false);
            update.lose(brokerId);
            if (state.leader() == brokerId) update.electAnew();
            update.build().ifPresent(records::add);
        }
        return records;
    }

    private static Refusal refusal(AssignDirectory request, ErrorCode code, String what) {
        return Refusal.of(
                code,
                "Partition %d of topic %s %s.",
                request.partition().partition(),
                request.partition().topicId(),
                what);
    }
}

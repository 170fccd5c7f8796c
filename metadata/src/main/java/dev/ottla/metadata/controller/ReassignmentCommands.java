package dev.ottla.metadata.controller;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Moves partitions to other replicas, more of them or fewer (AlterPartitionReassignments,
/// KIP-455). A command only says where a partition is to go: [PartitionUpdate] completes the
/// reassignment with the change of the ISR that makes it complete.
final class ReassignmentCommands {
    private final Context context;

    ReassignmentCommands(Context context) {
        this.context = context;
    }

    /// Answers for each of `requests`, in their order; each succeeds or fails by itself. A
    /// reassignment that is going on is replaced.
    ///
    /// @param factorMayChange whether a partition may get another number of replicas than it had
    Outcome<List<ReassignedPartition>> alter(
            List<ReassignPartition> requests, boolean factorMayChange) {
        ClusterImage image = context.image();
        Reassigner reassigner = new Reassigner(context);
        Map<String, PartitionSweep.TopicView> views = new HashMap<>();
        Set<NamedPartition> seen = new HashSet<>();
        List<MetadataRecord> records = new ArrayList<>();
        List<ReassignedPartition> results = new ArrayList<>();
        for (ReassignPartition request : requests) {
            NamedPartition id = request.partition();
            ApiError error = ApiError.NONE;
            try {
                if (!seen.add(id)) {
                    throw refusal(id, ErrorCode.INVALID_REQUEST, "is named twice: name it once");
                }
                TopicState topic = topic(image, id);
                PartitionState state = state(topic, id);
                Assignment next = next(image, request, state, factorMayChange);
                checkSomeoneStaysInSync(id, state, next);
                reassigner
                        .reassign(
                                views.computeIfAbsent(
                                        id.topic(), _ -> reassigner.sweep().view(topic)),
                                id.partition(),
                                next)
                        .ifPresent(records::add);
            } catch (Refusal refusal) {
                error = refusal.error();
            }
            results.add(new ReassignedPartition(id, error));
        }
        return new Outcome<>(records, results);
    }

    private static TopicState topic(ClusterImage image, NamedPartition id) throws Refusal {
        return image.topic(id.topic())
                .orElseThrow(() ->
                        refusal(
                                id,
                                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                                "belongs to no topic that exists: check the name"));
    }

    private static PartitionState state(TopicState topic, NamedPartition id) throws Refusal {
        return topic.partition(id.partition())
                .orElseThrow(() ->
                        refusal(
                                id,
                                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                                "does not exist: the topic has %d partition(s)",
                                topic.partitionCount()));
    }

    private static Assignment next(
            ClusterImage image,
            ReassignPartition request,
            PartitionState state,
            boolean factorMayChange)
            throws Refusal {
        Assignment present = Assignment.of(state);
        if (request.replicas().isEmpty()) {
            if (!present.isOngoing()) {
                throw refusal(
                        request.partition(),
                        ErrorCode.NO_REASSIGNMENT_IN_PROGRESS,
                        "is not being reassigned: there is nothing to cancel");
            }
            return present.cancelled();
        }
        List<Integer> wanted = request.replicas().get();
        checkReplicas(image, request.partition(), wanted, state);
        int factor = present.origin().size();
        if (!factorMayChange && wanted.size() != factor) {
            throw refusal(
                    request.partition(),
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "would get %d replicas instead of %d, which this request does not allow",
                    wanted.size(),
                    factor);
        }
        return present.towards(BrokerIds.copyOf(wanted));
    }

    private static void checkReplicas(
            ClusterImage image, NamedPartition id, List<Integer> wanted, PartitionState state)
            throws Refusal {
        if (wanted.isEmpty()) throw invalid(id, "needs one replica at least: name its brokers");
        if (new HashSet<>(wanted).size() != wanted.size()) {
            throw invalid(id, "would be twice on one broker (%s): name each once", wanted);
        }
        for (int broker : wanted) {
            if (broker < 0 || image.broker(broker).isEmpty()) {
                throw invalid(
                        id,
                        "cannot go to broker %d, which is not registered: use those of %s",
                        broker,
                        image.brokers().keySet());
            }
            boolean takes =
                    state.replicas().has(broker)
                            || image.broker(broker).map(Placement::takesReplicas).orElse(false);
            if (!takes) {
                throw invalid(
                        id,
                        "cannot go to broker %d, none of whose directories takes new replicas:"
                                + " name another one",
                        broker);
            }
        }
    }

    /// What a broken off reassignment brought may be all that is in sync by now.
    private static void checkSomeoneStaysInSync(
            NamedPartition id, PartitionState state, Assignment next) throws Refusal {
        if (!state.isr().within(next.replicas()).isEmpty()) return;
        throw invalid(
                id,
                "would lose records: only %s, which would go, is in sync; keep one of these or"
                        + " bring back another replica first",
                state.isr());
    }

    @FormatMethod
    private static Refusal invalid(
            NamedPartition id, @FormatString String format, Object... arguments) {
        return refusal(id, ErrorCode.INVALID_REPLICA_ASSIGNMENT, format, arguments);
    }

    @FormatMethod
    private static Refusal refusal(
            NamedPartition id, ErrorCode code, @FormatString String format, Object... arguments) {
        return new Refusal(
                new ApiError(
                        code,
                        "Partition %d of topic %s %s."
                                .formatted(
                                        id.partition(), id.topic(), format.formatted(arguments))));
    }
}

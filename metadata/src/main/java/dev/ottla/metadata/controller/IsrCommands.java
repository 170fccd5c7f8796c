package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.MetadataRecord.PartitionChange;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Changes of the ISR that leaders ask for (AlterPartition).
final class IsrCommands {
    private final Context context;

    IsrCommands(Context context) {
        this.context = context;
    }

    /// Each partition succeeds or fails by itself, but all fail when the broker's epoch is over.
    Outcome<BrokerReply<AlteredPartition>> alter(
            int brokerId, long brokerEpoch, List<AlterPartition> requests) {
        ClusterImage image = context.image();
        Optional<ApiError> stale = BrokerCommands.stale(image, brokerId, brokerEpoch);
        if (stale.isPresent()) {
            return Outcome.unchanged(BrokerReply.refused(stale.get()));
        }
        PartitionSweep sweep = new PartitionSweep(context, image);
        Set<PartitionId> seen = new HashSet<>();
        List<MetadataRecord> records = new ArrayList<>();
        Map<PartitionId, ApiError> errors = new HashMap<>();
        for (AlterPartition request : requests) {
            try {
                if (!seen.add(request.partition())) {
                    throw refusal(request, ErrorCode.INVALID_REQUEST, "is named twice");
                }
                change(brokerId, request, sweep).ifPresent(records::add);
            } catch (Refusal refusal) {
                errors.put(request.partition(), refusal.error());
            }
        }
        ImageDelta delta = new ImageDelta(image);
        delta.replayAll(records);
        ClusterImage after = delta.apply(image.version());
        return new Outcome<>(
                records,
                BrokerReply.of(
                        requests.stream()
                                .map(request ->
                                        result(brokerId, request.partition(), errors, after))
                                .toList()));
    }

    private static AlteredPartition result(
            int brokerId,
            PartitionId partition,
            Map<PartitionId, ApiError> errors,
            ClusterImage after) {
        ApiError error = errors.getOrDefault(partition, ApiError.NONE);
        if (!error.isNone()) return new AlteredPartition(partition, error, Optional.empty());
        PartitionState state =
                after.partition(partition.topicId(), partition.partition()).orElseThrow();
        if (state.leader() != brokerId) {
            error =
                    ApiError.of(
                            ErrorCode.NEW_LEADER_ELECTED,
                            "The change led to another leader: %d now leads partition %d of topic"
                                    + " %s.",
                            state.leader(),
                            partition.partition(),
                            partition.topicId());
        }
        return new AlteredPartition(partition, error, Optional.of(state));
    }

    private Optional<PartitionChange> change(
            int brokerId, AlterPartition request, PartitionSweep sweep) throws Refusal {
        PartitionId id = request.partition();
        TopicState topic =
                context.image()
                        .topic(id.topicId())
                        .orElseThrow(() ->
                                refusal(
                                        request,
                                        ErrorCode.UNKNOWN_TOPIC_ID,
                                        "belongs to no topic that exists"));
        PartitionState state =
                topic.partition(id.partition())
                        .orElseThrow(() ->
                                refusal(
                                        request,
                                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                                        "does not exist"));
        checkEpochs(brokerId, request, state);
        BrokerIds isr = BrokerIds.copyOf(request.isr().stream().map(IsrMember::brokerId).toList());
        checkIsr(brokerId, request, state, isr);
        if (isr.equals(state.isr()) && request.recovering() == state.recovering()) {
            return Optional.empty();
        }
        for (IsrMember member : request.isr()) checkMember(request, state, member);
        return sweep.view(topic)
                .update(id.partition(), state, false)
                .isr(isr)
                .recovering(request.recovering())
                .build();
    }

    private static void checkEpochs(int brokerId, AlterPartition request, PartitionState state)
            throws Refusal {
        if (request.leaderEpoch() > state.leaderEpoch()
                || request.partitionEpoch() > state.partitionEpoch()) {
            throw refusal(
                    request,
                    ErrorCode.NOT_CONTROLLER,
                    "is known here with older epochs: ask the active controller");
        }
        if (request.leaderEpoch() < state.leaderEpoch()) {
            throw refusal(
                    request,
                    ErrorCode.FENCED_LEADER_EPOCH,
                    "has leader epoch " + state.leaderEpoch() + " now");
        }
        if (state.leader() != brokerId) {
            throw refusal(
                    request,
                    ErrorCode.INVALID_REQUEST,
                    "is led by broker " + state.leader() + ", not by " + brokerId);
        }
        if (request.partitionEpoch() < state.partitionEpoch()) {
            throw refusal(
                    request,
                    ErrorCode.INVALID_UPDATE_VERSION,
                    "has partition epoch " + state.partitionEpoch() + " now");
        }
    }

    private static void checkIsr(
            int brokerId, AlterPartition request, PartitionState state, BrokerIds isr)
            throws Refusal {
        if (!isr.has(brokerId)
                || !state.replicas().containsAll(isr)
                || new HashSet<>(isr).size() != isr.size()) {
            throw refusal(
                    request,
                    ErrorCode.INVALID_REQUEST,
                    "has the replicas %s: the ISR %s must contain its leader and no others"
                            .formatted(state.replicas(), isr));
        }
        if (request.recovering() && (isr.size() > 1 || !state.recovering())) {
            throw refusal(
                    request,
                    ErrorCode.INVALID_REQUEST,
                    "cannot begin to recover, nor have more than its leader in the ISR while it"
                            + " does");
        }
    }

    private void checkMember(AlterPartition request, PartitionState state, IsrMember member)
            throws Refusal {
        Optional<BrokerState> broker = context.image().broker(member.brokerId());
        boolean eligible =
                broker.isPresent()
                        && broker.get().isActive()
                        && broker.get().hasOnline(state.directoryOf(member.brokerId()))
                        && (state.isr().has(member.brokerId())
                                || broker.get().hasRoom(state.directoryOf(member.brokerId())))
                        && (member.brokerEpoch() == -1
                                || member.brokerEpoch() == broker.get().epoch());
        if (!eligible) {
            throw refusal(
                    request,
                    ErrorCode.INELIGIBLE_REPLICA,
                    "cannot have broker %d of epoch %d in its ISR: that incarnation is not active, or has no room"
                            .formatted(member.brokerId(), member.brokerEpoch()));
        }
    }

    private static Refusal refusal(AlterPartition request, ErrorCode code, String what) {
        return Refusal.of(
                code,
                "Partition %d of topic %s %s.",
                request.partition().partition(),
                request.partition().topicId(),
                what);
    }
}

package dev.ottla.group.consumer;

import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.group.record.GroupRecord.CurrentAssignmentValue;
import dev.ottla.wire.Uuid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Brings one member a step closer to its target assignment: first it gives up what it shall not
/// keep, then it gets what nobody else holds any more. So no partition ever has two owners. A pure
/// function over the values it is made with.
///
/// @param current what the member owns
/// @param targetEpoch group epoch that the target was made for
/// @param target what the member shall own
/// @param subscribed ids of the topics the member subscribes to; no other is given to it
/// @param heldByOthers tells which partitions another member still holds
/// @param reported what the member itself says it owns, if it says
record Reconciler(
        CurrentAssignmentValue current,
        int targetEpoch,
        Assignment target,
        Set<Uuid> subscribed,
        Holders heldByOthers,
        Optional<Assignment> reported) {
    /// Who holds what.
    interface Holders {
        boolean holds(Uuid topicId, int partition);
    }

    /// What the member owns after this step; the same object when there is nothing to do.
    ///
    /// @param subscriptionChanged the member no longer subscribes to what it did
    CurrentAssignmentValue next(boolean subscriptionChanged) {
        return switch (MemberState.of(current.state())) {
            case STABLE -> {
                if (current.memberEpoch() != targetEpoch)
                    yield towardsTarget(current.memberEpoch());
                yield subscriptionChanged ? withoutUnsubscribed() : current;
            }
            case UNREVOKED_PARTITIONS -> {
                if (!memberStillHas(current.pendingRevocation())) {
                    yield towardsTarget(current.memberEpoch());
                }
                yield subscriptionChanged ? withoutUnsubscribed() : current;
            }
            case UNRELEASED_PARTITIONS -> towardsTarget(current.memberEpoch());
            case UNKNOWN -> towardsTarget(targetEpoch);
        };
    }

    /// Not hearing about it, we assume that the member still has what we told it to give up.
    private boolean memberStillHas(OwnedPartitions revoked) {
        if (reported.isEmpty()) return true;
        return revoked.epochs().entrySet().stream()
                .anyMatch(entry -> {
                    PartitionSet owned = reported.get().of(entry.getKey());
                    return entry.getValue().keySet().stream().anyMatch(owned::contains);
                });
    }

    private CurrentAssignmentValue towardsTarget(int memberEpoch) {
        Map<Uuid, Map<Integer, Integer>> kept = new HashMap<>();
        Map<Uuid, Map<Integer, Integer>> revoked = new HashMap<>();
        Map<Uuid, PartitionSet> given = new HashMap<>();
        boolean unreleased = false;
        Set<Uuid> topicIds = new HashSet<>(target.topics().keySet());
        topicIds.addAll(current.assigned().epochs().keySet());
        for (Uuid topicId : topicIds) {
            PartitionSet wanted =
                    subscribed.contains(topicId) ? target.of(topicId) : PartitionSet.EMPTY;
            Map<Integer, Integer> has = current.assigned().of(topicId);
            split(topicId, has, wanted, kept, revoked);
            PartitionSet missing = wanted.filter(partition -> !has.containsKey(partition));
            PartitionSet free =
                    missing.filter(partition -> !heldByOthers.holds(topicId, partition));
            if (free.size() < missing.size()) unreleased = true;
            if (!free.isEmpty()) given.put(topicId, free);
        }
        OwnedPartitions toRevoke = new OwnedPartitions(revoked);
        if (!toRevoke.isEmpty() && memberStillHas(toRevoke)) {
            return value(
                    MemberState.UNREVOKED_PARTITIONS,
                    memberEpoch,
                    new OwnedPartitions(kept),
                    toRevoke);
        }
        given.forEach((topicId, partitions) -> {
            Map<Integer, Integer> ofTopic = kept.computeIfAbsent(topicId, _ -> new HashMap<>());
            partitions.stream().forEach(partition -> ofTopic.put(partition, targetEpoch));
        });
        return value(
                unreleased ? MemberState.UNRELEASED_PARTITIONS : MemberState.STABLE,
                targetEpoch,
                new OwnedPartitions(kept),
                OwnedPartitions.EMPTY);
    }

    private static void split(
            Uuid topicId,
            Map<Integer, Integer> has,
            PartitionSet wanted,
            Map<Uuid, Map<Integer, Integer>> kept,
            Map<Uuid, Map<Integer, Integer>> revoked) {
        has.forEach((partition, epoch) ->
                (wanted.contains(partition) ? kept : revoked)
                        .computeIfAbsent(topicId, _ -> new HashMap<>())
                        .put(partition, epoch));
    }

    /// Takes away the topics that the member no longer subscribes to, before there is a new target.
    private CurrentAssignmentValue withoutUnsubscribed() {
        Map<Uuid, Map<Integer, Integer>> kept = new HashMap<>();
        Map<Uuid, Map<Integer, Integer>> revoked = new HashMap<>();
        current.pendingRevocation()
                .epochs()
                .forEach((topicId, ofTopic) -> revoked.put(topicId, new HashMap<>(ofTopic)));
        current.assigned()
                .epochs()
                .forEach((topicId, ofTopic) -> {
                    if (subscribed.contains(topicId)) kept.put(topicId, ofTopic);
                    else revoked.computeIfAbsent(topicId, _ -> new HashMap<>()).putAll(ofTopic);
                });
        OwnedPartitions assigned = new OwnedPartitions(kept);
        if (assigned.equals(current.assigned())) return current;
        OwnedPartitions toRevoke = new OwnedPartitions(revoked);
        return memberStillHas(toRevoke)
                ? value(MemberState.UNREVOKED_PARTITIONS, current.memberEpoch(), assigned, toRevoke)
                : value(
                        MemberState.of(current.state()),
                        current.memberEpoch(),
                        assigned,
                        current.pendingRevocation());
    }

    /// The value with `state` and the rest; `current` itself when they are equal.
    private CurrentAssignmentValue value(
            MemberState state,
            int memberEpoch,
            OwnedPartitions assigned,
            OwnedPartitions pendingRevocation) {
        boolean same =
                state.code() == current.state()
                        && memberEpoch == current.memberEpoch()
                        && assigned.equals(current.assigned())
                        && pendingRevocation.equals(current.pendingRevocation());
        if (same) return current;
        return new CurrentAssignmentValue(
                memberEpoch, current.memberEpoch(), state.code(), assigned, pendingRevocation);
    }
}

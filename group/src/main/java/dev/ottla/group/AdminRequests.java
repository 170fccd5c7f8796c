package dev.ottla.group;

import dev.ottla.group.ListedGroup.GroupType;
import dev.ottla.group.classic.ClassicGroup;
import dev.ottla.group.classic.DescribedGroup;
import dev.ottla.group.consumer.ConsumerGroup;
import dev.ottla.group.consumer.DescribedConsumerGroup;
import dev.ottla.group.history.RebalanceHistory;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.shell.Refusal;
import dev.ottla.group.shell.Reply;
import dev.ottla.group.shell.Turn;
import dev.ottla.wire.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// The requests of administrators about groups as a whole. Owned by the coordinator's thread.
final class AdminRequests {
    private static final String CONSUMER = "consumer";

    private final Parts parts;
    private final Groups groups;
    private final Turn turn;

    AdminRequests(Parts parts) {
        this.parts = parts;
        this.groups = parts.groups;
        this.turn = parts.turn;
    }

    void describeGroup(String groupId, Reply<DescribedGroup> reply) {
        Optional<ClassicGroup> group = groups.classic(groupId);
        if (group.isPresent()) turn.complete(reply, group.get().describe());
        else turn.refuse(reply, otherGroup(groupId, "classic"));
    }

    void describeConsumerGroup(String groupId, Reply<DescribedConsumerGroup> reply) {
        Optional<ConsumerGroup> group = groups.consumer(groupId);
        if (group.isEmpty()) {
            turn.refuse(reply, otherGroup(groupId, CONSUMER));
            return;
        }
        String defaultAssignor =
                parts.configs.consumer(groupId).assignors().stream().findFirst().orElse("");
        turn.complete(reply, group.get().describe(defaultAssignor));
    }

    private Refusal otherGroup(String groupId, String wanted) {
        if (!groups.exists(groupId)) {
            return Parts.noSuchGroup(ErrorCode.GROUP_ID_NOT_FOUND, groupId);
        }
        return Refusal.of(
                ErrorCode.GROUP_ID_NOT_FOUND,
                "Group %s is not a %s group. Describe it with the request of its own type.",
                groupId,
                wanted);
    }

    void listGroups(
            Collection<String> states, Collection<String> types, Reply<List<ListedGroup>> reply) {
        List<ListedGroup> listed = new ArrayList<>();
        for (ClassicGroup group : groups.allClassic()) {
            listed.add(
                    new ListedGroup(
                            group.groupId(),
                            group.protocolType().orElse(""),
                            group.state().label(),
                            GroupType.CLASSIC));
        }
        for (ConsumerGroup group : groups.allConsumer()) {
            listed.add(
                    new ListedGroup(group.groupId(), CONSUMER, group.state(), GroupType.CONSUMER));
        }
        listed.removeIf(
                group -> !passes(group.state(), states) || !passes(group.type().label(), types));
        turn.complete(reply, List.copyOf(listed));
    }

    private static boolean passes(String value, Collection<String> filter) {
        return filter.isEmpty() || filter.stream().anyMatch(value::equalsIgnoreCase);
    }

    void deleteGroup(String groupId, Reply<String> reply) {
        Optional<ClassicGroup> classic = groups.classic(groupId);
        Optional<ConsumerGroup> consumer = groups.consumer(groupId);
        Optional<Refusal> refusal =
                Parts.checkGroupId(groupId)
                        .or(() -> classic.flatMap(ClassicGroup::checkDelete))
                        .or(() -> consumer.flatMap(ConsumerGroup::checkDelete));
        if (refusal.isEmpty() && !groups.exists(groupId)) {
            refusal = Optional.of(Parts.noSuchGroup(ErrorCode.GROUP_ID_NOT_FOUND, groupId));
        }
        if (refusal.isPresent()) {
            turn.refuse(reply, refusal.get());
            return;
        }
        parts.offsets.deleteAll(groupId, turn);
        if (consumer.isPresent()) {
            parts.consumer.delete(consumer.get(), turn);
        } else {
            turn.write(new GroupRecord.Classic(groupId, Optional.empty()));
        }
        groups.forgetHistories();
        turn.complete(reply, groupId);
    }

    List<RebalanceHistory.Entry> rebalances(String groupId) {
        return groups.exists(groupId) ? groups.history(groupId).entries() : List.of();
    }
}

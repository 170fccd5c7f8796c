package dev.ottla.group.consumer;

import dev.ottla.group.assignor.Assignor;
import dev.ottla.group.assignor.GroupSpec;
import dev.ottla.group.assignor.MemberSpec;
import dev.ottla.group.partition.Assignment;
import dev.ottla.group.record.GroupRecord.ConsumerMemberValue;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Computes the target assignment of a group: puts the question to an assignor. Pure functions.
final class TargetAssignments {
    private TargetAssignments() {}

    private record Subscription(Set<String> names, Optional<String> regex) {
        static Subscription of(ConsumerMemberValue info) {
            return new Subscription(info.subscribedTopicNames(), info.subscribedTopicRegex());
        }
    }

    /// The target of every member.
    static Map<String, Assignment> compute(
            ConsumerGroup group, TopicsView topics, Assignor assignor) {
        // Members mostly subscribe alike; they then share one set, which makes the assignor's work
        // short.
        Map<Subscription, Set<Uuid>> topicIds = new HashMap<>();
        Map<Uuid, Integer> partitionCounts = new HashMap<>();
        List<MemberSpec> members = new ArrayList<>(group.size());
        for (ConsumerMember member : group.members()) {
            Set<Uuid> subscribed =
                    topicIds.computeIfAbsent(
                            Subscription.of(member.info()),
                            _ -> Set.copyOf(group.subscribedTopicIds(member.info(), topics)));
            members.add(
                    new MemberSpec(
                            member.memberId(),
                            member.info().instanceId(),
                            subscribed,
                            group.target(member.memberId())));
        }
        topicIds.values()
                .forEach(ids ->
                        ids.forEach(id ->
                                topics.byId(id)
                                        .ifPresent(topic ->
                                                partitionCounts.put(id, topic.partitionCount()))));
        return assignor.assign(new GroupSpec(members, partitionCounts));
    }
}

package dev.ottla.group;

import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.OwnedPartitions;
import dev.ottla.group.record.GroupRecord;
import dev.ottla.group.shell.TopicsView;
import dev.ottla.wire.Uuid;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Records as short lines for people.
final class RecordText {
    private RecordText() {}

    static String of(GroupRecord record, UnaryOperator<String> names) {
        return switch (record) {
            case GroupRecord.Offset(_, var topic, var partition, var value) ->
                    "offset %s-%d: %s"
                            .formatted(
                                    topic,
                                    partition,
                                    value.map(offset -> String.valueOf(offset.offset()))
                                            .orElse("gone"));
            case GroupRecord.Classic(_, var value) ->
                    "classic group: "
                            + value.map(group ->
                                            "generation %d, leader %s, members %s"
                                                    .formatted(
                                                            group.generation(),
                                                            group.leader()
                                                                    .map(names)
                                                                    .orElse("none"),
                                                            group.members().stream()
                                                                    .map(member ->
                                                                            names.apply(
                                                                                    member
                                                                                            .memberId()))
                                                                    .toList()))
                                    .orElse("gone");
            case GroupRecord.ConsumerEpoch(_, var value) ->
                    "group epoch: "
                            + value.map(epoch -> String.valueOf(epoch.epoch())).orElse("gone");
            case GroupRecord.ConsumerMember(_, var member, var value) ->
                    "member %s: %s"
                            .formatted(
                                    names.apply(member),
                                    value.map(RecordText::subscription).orElse("gone"));
            case GroupRecord.TargetEpoch(_, var value) ->
                    "assignment epoch: "
                            + value.map(epoch -> String.valueOf(epoch.epoch())).orElse("gone");
            case GroupRecord.TargetAssignment(_, var member, var value) ->
                    "target of %s: %s"
                            .formatted(
                                    names.apply(member),
                                    value.map(target -> target.size() + " partitions")
                                            .orElse("gone"));
            case GroupRecord.CurrentAssignment(_, var member, var value) ->
                    "current of %s: %s"
                            .formatted(
                                    names.apply(member),
                                    value.map(RecordText::current).orElse("gone"));
            case GroupRecord.ResolvedRegex(_, var regex, var value) ->
                    "pattern %s: %s"
                            .formatted(
                                    regex,
                                    value.map(it ->
                                                    it.topics().stream()
                                                            .sorted()
                                                            .toList()
                                                            .toString())
                                            .orElse("gone"));
            case GroupRecord.Unknown(var type) -> "record of type " + type;
        };
    }

    private static String subscription(GroupRecord.ConsumerMemberValue value) {
        return value.subscribedTopicRegex()
                        .map(regex -> "pattern " + regex)
                        .orElse(value.subscribedTopicNames().stream().sorted().toList().toString())
                + (value.classic().isPresent() ? ", classic" : "")
                + value.instanceId().map(id -> ", instance " + id).orElse("");
    }

    private static String current(GroupRecord.CurrentAssignmentValue value) {
        String state =
                switch (value.state()) {
                    case 0 -> "stable";
                    case 1 -> "unrevoked";
                    case 2 -> "unreleased";
                    default -> "unknown";
                };
        return "epoch %d, %s, has %s%s"
                .formatted(
                        value.memberEpoch(),
                        state,
                        count(value.assigned()),
                        value.pendingRevocation().isEmpty()
                                ? ""
                                : ", gives up " + count(value.pendingRevocation()));
    }

    private static int count(OwnedPartitions partitions) {
        return partitions.assignment().size();
    }

    /// Partitions by topic name.
    static String assignment(Assignment assignment, TopicsView topics) {
        TreeMap<String, Object> byName = new TreeMap<>();
        assignment
                .topics()
                .forEach((id, partitions) -> byName.put(topicName(id, topics), partitions));
        return byName.isEmpty() ? "nothing" : byName.toString();
    }

    private static String topicName(Uuid id, TopicsView topics) {
        return topics.byId(id).map(TopicsView.Topic::name).orElse("a deleted topic");
    }
}

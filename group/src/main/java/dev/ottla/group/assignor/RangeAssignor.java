package dev.ottla.group.assignor;

import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Gives each member a contiguous range of each topic's partitions. The members of a topic stand in
/// a fixed order, so topics with as many partitions and the same members are split alike
/// (co-partitioned).
public record RangeAssignor() implements Assignor {
    public static final String NAME = "range";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, Assignment> assign(GroupSpec group) {
        Map<Uuid, List<MemberSpec>> subscribers = new HashMap<>();
        for (MemberSpec member : group.members()) {
            for (Uuid topicId : member.topics()) {
                subscribers.computeIfAbsent(topicId, _ -> new ArrayList<>()).add(member);
            }
        }
        Map<String, Map<Uuid, PartitionSet>> ranges = new HashMap<>();
        subscribers.forEach((topicId, members) ->
                assignTopic(
                        topicId,
                        group.partitionCounts().getOrDefault(topicId, 0),
                        members,
                        ranges));
        Map<String, Assignment> assignments = new HashMap<>();
        for (MemberSpec member : group.members()) {
            Assignment assigned = new Assignment(ranges.getOrDefault(member.memberId(), Map.of()));
            assignments.put(
                    member.memberId(),
                    assigned.equals(member.previous()) ? member.previous() : assigned);
        }
        return assignments;
    }

    /// The first members get one partition more when they do not come out even.
    private static void assignTopic(
            Uuid topicId,
            int partitionCount,
            List<MemberSpec> members,
            Map<String, Map<Uuid, PartitionSet>> ranges) {
        int least = partitionCount / members.size();
        int withOneMore = partitionCount % members.size();
        int first = 0;
        for (int i = 0; i < members.size() && first < partitionCount; i++) {
            int end = first + least + (i < withOneMore ? 1 : 0);
            ranges.computeIfAbsent(members.get(i).memberId(), _ -> new HashMap<>())
                    .put(topicId, PartitionSet.range(first, end));
            first = end;
        }
    }
}

package dev.ottla.group.assignor;

import dev.ottla.group.partition.Assignment;
import dev.ottla.wire.Uuid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Uniform assignment when all members subscribe to the same topics: every member has a quota,
/// keeps what it had up to that, and the rest is dealt out. Linear in members and partitions. One
/// use each.
final class HomogeneousBalance {
    private final GroupSpec group;
    private final List<Uuid> topics;
    private final Map<Uuid, BitSet> taken = new HashMap<>();
    private final Map<String, AssignmentBuilder> built = new HashMap<>();
    private final int quota;
    private int extras; // members that may still exceed the quota by one

    HomogeneousBalance(GroupSpec group) {
        this.group = group;
        Set<Uuid> subscribed =
                group.members().isEmpty() ? Set.of() : group.members().getFirst().topics();
        this.topics =
                subscribed.stream().filter(group.partitionCounts()::containsKey).sorted().toList();
        int partitionCount = topics.stream().mapToInt(this::partitionCount).sum();
        int memberCount = Math.max(group.members().size(), 1);
        this.quota = partitionCount / memberCount;
        this.extras = partitionCount % memberCount;
    }

    private int partitionCount(Uuid topicId) {
        return group.partitionCounts().getOrDefault(topicId, 0);
    }

    Map<String, Assignment> assign() {
        topics.forEach(topicId -> taken.put(topicId, new BitSet()));
        List<MemberSpec> hungry = new ArrayList<>();
        for (MemberSpec member : group.members()) {
            AssignmentBuilder builder = new AssignmentBuilder();
            built.put(member.memberId(), builder);
            keepPrevious(member, builder);
            if (builder.size() <= quota) hungry.add(member);
        }
        dealOut(hungry);
        Map<String, Assignment> assignments = new HashMap<>();
        for (MemberSpec member : group.members()) {
            assignments.put(member.memberId(), builder(member).build(member.previous()));
        }
        return assignments;
    }

    private AssignmentBuilder builder(MemberSpec member) {
        return built.computeIfAbsent(member.memberId(), _ -> new AssignmentBuilder());
    }

    private void keepPrevious(MemberSpec member, AssignmentBuilder builder) {
        int limit = quota;
        for (Uuid topicId : topics) {
            BitSet ofTopic = taken.getOrDefault(topicId, new BitSet());
            var previous = member.previous().of(topicId);
            for (int i = 0; i < previous.size(); i++) {
                int partition = previous.at(i);
                if (partition >= partitionCount(topicId) || ofTopic.get(partition)) continue;
                if (builder.size() == limit) {
                    if (limit > quota || extras == 0) return;
                    limit++;
                    extras--;
                }
                ofTopic.set(partition);
                builder.add(topicId, partition);
            }
        }
    }

    /// Deals the partitions that nobody kept, topic by topic and one by one, so that the partitions
    /// of a topic go to different members. First everyone is filled up to the quota, then some get
    /// one more.
    private void dealOut(List<MemberSpec> hungry) {
        ArrayDeque<AssignmentBuilder> belowQuota = new ArrayDeque<>();
        ArrayDeque<AssignmentBuilder> atQuota = new ArrayDeque<>();
        for (MemberSpec member : hungry) {
            AssignmentBuilder builder = builder(member);
            (builder.size() < quota ? belowQuota : atQuota).add(builder);
        }
        for (Uuid topicId : topics) {
            BitSet ofTopic = taken.getOrDefault(topicId, new BitSet());
            int partitionCount = partitionCount(topicId);
            for (int partition = ofTopic.nextClearBit(0);
                    partition < partitionCount;
                    partition = ofTopic.nextClearBit(partition + 1)) {
                AssignmentBuilder next =
                        belowQuota.isEmpty() ? atQuota.removeFirst() : belowQuota.removeFirst();
                next.add(topicId, partition);
                if (next.size() < quota) belowQuota.addLast(next);
                else if (next.size() == quota) atQuota.addLast(next);
            }
        }
    }
}

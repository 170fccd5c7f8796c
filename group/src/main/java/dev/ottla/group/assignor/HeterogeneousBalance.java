package dev.ottla.group.assignor;

import dev.ottla.group.partition.Assignment;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Uniform assignment when members subscribe to different topics. Three steps: keep what is still
/// valid; give each free partition to its least loaded subscriber, topics with few subscribers
/// first; then move partitions from loaded members to others that are at least two behind and could
/// take them, until there is none. A move always lowers the sum of the squared loads, so it ends;
/// passes are bounded besides.
///
/// A pass costs as much as all subscriptions together, times a logarithm. One use each.
final class HeterogeneousBalance {
    private static final int MAX_PASSES = 64;
    private static final int NOBODY = -1;

    private final GroupSpec group;
    private final List<MemberSpec> members;
    private final List<Topic> topics = new ArrayList<>();
    private final int[] loads; // partitions by member

    /// A topic with its subscribers (positions in `members`) and the owner of each partition.
    private static final class Topic {
        final Uuid id;
        final int[] subscribers;
        final int[] owners;

        Topic(Uuid id, int[] subscribers, int partitionCount) {
            this.id = id;
            this.subscribers = subscribers;
            this.owners = new int[partitionCount];
            Arrays.fill(owners, NOBODY);
        }

        Uuid id() {
            return id;
        }
    }

    HeterogeneousBalance(GroupSpec group) {
        this.group = group;
        this.members = group.members();
        this.loads = new int[members.size()];
    }

    Map<String, Assignment> assign() {
        findTopics();
        topics.forEach(this::keepPrevious);
        topics.sort(
                Comparator.<Topic>comparingInt(topic -> topic.subscribers.length)
                        .thenComparing(Topic::id));
        topics.forEach(this::giveAwayFree);
        boolean moved = true;
        for (int pass = 0; pass < MAX_PASSES && moved; pass++) {
            moved = false;
            for (Topic topic : topics) moved |= balance(topic);
        }
        return result();
    }

    private void findTopics() {
        Map<Uuid, List<Integer>> subscribers = new HashMap<>();
        for (int i = 0; i < members.size(); i++) {
            for (Uuid topicId : members.get(i).topics()) {
                if (!group.partitionCounts().containsKey(topicId)) continue;
                subscribers.computeIfAbsent(topicId, _ -> new ArrayList<>()).add(i);
            }
        }
        subscribers.forEach((topicId, positions) -> {
            int[] sorted = positions.stream().mapToInt(Integer::intValue).toArray();
            topics.add(
                    new Topic(topicId, sorted, group.partitionCounts().getOrDefault(topicId, 0)));
        });
    }

    private void keepPrevious(Topic topic) {
        for (int member : topic.subscribers) {
            var previous = members.get(member).previous().of(topic.id);
            for (int i = 0; i < previous.size(); i++) {
                int partition = previous.at(i);
                if (partition >= topic.owners.length || topic.owners[partition] != NOBODY) {
                    continue;
                }
                own(topic, partition, member);
            }
        }
    }

    private void own(Topic topic, int partition, int member) {
        int before = topic.owners[partition];
        if (before != NOBODY) loads[before]--;
        topic.owners[partition] = member;
        loads[member]++;
    }

    private void giveAwayFree(Topic topic) {
        if (Arrays.stream(topic.owners).noneMatch(owner -> owner == NOBODY)) return;
        LoadOrder order = new LoadOrder(topic);
        for (int partition = 0; partition < topic.owners.length; partition++) {
            if (topic.owners[partition] == NOBODY) order.own(partition, order.leastLoaded());
        }
    }

    /// Moves partitions of one topic down the slope; true when any moved. Afterwards no owner of
    /// this topic has two partitions more than another subscriber.
    private boolean balance(Topic topic) {
        int lowest = Integer.MAX_VALUE;
        for (int member : topic.subscribers) lowest = Math.min(lowest, loads[member]);
        List<Integer> movable = new ArrayList<>();
        for (int partition = 0; partition < topic.owners.length; partition++) {
            if (loads[topic.owners[partition]] > lowest + 1) movable.add(partition);
        }
        if (movable.isEmpty()) return false;
        movable.sort(
                Comparator.<Integer>comparingInt(partition -> -loads[topic.owners[partition]])
                        .thenComparing(Comparator.naturalOrder()));
        LoadOrder order = new LoadOrder(topic);
        boolean moved = false;
        for (int partition : movable) {
            int taker = order.leastLoaded();
            if (loads[topic.owners[partition]] <= loads[taker] + 1) continue;
            order.own(partition, taker);
            moved = true;
        }
        return moved;
    }

    /// The subscribers of one topic, the least loaded first; equal loads in the members' order.
    private final class LoadOrder {
        private final Topic topic;
        private final TreeSet<Long> order = new TreeSet<>(); // load and position in one number

        LoadOrder(Topic topic) {
            this.topic = topic;
            for (int member : topic.subscribers) order.add(key(member));
        }

        private long key(int member) {
            return ((long) loads[member] << 32) | member;
        }

        int leastLoaded() {
            return (int) (long) order.first();
        }

        void own(int partition, int member) {
            int before = topic.owners[partition];
            if (before != NOBODY) order.remove(key(before));
            order.remove(key(member));
            HeterogeneousBalance.this.own(topic, partition, member);
            if (before != NOBODY) order.add(key(before));
            order.add(key(member));
        }
    }

    private Map<String, Assignment> result() {
        List<AssignmentBuilder> built = new ArrayList<>(members.size());
        members.forEach(_ -> built.add(new AssignmentBuilder()));
        for (Topic topic : topics) {
            for (int partition = 0; partition < topic.owners.length; partition++) {
                built.get(topic.owners[partition]).add(topic.id, partition);
            }
        }
        Map<String, Assignment> assignments = new HashMap<>();
        for (int i = 0; i < members.size(); i++) {
            MemberSpec member = members.get(i);
            assignments.put(member.memberId(), built.get(i).build(member.previous()));
        }
        return assignments;
    }
}

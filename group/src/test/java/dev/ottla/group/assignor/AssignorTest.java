package dev.ottla.group.assignor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.group.partition.Assignment;
import dev.ottla.group.partition.PartitionSet;
import dev.ottla.wire.Uuid;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignorTest {
    private static final Uuid A = new Uuid(1, 1);
    private static final Uuid B = new Uuid(1, 2);

    private static MemberSpec member(String id, Set<Uuid> topics, Assignment previous) {
        return new MemberSpec(id, Optional.empty(), topics, previous);
    }

    private static MemberSpec member(String id, Uuid... topics) {
        return member(id, Set.of(topics), Assignment.EMPTY);
    }

    private static GroupSpec group(Map<Uuid, Integer> counts, MemberSpec... members) {
        return new GroupSpec(List.of(members), counts);
    }

    /// The group again, each member with what it was given.
    private static List<MemberSpec> after(List<MemberSpec> members, Map<String, Assignment> given) {
        return members.stream()
                .map(member ->
                        new MemberSpec(
                                member.memberId(),
                                member.instanceId(),
                                member.topics(),
                                given.getOrDefault(member.memberId(), Assignment.EMPTY)))
                .toList();
    }

    @Test
    void rangeSplitsTopicsAlike() {
        Map<String, Assignment> given =
                new RangeAssignor()
                        .assign(group(Map.of(A, 5, B, 5), member("m2", A, B), member("m1", A, B)));

        assertThat(given.get("m1"))
                .isEqualTo(
                        new Assignment(
                                Map.of(A, PartitionSet.range(0, 3), B, PartitionSet.range(0, 3))));
        assertThat(given.get("m2"))
                .isEqualTo(
                        new Assignment(
                                Map.of(A, PartitionSet.range(3, 5), B, PartitionSet.range(3, 5))));
    }

    @Test
    void rangePutsStaticMembersInTheOrderOfTheirInstances() {
        MemberSpec late = new MemberSpec("a", Optional.of("i2"), Set.of(A), Assignment.EMPTY);
        MemberSpec early = new MemberSpec("z", Optional.of("i1"), Set.of(A), Assignment.EMPTY);

        Map<String, Assignment> given =
                new RangeAssignor().assign(group(Map.of(A, 2), late, early));

        assertThat(given.get("z")).isEqualTo(new Assignment(Map.of(A, PartitionSet.of(0))));
    }

    @Test
    void rangeLeavesTopicsToTheirSubscribers() {
        Map<String, Assignment> given =
                new RangeAssignor()
                        .assign(group(Map.of(A, 2, B, 4), member("m1", A), member("m2", A, B)));

        assertThat(part(given, "m1").of(B).isEmpty()).isTrue();
        assertThat(part(given, "m2").of(B)).isEqualTo(PartitionSet.range(0, 4));
    }

    @Test
    void uniformDealsPartitionsOfATopicToDifferentMembers() {
        Map<String, Assignment> given =
                new UniformAssignor()
                        .assign(group(Map.of(A, 2, B, 2), member("m1", A, B), member("m2", A, B)));

        assertThat(part(given, "m1").of(A).size()).isEqualTo(1);
        assertThat(part(given, "m1").of(B).size()).isEqualTo(1);
    }

    @Test
    void uniformMovesNoMoreThanItMust() {
        List<MemberSpec> three = List.of(member("m1", A), member("m2", A), member("m3", A));
        Map<String, Assignment> before =
                new UniformAssignor().assign(new GroupSpec(three, Map.of(A, 9)));

        List<MemberSpec> four = new ArrayList<>(after(three, before));
        four.add(member("m4", A));
        Map<String, Assignment> joined =
                new UniformAssignor().assign(new GroupSpec(four, Map.of(A, 9)));
        Map<String, Assignment> left =
                new UniformAssignor()
                        .assign(new GroupSpec(after(three, joined).subList(0, 2), Map.of(A, 9)));

        assertThat(part(joined, "m4").size()).isEqualTo(2);
        assertThat(moved(before, joined)).isEqualTo(2);
        assertThat(part(left, "m1").size() + part(left, "m2").size()).isEqualTo(9);
        assertThat(moved(joined, left))
                .isEqualTo(9 - part(joined, "m1").size() - part(joined, "m2").size());
    }

    private static Assignment part(Map<String, Assignment> given, String memberId) {
        return given.getOrDefault(memberId, Assignment.EMPTY);
    }

    /// Partitions that a member has after and had not before.
    private static int moved(Map<String, Assignment> before, Map<String, Assignment> after) {
        int moved = 0;
        for (var entry : after.entrySet()) {
            Assignment had = before.getOrDefault(entry.getKey(), Assignment.EMPTY);
            for (var topic : entry.getValue().topics().entrySet()) {
                moved += topic.getValue().minus(had.of(topic.getKey())).size();
            }
        }
        return moved;
    }

    @Test
    void uniformIsStableWhenNothingChanges() {
        List<MemberSpec> members = List.of(member("m1", A, B), member("m2", A), member("m3", B));
        Map<Uuid, Integer> counts = Map.of(A, 7, B, 5);

        Map<String, Assignment> once = new UniformAssignor().assign(new GroupSpec(members, counts));
        Map<String, Assignment> twice =
                new UniformAssignor().assign(new GroupSpec(after(members, once), counts));

        assertThat(twice).isEqualTo(once);
    }

    @Test
    void uniformForgetsPartitionsThatAreGone() {
        Assignment stale =
                new Assignment(Map.of(A, PartitionSet.range(0, 9), B, PartitionSet.of(0)));

        Map<String, Assignment> given =
                new UniformAssignor().assign(group(Map.of(A, 3), member("m1", Set.of(A), stale)));

        assertThat(given.get("m1")).isEqualTo(new Assignment(Map.of(A, PartitionSet.range(0, 3))));
    }

    @Test
    void nobodyAndNothingAreFine() {
        assertThat(new UniformAssignor().assign(group(Map.of()))).isEmpty();
        assertThat(new UniformAssignor().assign(group(Map.of(), member("m1", A))))
                .isEqualTo(Map.of("m1", Assignment.EMPTY));
        assertThat(new RangeAssignor().assign(group(Map.of(), member("m1", A))))
                .isEqualTo(Map.of("m1", Assignment.EMPTY));
    }

    @Test
    void everyAssignmentIsCompleteAndBalanced() {
        long seed = Long.getLong("ottla.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            String where = "seed " + seed + ", round " + round;
            boolean homogeneous = random.nextBoolean();
            Map<Uuid, Integer> counts = new HashMap<>();
            IntStream.range(0, 1 + random.nextInt(6))
                    .forEach(i -> counts.put(new Uuid(5, i), 1 + random.nextInt(20)));
            List<MemberSpec> members = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(12); i++) {
                members.add(
                        member(
                                "m" + i,
                                topics(counts.keySet(), homogeneous, random),
                                Assignment.EMPTY));
            }
            for (int change = 0; change < 4; change++) {
                GroupSpec group = new GroupSpec(members, counts);
                Map<String, Assignment> range = new RangeAssignor().assign(group);
                checkComplete(group, range, where);
                Map<String, Assignment> uniform = new UniformAssignor().assign(group);
                checkComplete(group, uniform, where);
                checkBalanced(group, uniform, where);
                members = new ArrayList<>(after(members, uniform));
                if (random.nextBoolean() && members.size() > 1) {
                    members.remove(random.nextInt(members.size()));
                } else {
                    members.add(
                            member(
                                    "n" + change,
                                    topics(counts.keySet(), homogeneous, random),
                                    Assignment.EMPTY));
                }
            }
        }
    }

    private static Set<Uuid> topics(Set<Uuid> all, boolean homogeneous, Random random) {
        if (homogeneous) return all;
        Set<Uuid> some = new HashSet<>();
        all.forEach(id -> {
            if (random.nextInt(3) > 0) some.add(id);
        });
        return some;
    }

    private static void checkComplete(
            GroupSpec group, Map<String, Assignment> given, String where) {
        Map<Uuid, Set<Integer>> owned = new HashMap<>();
        for (MemberSpec member : group.members()) {
            given.getOrDefault(member.memberId(), Assignment.EMPTY)
                    .topics()
                    .forEach((topicId, partitions) -> {
                        assertThat(member.topics()).as(where).contains(topicId);
                        partitions.stream()
                                .forEach(partition ->
                                        assertThat(
                                                        owned.computeIfAbsent(
                                                                        topicId,
                                                                        _ -> new HashSet<>())
                                                                .add(partition))
                                                .as(where + ": two owners")
                                                .isTrue());
                    });
        }
        group.partitionCounts()
                .forEach((topicId, count) -> {
                    boolean subscribed =
                            group.members().stream()
                                    .anyMatch(member -> member.topics().contains(topicId));
                    assertThat(owned.getOrDefault(topicId, Set.of()))
                            .as(where)
                            .hasSize(subscribed ? count : 0);
                });
    }

    private static void checkBalanced(
            GroupSpec group, Map<String, Assignment> given, String where) {
        for (MemberSpec loaded : group.members()) {
            Assignment has = given.getOrDefault(loaded.memberId(), Assignment.EMPTY);
            for (MemberSpec other : group.members()) {
                int otherSize = given.getOrDefault(other.memberId(), Assignment.EMPTY).size();
                boolean couldTake =
                        has.topics().keySet().stream().anyMatch(other.topics()::contains);
                if (couldTake) {
                    assertThat(has.size())
                            .as("%s: %s against %s", where, loaded, other)
                            .isLessThanOrEqualTo(otherSize + 1);
                }
            }
        }
    }

    @Test
    void aThousandMembersTakeLittleTime() {
        Map<Uuid, Integer> counts = new HashMap<>();
        IntStream.range(0, 100).forEach(i -> counts.put(new Uuid(5, i), 100));
        Set<Uuid> all = Set.copyOf(counts.keySet());
        List<MemberSpec> members =
                new ArrayList<>(
                        IntStream.range(0, 1_000)
                                .mapToObj(i -> member("m" + i, all, Assignment.EMPTY))
                                .toList());
        List<MemberSpec> mixed = new ArrayList<>(members);
        mixed.add(member("other", Set.of(new Uuid(5, 0)), Assignment.EMPTY));

        long startNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        checkComplete(
                new GroupSpec(members, counts),
                new UniformAssignor().assign(new GroupSpec(members, counts)),
                "homogeneous");
        new UniformAssignor().assign(new GroupSpec(mixed, counts));
        new RangeAssignor().assign(new GroupSpec(members, counts));

        // Generous, for a slow machine: quadratic work would take minutes.
        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - startNs)
                .isLessThan(5_000_000_000L);
    }
}

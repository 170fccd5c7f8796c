package dev.ottla.metadata.controller;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Chooses brokers for replicas that existing partitions get, in addition or in exchange: on racks
/// that have none of the partition first, then where the fewest are, so that replicas and preferred
/// leaders stay even. First it is told of every partition there is. Owned by one thread.
public final class ReplicaSpread {
    private static final int NOBODY = -1;

    private final Map<Integer, String> racks;
    private final List<Integer> takers;
    private final Map<Integer, Integer> replicaCounts = new HashMap<>();
    private final Map<Integer, Integer> leaderCounts = new HashMap<>();

    /// @param racks of all brokers that are known, by id; the empty name for none
    /// @param takers brokers that may get replicas
    public ReplicaSpread(Map<Integer, String> racks, Set<Integer> takers) {
        this.racks = Map.copyOf(racks);
        this.takers = takers.stream().sorted().toList();
    }

    /// A partition is on these brokers, the preferred leader first.
    public void count(List<Integer> replicas) {
        add(replicas, 1);
    }

    private void add(List<Integer> replicas, int count) {
        for (int id : replicas) replicaCounts.merge(id, count, Integer::sum);
        if (!replicas.isEmpty()) leaderCounts.merge(replicas.getFirst(), count, Integer::sum);
    }

    /// Replicas of a partition that was counted with `present` and gets more of them: as many as
    /// wanted, or as there are brokers for. Whoever of them is the preferred leader of the fewest
    /// partitions comes first, for else all leaders would stay where all partitions were.
    public List<Integer> raise(List<Integer> present, int replicationFactor) {
        List<Integer> raised = new ArrayList<>(present);
        while (raised.size() < replicationFactor) {
            Optional<Integer> next = choose(raised, NOBODY, false);
            if (next.isEmpty()) break;
            raised.add(next.get());
        }
        if (raised.size() == present.size()) return List.copyOf(present);
        add(present, -1);
        int leader =
                Collections.min(
                        raised, Comparator.comparingInt(id -> leaderCounts.getOrDefault(id, 0)));
        Collections.swap(raised, 0, raised.indexOf(leader));
        add(raised, 1);
        return List.copyOf(raised);
    }

    /// Replicas of a partition that was counted with `present` and leaves one broker for another,
    /// which takes its place; empty when there is no other.
    public Optional<List<Integer>> replace(List<Integer> present, int leaving) {
        List<Integer> moved = new ArrayList<>(present);
        int place = present.indexOf(leaving);
        Optional<Integer> next = choose(present, leaving, place == 0);
        if (next.isEmpty()) return Optional.empty();
        moved.set(place, next.get());
        add(present, -1);
        add(moved, 1);
        return Optional.of(List.copyOf(moved));
    }

    /// The best broker besides those of `present`, one of which may be leaving.
    private Optional<Integer> choose(List<Integer> present, int leaving, boolean leads) {
        Set<String> usedRacks = new HashSet<>();
        for (int id : present) {
            if (id != leaving) usedRacks.add(rack(id));
        }
        return takers.stream()
                .filter(id -> !present.contains(id))
                .min(
                        Comparator.<Integer>comparingInt(id -> usedRacks.contains(rack(id)) ? 1 : 0)
                                .thenComparingInt(
                                        id -> leads ? leaderCounts.getOrDefault(id, 0) : 0)
                                .thenComparingInt(id -> replicaCounts.getOrDefault(id, 0)));
    }

    private String rack(int brokerId) {
        return racks.getOrDefault(brokerId, "");
    }
}

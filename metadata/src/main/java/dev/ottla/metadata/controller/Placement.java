package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.Check;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Chooses brokers and directories for new partitions: leaders go round all brokers, followers
/// spread over the other racks first, and no broker gets two replicas of a partition. Fenced
/// brokers come last, and before them those without room. Without randomness: the start follows the
/// number of partitions there are.
final class Placement {
    private final ClusterImage image;
    private final List<BrokerState> order;
    private final int activeCount;

    /// Those of them that have room; all where none has.
    private final int leaderCount;

    private final int rackCount;

    Placement(ClusterImage image) {
        this.image = image;
        List<BrokerState> active = new ArrayList<>();
        List<BrokerState> full = new ArrayList<>();
        List<BrokerState> fenced = new ArrayList<>();
        for (BrokerState broker : image.brokers().values()) {
            if (!takesReplicas(broker)) continue;
            if (!broker.isActive()) fenced.add(broker);
            else (broker.hasRoomForReplicas() ? active : full).add(broker);
        }
        this.order = new ArrayList<>(byRackInTurn(active));
        order.addAll(byRackInTurn(full));
        this.activeCount = active.size() + full.size();
        this.leaderCount = active.isEmpty() ? activeCount : active.size();
        order.addAll(byRackInTurn(fenced));
        this.rackCount = (int) order.stream().map(BrokerState::rack).distinct().count();
    }

    /// Brokers that new replicas may go to.
    int brokerCount() {
        return order.size();
    }

    /// Those of them that can be in an ISR at once.
    int activeBrokerCount() {
        return activeCount;
    }

    /// Replicas of the partition that is placed as number `turn`, the preferred leader first.
    BrokerIds replicas(int turn, int replicationFactor) {
        int[] replicas = new int[replicationFactor];
        Set<Integer> taken = new HashSet<>();
        Set<String> racks = new HashSet<>();
        int first = Math.floorMod(turn, Math.max(1, leaderCount));
        // Followers start further on in each round, so that no two brokers share all partitions.
        int shift = Math.floorMod(turn / Math.max(1, leaderCount), Math.max(1, order.size() - 1));
        for (int i = 0; i < replicationFactor; i++) {
            BrokerState next = i == 0 ? order.get(first) : follower(first, shift, taken, racks);
            replicas[i] = next.id();
            taken.add(next.id());
            racks.add(next.rack().orElse(""));
            if (racks.size() == rackCount) racks.clear();
        }
        return BrokerIds.of(replicas);
    }

    private BrokerState follower(int first, int shift, Set<Integer> taken, Set<String> racks) {
        BrokerState secondChoice = order.getFirst();
        int secondRank = Integer.MAX_VALUE;
        int others = order.size() - 1;
        for (int i = 0; i < others; i++) {
            BrokerState candidate = order.get((first + 1 + (shift + i) % others) % order.size());
            if (taken.contains(candidate.id())) continue;
            int rank =
                    (!candidate.isActive() ? 4 : candidate.hasRoomForReplicas() ? 0 : 2)
                            + (racks.contains(candidate.rack().orElse("")) ? 1 : 0);
            if (rank < secondRank) {
                secondChoice = candidate;
                secondRank = rank;
            }
            if (rank == 0) break;
        }
        return secondChoice;
    }

    /// A directory for each replica of the partition that is placed as number `turn`.
    List<Uuid> directories(Collection<Integer> replicas, int turn) {
        List<Uuid> directories = new ArrayList<>(replicas.size());
        for (int id : replicas) {
            List<Uuid> open = image.broker(id).map(BrokerState::openDirectories).orElse(List.of());
            Check.check(!open.isEmpty(), "broker %d has no directory for a new replica", id);
            directories.add(open.get(Math.floorMod(turn, open.size())));
        }
        return directories;
    }

    /// Whether it has a directory that new replicas may go to.
    static boolean takesReplicas(BrokerState broker) {
        return !broker.openDirectories().isEmpty();
    }

    private static List<BrokerState> byRackInTurn(List<BrokerState> brokers) {
        Map<String, List<BrokerState>> racks = new LinkedHashMap<>();
        for (BrokerState broker : brokers) {
            racks.computeIfAbsent(broker.rack().orElse(""), _ -> new ArrayList<>()).add(broker);
        }
        List<BrokerState> result = new ArrayList<>();
        for (int i = 0; result.size() < brokers.size(); i++) {
            for (List<BrokerState> rack : racks.values()) {
                if (i < rack.size()) result.add(rack.get(i));
            }
        }
        return result;
    }
}

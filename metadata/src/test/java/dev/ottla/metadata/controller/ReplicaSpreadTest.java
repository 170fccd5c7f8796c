package dev.ottla.metadata.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReplicaSpreadTest {
    @Test
    void newReplicasGoToOtherRacksFirst() {
        ReplicaSpread spread =
                new ReplicaSpread(Map.of(1, "a", 2, "a", 3, "b", 4, "c"), Set.of(1, 2, 3, 4));
        spread.count(List.of(1));

        assertThat(spread.raise(List.of(1), 3)).containsExactlyInAnyOrder(1, 3, 4);
    }

    @Test
    void noMoreReplicasThanBrokersThatTakeThem() {
        ReplicaSpread spread = new ReplicaSpread(Map.of(1, "", 2, "", 3, ""), Set.of(1, 2));
        spread.count(List.of(1));

        assertThat(spread.raise(List.of(1), 3)).containsExactlyInAnyOrder(1, 2);
        assertThat(spread.raise(List.of(1, 2), 3)).isEqualTo(List.of(1, 2));
    }

    @Test
    void whoeverReplacesABrokerTakesItsPlaceAndTheLeastBusyOneDoes() {
        ReplicaSpread spread =
                new ReplicaSpread(Map.of(1, "", 2, "", 3, "", 4, ""), Set.of(2, 3, 4));
        List<List<Integer>> partitions =
                List.of(List.of(1, 2), List.of(2, 1), List.of(1, 3), List.of(3, 2));
        partitions.forEach(spread::count);

        assertThat(spread.replace(List.of(1, 2), 1)).contains(List.of(4, 2));
        assertThat(spread.replace(List.of(2, 1), 1)).contains(List.of(2, 4));
        assertThat(spread.replace(List.of(1, 3), 1)).contains(List.of(4, 3));
    }

    @Test
    void nobodyReplacesABrokerWhenAllOthersHaveTheirOwnReplica() {
        ReplicaSpread spread = new ReplicaSpread(Map.of(1, "", 2, ""), Set.of(2));
        spread.count(List.of(1, 2));

        assertThat(spread.replace(List.of(1, 2), 1)).isEmpty();
    }
}

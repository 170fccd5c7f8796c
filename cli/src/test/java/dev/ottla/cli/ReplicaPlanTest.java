package dev.ottla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.cli.ClusterView.Node;
import dev.ottla.cli.ClusterView.Partition;
import dev.ottla.cli.ClusterView.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ReplicaPlanTest {
    @Test
    void raisedPartitionsAreSpreadAndSoAreTheirLeaders() {
        ClusterView cluster =
                new ClusterView(
                        "id",
                        1,
                        List.of(),
                        List.of(),
                        List.of(node(1, true, false), node(2, true, false), node(3, true, false)),
                        IntStream.range(0, 6).mapToObj(i -> partition(i, List.of(1))).toList());

        ReplicaPlan plan = ReplicaPlan.raise(cluster, _ -> true, 3);

        assertThat(plan.stuck()).isEmpty();
        assertThat(plan.moves())
                .allSatisfy(move -> assertThat(move.replicas()).containsExactlyInAnyOrder(1, 2, 3));
        for (int id = 1; id <= 3; id++) {
            int leader = id;
            assertThat(plan.moves()).filteredOn(m -> m.replicas().getFirst() == leader).hasSize(2);
        }
    }

    @Test
    void nothingIsMovedToBrokersThatAreStoppedOrDrainedThemselves() {
        List<Node> nodes =
                List.of(
                        node(1, true, false),
                        node(2, true, false),
                        node(3, true, true),
                        node(4, false, false));
        ClusterView cluster =
                new ClusterView(
                        "id",
                        1,
                        List.of(),
                        List.of(),
                        nodes,
                        List.of(partition(0, List.of(1)), partition(1, List.of(2, 1))));

        ReplicaPlan plan = ReplicaPlan.drain(cluster, 1);

        assertThat(plan.moves())
                .singleElement()
                .satisfies(move -> {
                    assertThat(move.partition().number()).isZero();
                    assertThat(move.replicas()).isEqualTo(List.of(2));
                });
        assertThat(plan.stuck()).extracting(Partition::number).containsExactly(1);
    }

    @Test
    void replicasThatADrainedBrokerHadAreSharedOut() {
        List<Node> nodes = new ArrayList<>();
        for (int id = 1; id <= 4; id++) nodes.add(node(id, true, false));
        ClusterView cluster =
                new ClusterView(
                        "id",
                        1,
                        List.of(),
                        List.of(),
                        nodes,
                        IntStream.range(0, 9).mapToObj(i -> partition(i, List.of(4))).toList());

        ReplicaPlan plan = ReplicaPlan.drain(cluster, 4);

        for (int id = 1; id <= 3; id++) {
            List<Integer> replicas = List.of(id);
            assertThat(plan.moves()).filteredOn(m -> m.replicas().equals(replicas)).hasSize(3);
        }
    }

    private static Node node(int id, boolean running, boolean cordoned) {
        State state = !running ? State.STOPPED : cordoned ? State.DRAINED : State.RUNNING;
        return new Node(id, "host" + id, 9092, Optional.empty(), state);
    }

    private static Partition partition(int number, List<Integer> replicas) {
        return new Partition("t", number, false, replicas, replicas, replicas.getFirst(), false);
    }
}

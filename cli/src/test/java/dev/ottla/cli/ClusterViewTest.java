package dev.ottla.cli;

import static dev.ottla.cli.ClusterView.State.FULL;
import static dev.ottla.cli.ClusterView.State.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.cli.ClusterView.Node;
import dev.ottla.cli.ClusterView.Voter;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ClusterViewTest {
    @Test
    void quorumWithoutALeaderSaysWhoIsMissing() {
        assertThat(lost(List.of(1, 2, 3), List.of(1)))
                .isEqualTo(
                        "the quorum has no leader: 1 of 3 voters answer (node 1), 2 are needed: start 1 of nodes 2, 3, with the data directories that they had. A voter that has lost its own is replaced by itself, but only while the others have a leader, so one at a time");
        assertThat(lost(List.of(1, 2), List.of(1)))
                .contains("1 of 2 voters answer (node 1), 2 are needed: start node 2,");
        assertThat(lost(List.of(1, 2, 3), List.of()))
                .contains("0 of 3 voters answer (none), 2 are needed: start 2 of nodes 1, 2, 3,");
        assertThat(lost(List.of(1, 2, 3), List.of(2, 3)))
                .endsWith("which is enough: try again in a few seconds");
        assertThat(lost(List.of(), List.of())).contains("nobody who answers knows the voters");
    }

    @Test
    void quorumWithoutALeaderNamesVotersWhoseDiskIsFull() {
        assertThat(
                        view(-1, List.of(1, 2, 3), List.of(2, 3), node(2, RUNNING), node(3, FULL))
                                .noController())
                .endsWith(
                        "2 of 3 voters answer (nodes 2, 3), 2 are needed, but without room on its disk none can vote. Free some on node 3, or start node 1; what is there goes on by itself then");
    }

    @Test
    void fewerVotersThanThereCouldBeAreNamedWithTheRemedy() {
        Node[] four = {node(1, RUNNING), node(2, RUNNING), node(3, RUNNING), node(4, RUNNING)};

        assertThat(view(3, List.of(3), List.of(), four).voterTrouble().orElseThrow())
                .isEqualTo(
                        "One node votes on the metadata, of 4 nodes that run, so that nothing can be changed when it is down. Nodes that have just joined vote by themselves within seconds. If it stays like this, start nodes 1, 2, 4 again without '--role observer': a node that was taken out of the quorum asks for a vote when it starts");
        assertThat(view(3, List.of(2, 3), List.of(), four).voterTrouble().orElseThrow())
                .contains("2 nodes vote")
                .contains("when one of them is down.")
                .contains("start nodes 1, 4 again");
        assertThat(view(3, List.of(1, 2, 3, 4), List.of(), four).voterTrouble().orElseThrow())
                .contains("no more of them may be down than of 3");
        assertThat(view(3, List.of(1, 2, 3), List.of(), four).voterTrouble()).isEmpty();
        assertThat(view(1, List.of(1), List.of(), four[0], four[1]).voterTrouble()).isEmpty();
    }

    private static Node node(int id, ClusterView.State state) {
        return new Node(id, "host" + id, 9092, Optional.empty(), state);
    }

    private static ClusterView view(
            int controller, List<Integer> voters, List<Integer> answering, Node... nodes) {
        return new ClusterView(
                "id",
                controller,
                voters.stream().map(id -> new Voter(id, new Uuid(1, id))).toList(),
                answering,
                List.of(nodes),
                List.of());
    }

    private static String lost(List<Integer> voters, List<Integer> answering) {
        return view(-1, voters, answering).noController();
    }
}

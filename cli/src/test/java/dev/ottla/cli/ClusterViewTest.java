package dev.ottla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.cli.ClusterView.Voter;
import dev.ottla.wire.Uuid;
import java.util.List;
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

    private static String lost(List<Integer> voters, List<Integer> answering) {
        return new ClusterView(
                        "id",
                        -1,
                        voters.stream().map(id -> new Voter(id, new Uuid(1, id))).toList(),
                        answering,
                        List.of(),
                        List.of())
                .noController();
    }
}

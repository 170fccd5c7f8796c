package dev.ottla.broker.voting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumState.Replica;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class QuorumOutlookTest {
    private static final long NOW_MS = 1_000_000;

    private final QuorumOutlook outlook =
            new QuorumOutlook(id ->
                    id == 3 ? Optional.empty() : Optional.of(new HostPort("host" + id, 9092)));

    private static QuorumState quorum(int leader, long... silentMs) {
        List<Replica> voters = new ArrayList<>();
        for (int i = 0; i < silentMs.length; i++) {
            voters.add(new Replica(i + 1, new Uuid(1, i), 10, NOW_MS - silentMs[i], -1));
        }
        return new QuorumState(leader, 1, 10, voters, List.of());
    }

    @Test
    void voterWithoutAMajorityNamesWhomItHearsAndWhatHelps() {
        assertThat(outlook.sentence(quorum(-1, 0, 60_000, NOW_MS + 1), NOW_MS).orElseThrow())
                .contains(
                        "Of its 3 voters this node hears node 1 (host1:9092), but not node 2 (host2:9092) and node 3; 2 are needed.")
                .contains("one at a time", "./ottla cluster status");
    }

    @Test
    void electionsThatCanSucceedAreWaitedFor() {
        assertThat(outlook.sentence(quorum(-1, 0, 1_000, 60_000), NOW_MS).orElseThrow())
                .endsWith("That is enough: they should agree on one soon.");
        assertThat(outlook.sentence(quorum(-1, 0, 1_000), NOW_MS).orElseThrow())
                .contains("hears node 1 (host1:9092) and node 2 (host2:9092); 2 are needed.");
    }

    @Test
    void nothingIsSaidWhileThereIsALeaderOrNobodyKnowsTheVoters() {
        assertThat(outlook.sentence(quorum(2, 0, 60_000, 60_000), NOW_MS)).isEmpty();
        assertThat(outlook.sentence(quorum(-1), NOW_MS)).isEmpty();
    }
}

package dev.ottla.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.QuorumState.Replica;
import dev.ottla.wire.Uuid;
import java.util.List;
import org.junit.jupiter.api.Test;

final class QuorumStateTest {
    private static final Uuid DIRECTORY = new Uuid(1, 2);
    private static final Uuid LOST_DIRECTORY = new Uuid(3, 4);

    @Test
    void whoVotesIsNoObserverThoughItCopiedAMomentAgo() {
        QuorumState quorum = new QuorumState(1, 1, 10, List.of(replica(2, DIRECTORY)), List.of());

        QuorumState shown =
                quorum.withObservers(
                        List.of(
                                replica(2, DIRECTORY),
                                replica(2, LOST_DIRECTORY),
                                replica(3, DIRECTORY)));

        assertThat(shown.observers())
                .containsExactly(replica(2, LOST_DIRECTORY), replica(3, DIRECTORY));
        assertThat(shown.voters()).isEqualTo(quorum.voters());
    }

    @Test
    void whoIsJustBecomingAVoterIsNamedOnce() {
        Replica arriving = replica(3, DIRECTORY);
        QuorumState quorum =
                new QuorumState(1, 1, 10, List.of(replica(2, DIRECTORY)), List.of(arriving));

        QuorumState shown = quorum.withObservers(List.of(arriving, replica(4, DIRECTORY)));

        assertThat(shown.observers()).containsExactly(arriving, replica(4, DIRECTORY));
    }

    private static Replica replica(int nodeId, Uuid directoryId) {
        return new Replica(nodeId, directoryId, 10, 5, 5);
    }
}

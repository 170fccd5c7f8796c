package dev.ottla.broker.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.peer.Peer;
import dev.ottla.broker.peer.PeerCallback;
import dev.ottla.broker.peer.PeerException;
import dev.ottla.config.HostPort;
import dev.ottla.quorum.feed.BatchAnswer;
import dev.ottla.quorum.feed.BatchQuestion;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// A node looks for the controller among two others, one of which stands still.
final class PeerMetadataSourceTest {
    private static final HostPort FROZEN = new HostPort("frozen", 9092);
    private static final HostPort CONTROLLER = new HostPort("controller", 9092);

    private boolean controllerAnswers = true;
    private final List<Long> patience = new ArrayList<>();
    private final List<Integer> held = new ArrayList<>();
    private final List<BatchAnswer> answers = new ArrayList<>();
    private final PeerMetadataSource source =
            new PeerMetadataSource(
                    (address, _) -> new Node(address),
                    3,
                    Runnable::run,
                    () -> List.of(FROZEN, CONTROLLER),
                    Optional::empty);

    /// What stands still fails at once here, after the time that it was given was noted.
    private final class Node implements Peer {
        private final HostPort address;

        Node(HostPort address) {
            this.address = address;
        }

        @Override
        public CompletableFuture<ApiMessage> ask(ApiMessage request, long timeoutMs) {
            patience.add(timeoutMs);
            held.add(((FetchRequest) request).maxWaitMs());
            return address.equals(CONTROLLER) && controllerAnswers
                    ? CompletableFuture.completedFuture(batches())
                    : CompletableFuture.failedFuture(
                            new PeerException(PeerException.Kind.TIMED_OUT, "no answer"));
        }

        @Override
        public void send(ApiMessage request, long timeoutMs, PeerCallback callback) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static FetchResponse batches() {
        return FetchResponse.builder()
                .responses(
                        List.of(
                                FetchResponse.FetchableTopicResponse.builder()
                                        .partitions(
                                                List.of(
                                                        FetchResponse.PartitionData.builder()
                                                                .highWatermark(0)
                                                                .build()))
                                        .build()))
                .build();
    }

    private void ask() {
        source.fetch(new BatchQuestion(3, Uuid.ONE, 0, 0, 1000, 500), answers::add);
    }

    @Test
    void nodeThatHasNotAnsweredYetGetsLittleTime() {
        ask();
        ask();
        ask();

        assertThat(answers.getFirst()).isInstanceOf(BatchAnswer.Failed.class);
        assertThat(answers.getLast()).isInstanceOf(BatchAnswer.Batches.class);
        assertThat(patience).containsExactly(400L, 400L, 2_000L);
        assertThat(held).containsExactly(0, 0, 500);
    }

    @Test
    void nodesGetMoreTimeWhenNoneWasFastEnough() {
        controllerAnswers = false;

        for (int i = 0; i < 10; i++) ask();

        assertThat(patience)
                .containsExactly(
                        400L, 400L, 800L, 800L, 1_600L, 1_600L, 3_000L, 3_000L, 3_000L, 3_000L);
    }
}

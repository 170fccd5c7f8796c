package dev.ottla.broker.controlling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Broker 2 and the controller in one thread; the controller's own broker is 1.
final class HeartbeatsTest {
    private static final int INTERVAL_MS = 2_000;
    private static final Uuid DIRECTORY = new Uuid(1002, 1000);

    private final TestMetadata metadata = new TestMetadata(2);
    private final ManualDelays time = new ManualDelays();
    private final List<Uuid> offline = new ArrayList<>();
    private final List<Uuid> full = new ArrayList<>();
    private final List<Boolean> outOfTouch = new ArrayList<>();
    private long confirmedUntilNs;
    private ClusterImage requestImage = metadata.image();
    private final Liveness liveness =
            new Liveness(
                    new Liveness.Surroundings(
                            1,
                            9_000,
                            2_000,
                            metadata.service(),
                            metadata::execute,
                            new PeerAddresses("PLAINTEXT"),
                            (_, _) -> {},
                            time,
                            time::nowNs));
    private final ControllerLink link =
            new ControllerLink(
                    new ControllerLink.Surroundings(
                            2,
                            metadata.service(),
                            metadata::execute,
                            liveness,
                            Optional::empty,
                            List::of,
                            new HandlerPeers(),
                            time,
                            time::nowNs));

    private Heartbeats heartbeats() {
        return new Heartbeats(
                link,
                new Heartbeats.Surroundings(
                        new BrokerIncarnation(2, state().epoch()),
                        true,
                        INTERVAL_MS,
                        4_000,
                        () -> requestImage,
                        () -> offline,
                        () -> full,
                        new RecordedSession(),
                        metadata::execute,
                        time,
                        time::nowNs));
    }

    private final class RecordedSession implements Heartbeats.Session {
        @Override
        public void onOutOfTouch(boolean is) {
            outOfTouch.add(is);
        }

        @Override
        public void onConfirmed(long untilNs) {
            confirmedUntilNs = untilNs;
        }
    }

    private boolean isConfirmed() {
        return time.nowNs() - confirmedUntilNs < 0;
    }

    private BrokerState state() {
        return metadata.image().broker(2).orElseThrow();
    }

    @Test
    void brokerIsAdmittedWhenItsRequestsKnowItsRegistration() {
        ClusterImage before = metadata.image();
        metadata.fence(2);
        metadata.start(2, List.of(DIRECTORY));
        metadata.fence(2);
        requestImage = before;
        CompletableFuture<Void> admitted = heartbeats().admitted();
        time.pass(1_000);
        assertThat(admitted).isNotDone();

        requestImage = metadata.image();
        time.pass(100);

        assertThat(admitted).isCompleted();
        assertThat(state().fenced()).isFalse();
    }

    @Test
    void sessionIsKeptUp() {
        metadata.execute(() -> metadata.service().addListener(liveness));
        var _ = heartbeats().admitted();

        time.pass(60_000);

        assertThat(state().fenced()).isFalse();
    }

    @Test
    @Tag("config:broker.heartbeat.interval.ms")
    void brokerThatWasFencedByMistakeComesBack() {
        var _ = heartbeats().admitted();
        metadata.fence(2);

        time.pass(INTERVAL_MS);

        assertThat(state().fenced()).isFalse();
    }

    @Test
    void brokerThatHearsOfNoControllerIsOfNoUse() {
        Heartbeats heartbeats = heartbeats();
        var _ = heartbeats.admitted();
        assertThat(heartbeats.trouble()).isEmpty();
        metadata.resign();

        time.pass(INTERVAL_MS + 5_000);

        assertThat(heartbeats.trouble()).contains("no active controller has answered for 4000 ms");
    }

    @Test
    void brokerIsOutOfTouchWhenNoControllerAnsweredForASession() {
        var _ = heartbeats().admitted();
        metadata.resign();

        time.pass(INTERVAL_MS + 6_000);
        assertThat(outOfTouch).isEmpty();
        time.pass(4_000);
        assertThat(outOfTouch).containsExactly(true);

        metadata.lead();
        time.pass(5_000);
        assertThat(outOfTouch).containsExactly(true, false);
    }

    @Test
    void controllersWordHoldsForAnIntervalAndAMoment() {
        var _ = heartbeats().admitted();
        time.pass(10_000);
        assertThat(isConfirmed()).isTrue();

        metadata.resign();
        time.pass(INTERVAL_MS);
        assertThat(isConfirmed()).isTrue();
        time.pass(500);
        assertThat(isConfirmed()).isFalse();

        metadata.lead();
        time.pass(5_000);
        assertThat(isConfirmed()).isTrue();
    }

    @Test
    void controllersWordIsNothingWhileItsDecisionsAreNotKnown() {
        var _ = heartbeats().admitted();
        time.pass(10_000);
        assertThat(isConfirmed()).isTrue();

        metadata.create("t", List.of(List.of(2, 1)));
        time.pass(10_000);
        assertThat(isConfirmed()).isFalse();

        requestImage = metadata.image();
        time.pass(INTERVAL_MS);
        assertThat(isConfirmed()).isTrue();
    }

    @Test
    void stopCompletesWhenOthersLead() {
        metadata.create("t", List.of(List.of(2, 1)));
        Heartbeats heartbeats = heartbeats();

        CompletableFuture<Void> stopped = heartbeats.shutDown();
        time.pass(100);

        assertThat(stopped).isCompleted();
        assertThat(metadata.image().partition("t", 0).orElseThrow().leader()).isEqualTo(1);
    }

    @Test
    void stopDoesNotWaitLongForAControllerThatIsGone() {
        Heartbeats heartbeats = heartbeats();
        metadata.resign();

        CompletableFuture<Void> stopped = heartbeats.shutDown();
        time.pass(2_500);

        assertThat(stopped).isCompletedExceptionally();
    }

    @Test
    void failedDirectoryIsToldAtOnce() {
        metadata.create("t", List.of(List.of(2, 1)));
        offline.add(DIRECTORY);

        assertThat(heartbeats().tellDirectories().join().isNone()).isTrue();

        assertThat(metadata.image().partition("t", 0).orElseThrow().leader()).isEqualTo(1);
    }

    @Test
    void fullDirectoryIsToldAtOnceAndSoIsItsEnd() {
        metadata.create("t", List.of(List.of(2, 1)));
        full.add(DIRECTORY);
        Heartbeats heartbeats = heartbeats();

        assertThat(heartbeats.tellDirectories().join().isNone()).isTrue();

        PartitionState partition = metadata.image().partition("t", 0).orElseThrow();
        assertThat(partition.leader()).isEqualTo(1);
        assertThat(partition.isr()).containsExactly(1);

        full.clear();
        assertThat(heartbeats.tellDirectories().join().isNone()).isTrue();
        assertThat(state().fullDirectories()).isEmpty();
    }

    @Test
    void cordonsAreToldAtOnce() {
        assertThat(heartbeats().cordon(List.of(DIRECTORY)).join().isNone()).isTrue();

        assertThat(state().cordonedDirectories()).containsExactly(DIRECTORY);
    }
}

package dev.ottla.metadata.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BrokerSessionsTest {
    private static final int OWN = 1;
    private static final BrokerIncarnation TWO = new BrokerIncarnation(2, 20);
    private static final BrokerIncarnation THREE = new BrokerIncarnation(3, 30);
    private static final BrokerIncarnation OWN_BROKER = new BrokerIncarnation(OWN, 10);

    private final BrokerSessions sessions = new BrokerSessions(OWN, 9_000);
    private long nowMs = 1_000_000;

    @Test
    void silentBrokerIsOverAfterTheTimeOutAndNotBefore() {
        sessions.begin(image(OWN_BROKER, TWO, THREE), nowMs);

        pass(5_000);
        sessions.onHeartbeat(THREE, nowMs);
        assertThat(pass(3_999)).isEmpty();

        assertThat(pass(1)).containsExactly(TWO);
    }

    @Test
    void ownBrokerNeedsNoHeartbeats() {
        sessions.begin(image(OWN_BROKER), nowMs);

        assertThat(pass(100_000)).isEmpty();
    }

    @Test
    void brokerIsNamedUntilTheImageSaysThatItIsFenced() {
        sessions.begin(image(TWO), nowMs);
        assertThat(pass(9_000)).containsExactly(TWO);
        assertThat(pass(100)).containsExactly(TWO);

        sessions.onImage(image(), nowMs);

        assertThat(pass(100)).isEmpty();
    }

    @Test
    void newIncarnationHasASessionOfItsOwn() {
        sessions.begin(image(TWO), nowMs);
        pass(8_000);
        BrokerIncarnation next = new BrokerIncarnation(2, 21);
        sessions.onImage(image(next), nowMs);

        sessions.onHeartbeat(TWO, nowMs + 5_000);
        assertThat(pass(8_999)).isEmpty();

        assertThat(pass(1)).containsExactly(next);
    }

    @Test
    void imageThatChangesOtherThingsLeavesSessionsAsTheyAre() {
        sessions.begin(image(TWO), nowMs);
        pass(5_000);

        sessions.onImage(image(TWO, THREE), nowMs);

        assertThat(pass(4_000)).containsExactly(TWO);
    }

    @Test
    void newControllerGrantsEveryoneAFullSession() {
        sessions.begin(image(TWO), nowMs);
        pass(8_999);

        sessions.begin(image(TWO), nowMs);

        assertThat(pass(8_999)).isEmpty();
        assertThat(pass(1)).containsExactly(TWO);
    }

    @Test
    void controllerThatStoodStillBlamesNobody() {
        sessions.begin(image(TWO, THREE), nowMs);

        nowMs += 60_000;
        assertThat(sessions.over(nowMs)).isEmpty();

        assertThat(pass(8_999)).isEmpty();
        assertThat(pass(1)).containsExactlyInAnyOrder(TWO, THREE);
    }

    /// Looks as often as it should meanwhile, and returns what the last look found.
    private List<BrokerIncarnation> pass(long ms) {
        long endMs = nowMs + ms;
        while (endMs - nowMs > sessions.lookEveryMs()) {
            nowMs += sessions.lookEveryMs();
            sessions.over(nowMs);
        }
        nowMs = endMs;
        return sessions.over(nowMs);
    }

    /// A cluster of these brokers, unfenced, and of broker 9, which is fenced.
    private static ClusterImage image(BrokerIncarnation... unfenced) {
        List<MetadataRecord> records = new ArrayList<>();
        for (BrokerIncarnation broker : unfenced) records.add(registration(broker, false));
        records.add(registration(new BrokerIncarnation(9, 90), true));
        ImageDelta delta = new ImageDelta(ClusterImage.EMPTY);
        delta.replayAll(records);
        return delta.apply(new ImageVersion(100, 1));
    }

    private static MetadataRecord registration(BrokerIncarnation broker, boolean fenced) {
        return new MetadataRecord.RegisterBroker(
                broker.id(),
                new Uuid(broker.epoch(), 1),
                broker.epoch(),
                List.of(new BrokerEndpoint("PLAINTEXT", "host" + broker.id(), 9092, (short) 0)),
                Features.supported(),
                Optional.empty(),
                fenced,
                false,
                List.of(new Uuid(broker.id(), 2)),
                List.of());
    }
}

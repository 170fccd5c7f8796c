package dev.ottla.metadata.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.metadata.liveness.Verdict.Reason;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BrokerSessionsTest {
    private static final int OWN = 1;
    private static final BrokerIncarnation TWO = new BrokerIncarnation(2, 20);
    private static final BrokerIncarnation THREE = new BrokerIncarnation(3, 30);
    private static final BrokerIncarnation OWN_BROKER = new BrokerIncarnation(OWN, 10);

    private static final int SESSION_MS = 9_000;
    private static final int HEARTBEAT_MS = 2_000;

    private final BrokerSessions sessions = new BrokerSessions(OWN, SESSION_MS, HEARTBEAT_MS);

    /// What looks find, if not that the process answers.
    private final Map<BrokerIncarnation, Finding> world = new HashMap<>();

    /// Looks that wait, with the time of their end.
    private final Map<Look, Long> underWay = new LinkedHashMap<>();

    private final List<BrokerIncarnation> looked = new ArrayList<>();
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
        assertThat(turn()).isEmpty();

        assertThat(pass(8_999)).isEmpty();
        assertThat(pass(1)).containsExactlyInAnyOrder(TWO, THREE);
    }

    @Test
    void frozenBrokerIsNamedAfterHalfASession() {
        begin(TWO, THREE);
        world.put(TWO, Finding.SILENT);

        assertThat(beatWhile(4_400, THREE)).isEmpty();

        assertThat(beatWhile(400, THREE)).containsExactly(TWO);
        assertThat(reasons()).containsExactly(Reason.FROZEN);
    }

    @Test
    void brokerThatAnswersHasItsWholeSession() {
        begin(TWO);

        assertThat(pass(8_999)).isEmpty();

        assertThat(looked).contains(TWO);
        assertThat(pass(1)).containsExactly(TWO);
        assertThat(reasons()).containsExactly(Reason.SESSION_OVER);
    }

    @Test
    void brokerWhoseAddressProvesNothingHasItsWholeSession() {
        begin(TWO);
        world.put(TWO, Finding.UNCLEAR);

        assertThat(pass(8_999)).isEmpty();
        assertThat(pass(1)).containsExactly(TWO);
    }

    @Test
    void silentLookBetweenAnswersDoesNotCount() {
        begin(TWO);
        pass(2_600);
        world.put(TWO, Finding.SILENT);
        pass(2_000);
        world.remove(TWO);
        pass(1_000);
        world.put(TWO, Finding.SILENT);

        assertThat(pass(1_000)).isEmpty();
    }

    @Test
    void heartbeatEndsTheSuspicion() {
        begin(TWO);
        world.put(TWO, Finding.SILENT);
        pass(4_400);

        sessions.onHeartbeat(TWO, nowMs);

        assertThat(pass(4_400)).isEmpty();
    }

    @Test
    void brokerThatBeatsIsLookedAtOnlyByANewController() {
        begin(TWO);
        pass(200);
        assertThat(beatWhile(30_000, TWO)).isEmpty();

        assertThat(looked).containsExactly(TWO);
    }

    @Test
    void longSessionGivesFrozenBrokersMoreTime() {
        BrokerSessions patient = new BrokerSessions(OWN, 60_000, HEARTBEAT_MS);
        patient.begin(image(TWO), nowMs);
        long beganMs = nowMs;
        Optional<Verdict> verdict = Optional.empty();
        while (verdict.isEmpty()) {
            nowMs += BrokerSessions.TURN_MS;
            Turn turn = patient.turn(nowMs);
            verdict = turn.verdicts().stream().findFirst();
            for (Look look : turn.looks()) {
                nowMs += BrokerSessions.LOOK_MS;
                patient.turn(nowMs);
                patient.onFound(look, Finding.SILENT, nowMs);
            }
        }
        // Of each look that took this test's whole turn, only a half has counted.
        assertThat(nowMs - beganMs).isGreaterThanOrEqualTo(30_000);
        assertThat(verdict.get().reason()).isEqualTo(Reason.FROZEN);
    }

    @Test
    void newControllerFindsTheBrokerThatDiedWithTheFormerOne() {
        world.put(TWO, Finding.REFUSED);
        begin(TWO, THREE);

        assertThat(pass(100)).isEmpty();
        assertThat(pass(600)).containsExactly(TWO);
        assertThat(reasons()).containsExactly(Reason.GONE);
    }

    @Test
    void newControllerBelievesAHeartbeatMoreThanRefusals() {
        world.put(TWO, Finding.REFUSED);
        begin(TWO);
        pass(100);
        sessions.onHeartbeat(TWO, nowMs);

        assertThat(beatWhile(20_000, TWO)).isEmpty();
    }

    @Test
    void newControllerFindsFrozenBrokersAsAnyOther() {
        world.put(TWO, Finding.SILENT);
        begin(TWO);

        assertThat(pass(4_400)).isEmpty();
        assertThat(pass(400)).containsExactly(TWO);
    }

    @Test
    void oneRefusalIsEnoughWhenTheConnectionBroke() {
        begin(TWO, THREE);
        beatWhile(3_000, TWO, THREE);
        world.put(TWO, Finding.REFUSED);

        sessions.onConnectionLost(TWO, nowMs);

        assertThat(beatWhile(200, THREE)).containsExactly(TWO);
    }

    @Test
    void brokerThatOnlyLostItsConnectionStays() {
        begin(TWO);
        beatWhile(3_000, TWO);

        sessions.onConnectionLost(TWO, nowMs);

        assertThat(pass(1_500)).isEmpty();
        assertThat(looked.stream().filter(TWO::equals).count()).isGreaterThan(5);
        assertThat(beatWhile(30_000, TWO)).isEmpty();
    }

    @Test
    void controllerThatStandsStillWhileItLooksBlamesNobody() {
        begin(TWO, THREE);
        world.put(TWO, Finding.SILENT);
        world.put(THREE, Finding.SILENT);
        pass(3_200);

        // Short of what would give everyone a full session, again and again.
        for (int i = 0; i < 2; i++) {
            nowMs += 2_900;
            finishLooks();
            assertThat(turn()).isEmpty();
        }
        sessions.onHeartbeat(TWO, nowMs);
        sessions.onHeartbeat(THREE, nowMs);

        assertThat(pass(3_000)).isEmpty();
    }

    @Test
    void brokerThatFreezesAgainAndAgainComesBackLaterEachTime() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            begin(TWO, i == 0);
            world.put(TWO, Finding.SILENT);
            assertThat(pass(5_000)).containsExactly(TWO);
            sessions.onFenced(new Verdict(TWO, Reason.FROZEN), nowMs);
            sessions.onImage(image(), nowMs);
            pass(3_000);
            world.remove(TWO);
            waits.add(untilReturn(TWO));
        }

        assertThat(waits).containsExactly(0L, 1_000L, 2_000L, 4_000L, 5_000L, 5_000L);
    }

    @Test
    void waitBeginsAnewWhenItIsSilentMeanwhile() {
        for (int i = 0; i < 2; i++) {
            sessions.onFenced(new Verdict(TWO, Reason.FROZEN), nowMs);
        }
        assertThat(sessions.mayReturn(TWO, nowMs)).isFalse();
        pass(5_000);

        assertThat(sessions.mayReturn(TWO, nowMs)).isFalse();
        assertThat(untilReturn(TWO)).isEqualTo(1_000);
    }

    @Test
    void nextIncarnationReturnsAtOnce() {
        for (int i = 0; i < 5; i++) {
            sessions.onFenced(new Verdict(TWO, Reason.FROZEN), nowMs);
        }

        assertThat(sessions.mayReturn(new BrokerIncarnation(2, 21), nowMs)).isTrue();
    }

    @Test
    void quietMinutesAreForgiven() {
        for (int i = 0; i < 5; i++) {
            sessions.onFenced(new Verdict(TWO, Reason.FROZEN), nowMs);
        }
        pass(301_000);
        sessions.onFenced(new Verdict(TWO, Reason.FROZEN), nowMs);

        assertThat(sessions.mayReturn(TWO, nowMs)).isTrue();
    }

    private long untilReturn(BrokerIncarnation broker) {
        long beganMs = nowMs;
        while (!sessions.mayReturn(broker, nowMs)) pass(50);
        return nowMs - beganMs;
    }

    private void begin(BrokerIncarnation... brokers) {
        sessions.begin(image(brokers), nowMs);
    }

    /// A new controller, or the broker is let in again by the one there is.
    private void begin(BrokerIncarnation broker, boolean newController) {
        if (newController) begin(broker);
        else sessions.onImage(image(broker), nowMs);
    }

    private List<Reason> reasons() {
        return sessions.turn(nowMs).verdicts().stream().map(Verdict::reason).toList();
    }

    /// Time passes, and these brokers send their heartbeats; returns what the last turn found.
    private List<BrokerIncarnation> beatWhile(long ms, BrokerIncarnation... beating) {
        List<BrokerIncarnation> over = List.of();
        for (long leftMs = ms; leftMs > 0; leftMs -= HEARTBEAT_MS) {
            for (BrokerIncarnation broker : beating) sessions.onHeartbeat(broker, nowMs);
            over = pass(Math.min(leftMs, HEARTBEAT_MS));
        }
        return over;
    }

    /// Turns as often as there should be meanwhile; returns what the last one found.
    private List<BrokerIncarnation> pass(long ms) {
        long endMs = nowMs + ms;
        while (endMs - nowMs > BrokerSessions.TURN_MS) {
            nowMs += BrokerSessions.TURN_MS;
            turn();
        }
        nowMs = endMs;
        return turn();
    }

    private List<BrokerIncarnation> turn() {
        finishLooks();
        Turn turn = sessions.turn(nowMs);
        for (Look look : turn.looks()) {
            looked.add(look.broker());
            boolean silent = found(look) == Finding.SILENT;
            underWay.put(look, nowMs + (silent ? BrokerSessions.LOOK_MS : 1));
        }
        return turn.verdicts().stream().map(Verdict::broker).toList();
    }

    private Finding found(Look look) {
        return world.getOrDefault(look.broker(), Finding.ANSWERED);
    }

    private void finishLooks() {
        List<Look> ended =
                underWay.entrySet().stream()
                        .filter(each -> each.getValue() <= nowMs)
                        .map(Map.Entry::getKey)
                        .toList();
        underWay.keySet().removeAll(ended);
        ended.forEach(look -> sessions.onFound(look, found(look), nowMs));
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

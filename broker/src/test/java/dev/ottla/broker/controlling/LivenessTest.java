package dev.ottla.broker.controlling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.request.FakeConnection;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.liveness.Finding;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Broker 1 is the controller's own; broker 2 comes by heartbeats. Topic `t` is on both, led by 2.
final class LivenessTest {
    private static final int SESSION_MS = 9_000;
    private static final int HEARTBEAT_MS = 2_000;
    private static final Uuid DIRECTORY = new Uuid(7, 1);
    private static final Uuid OTHER_DIRECTORY = new Uuid(7, 2);

    private final TestMetadata metadata = new TestMetadata(1);
    private final ManualDelays time = new ManualDelays();
    private final List<HostPort> looks = new ArrayList<>();
    private final List<Consumer<Finding>> unanswered = new ArrayList<>();
    private final FakeConnection connection = new FakeConnection();
    private final Liveness liveness =
            new Liveness(
                    new Liveness.Surroundings(
                            1,
                            SESSION_MS,
                            HEARTBEAT_MS,
                            metadata.service(),
                            metadata::execute,
                            new PeerAddresses("PLAINTEXT"),
                            (address, found) -> {
                                looks.add(address);
                                unanswered.add(found);
                            },
                            time,
                            time::nowNs));
    private BrokerIncarnation two;

    LivenessTest() {
        metadata.execute(() -> metadata.service().addListener(liveness));
        two = register();
    }

    private BrokerIncarnation register() {
        long epoch =
                metadata.service()
                        .submit(controller ->
                                controller.registerBroker(
                                        new RegisterBroker(
                                                2,
                                                new Uuid(time.nowNs(), 1),
                                                List.of(
                                                        new BrokerEndpoint(
                                                                "PLAINTEXT",
                                                                "host2",
                                                                9092,
                                                                (short) 0)),
                                                Features.supported(),
                                                Optional.empty(),
                                                List.of(DIRECTORY, OTHER_DIRECTORY),
                                                List.of(),
                                                true,
                                                false)))
                        .join()
                        .brokerEpoch();
        return new BrokerIncarnation(2, epoch);
    }

    @Test
    void brokerIsLetInWhenItFollowsTheMetadataPastItsRegistration() {
        assertThat(beat(sign(two.epoch() - 1)).fenced()).isTrue();
        assertThat(state().fenced()).isTrue();

        LifeAnswer answer = beat(sign(two.epoch()));

        assertThat(answer.fenced()).isFalse();
        assertThat(answer.caughtUp()).isFalse();
        assertThat(beat(sign(metadata.image().version().offset())).caughtUp()).isTrue();
        assertThat(state().fenced()).isFalse();
    }

    @Test
    void brokerThatCannotServeYetStaysFenced() {
        LifeAnswer answer =
                beat(
                        new SignOfLife(
                                two,
                                two.epoch(),
                                true,
                                false,
                                List.of(),
                                List.of(),
                                Optional.empty()));

        assertThat(answer.fenced()).isTrue();
    }

    @Test
    @Tag("config:broker.session.timeout.ms")
    void silentBrokerIsFencedAfterItsSession() {
        letInWithTopic();
        time.pass(SESSION_MS - 1_000);
        assertThat(leader()).isEqualTo(2);

        time.pass(1_600);

        assertThat(state().fenced()).isTrue();
        assertThat(leader()).isEqualTo(1);
    }

    @Test
    void frozenBrokerIsFencedAfterHalfItsSessionAndComesBack() {
        letInWithTopic();
        time.pass(2_600);
        assertThat(looks).containsExactly(new HostPort("host2", 9092));
        time.pass(1_000);
        answerLook(Finding.SILENT);
        time.pass(1_000);
        assertThat(leader()).isEqualTo(2);
        answerLook(Finding.SILENT);
        time.pass(100);

        assertThat(state().fenced()).isTrue();
        assertThat(leader()).isEqualTo(1);

        assertThat(beat(sign(two.epoch())).fenced()).isFalse();
    }

    @Test
    void newControllerLooksForThoseThatDiedWithTheFormerOne() {
        letInWithTopic();
        metadata.resign();
        time.pass(500);
        looks.clear();

        metadata.lead();
        time.pass(100);
        answerLook(Finding.REFUSED);
        assertThat(state().fenced()).isFalse();
        time.pass(200);
        answerLook(Finding.REFUSED);

        assertThat(looks).hasSize(2);
        assertThat(state().fenced()).isTrue();
        assertThat(leader()).isEqualTo(1);
    }

    @Test
    void newControllerBelievesWhoBeats() {
        letInWithTopic();
        metadata.resign();
        time.pass(500);
        metadata.lead();
        time.pass(100);
        answerLook(Finding.REFUSED);
        time.pass(200);

        beat(sign(two.epoch()));
        answerLook(Finding.REFUSED);
        time.pass(2_000);

        assertThat(unanswered).isEmpty();
        assertThat(state().fenced()).isFalse();
    }

    @Test
    void brokerThatBeatsStays() {
        letInWithTopic();

        for (int i = 0; i < 20; i++) {
            time.pass(2_000);
            assertThat(beat(sign(two.epoch())).fenced()).isFalse();
        }

        assertThat(leader()).isEqualTo(2);
    }

    @Test
    void brokerWhoseProcessIsGoneIsFencedAtOnce() {
        letInWithTopic();

        connection.end();
        assertThat(looks).containsExactly(new HostPort("host2", 9092));
        assertThat(state().fenced()).isFalse();
        answerLook(Finding.REFUSED);

        assertThat(state().fenced()).isTrue();
        assertThat(leader()).isEqualTo(1);
    }

    @Test
    void lookThatCameTooEarlyIsRepeated() {
        letInWithTopic();
        connection.end();
        answerLook(Finding.ANSWERED);
        assertThat(state().fenced()).isFalse();

        time.pass(200);
        answerLook(Finding.REFUSED);

        assertThat(state().fenced()).isTrue();
    }

    @Test
    void brokerThatOnlyLostItsConnectionStays() {
        letInWithTopic();
        connection.end();
        answerLook(Finding.ANSWERED);

        liveness.heartbeat(sign(two.epoch()), Optional.of(new FakeConnection())).join();
        time.pass(2_000);

        assertThat(looks).hasSize(1);
        assertThat(state().fenced()).isFalse();
    }

    @Test
    void refusalThatComesAfterAHeartbeatIsNotBelieved() {
        letInWithTopic();
        connection.end();
        liveness.heartbeat(sign(two.epoch()), Optional.of(new FakeConnection())).join();

        answerLook(Finding.REFUSED);

        assertThat(state().fenced()).isFalse();
    }

    @Test
    void formerConnectionsSayNothing() {
        letInWithTopic();
        liveness.heartbeat(sign(two.epoch()), Optional.of(new FakeConnection())).join();

        connection.end();

        assertThat(looks).isEmpty();
    }

    @Test
    void stoppingBrokerIsLetGoWhenOthersLead() {
        letInWithTopic();

        LifeAnswer answer =
                beat(
                        new SignOfLife(
                                two,
                                two.epoch(),
                                false,
                                true,
                                List.of(),
                                List.of(),
                                Optional.empty()));

        assertThat(answer.mayStop()).isTrue();
        assertThat(leader()).isEqualTo(1);
        assertThat(state().inControlledShutdown()).isTrue();
    }

    @Test
    void directoriesThatFailedOrAreCordonedBecomeKnown() {
        letInWithTopic();

        beat(
                new SignOfLife(
                        two,
                        two.epoch(),
                        false,
                        false,
                        List.of(DIRECTORY),
                        List.of(),
                        Optional.of(List.of(OTHER_DIRECTORY))));

        assertThat(state().directories()).containsExactly(OTHER_DIRECTORY);
        assertThat(state().cordonedDirectories()).containsExactly(OTHER_DIRECTORY);
    }

    @Test
    void directoriesWithoutRoomBecomeKnownAndOthersTakeOver() {
        letInWithTopic();

        beat(full(DIRECTORY, new Uuid(44, 44)));

        assertThat(state().fullDirectories()).containsExactly(DIRECTORY);
        assertThat(leader()).isEqualTo(1);

        beat(sign(two.epoch()));
        assertThat(state().fullDirectories()).isEmpty();
    }

    @Test
    void earlierIncarnationIsNotHeard() {
        letInWithTopic();
        BrokerIncarnation before = two;
        time.pass(10);
        two = register();

        assertThat(beat(signOf(before)).error()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(beat(signOf(new BrokerIncarnation(5, 1))).error())
                .isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED);
    }

    @Test
    void nodeThatIsNotTheControllerHearsNobody() {
        letInWithTopic();
        metadata.resign();

        assertThatThrownBy(() -> beat(sign(two.epoch())))
                .hasCauseInstanceOf(NotControllerException.class);
        time.pass(10 * SESSION_MS);
        assertThat(state().fenced()).isFalse();
    }

    private SignOfLife full(Uuid... directories) {
        SignOfLife sign = sign(two.epoch());
        return new SignOfLife(
                sign.broker(),
                sign.metadataOffset(),
                false,
                false,
                List.of(),
                List.of(directories),
                Optional.empty());
    }

    private void letInWithTopic() {
        beat(sign(two.epoch()));
        metadata.create("t", List.of(List.of(2, 1)));
        assertThat(leader()).isEqualTo(2);
    }

    private int leader() {
        return metadata.image().partition("t", 0).orElseThrow().leader();
    }

    private BrokerState state() {
        return metadata.image().broker(2).orElseThrow();
    }

    private void answerLook(Finding found) {
        unanswered.removeFirst().accept(found);
    }

    private LifeAnswer beat(SignOfLife sign) {
        return liveness.heartbeat(sign, Optional.of(connection)).join();
    }

    private static SignOfLife signOf(BrokerIncarnation broker) {
        return new SignOfLife(
                broker, broker.epoch(), false, false, List.of(), List.of(), Optional.empty());
    }

    private SignOfLife sign(long metadataOffset) {
        return new SignOfLife(
                two, metadataOffset, false, false, List.of(), List.of(), Optional.empty());
    }
}

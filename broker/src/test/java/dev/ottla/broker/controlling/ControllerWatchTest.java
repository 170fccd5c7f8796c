package dev.ottla.broker.controlling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.liveness.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// This is node 2; node 1 is the active controller, and 1 to 3 vote.
final class ControllerWatchTest {
    private static final HostPort CONTROLLER = new HostPort("host1", 9092);

    private final TestMetadata metadata = new TestMetadata(3);
    private final ManualDelays time = new ManualDelays();
    private final List<Consumer<Finding>> looks = new ArrayList<>();
    private int asked;
    private boolean connected;

    private void watchAs(int nodeId) {
        ControllerWatch watch =
                new ControllerWatch(
                        new ControllerWatch.Surroundings(
                                nodeId,
                                metadata.service(),
                                metadata::execute,
                                () -> {
                                    asked++;
                                    return Optional.of(CONTROLLER);
                                },
                                address -> connected && address.equals(CONTROLLER),
                                (address, found) -> looks.add(found),
                                time));
        metadata.quorum(1, 1, 2, 3);
        metadata.execute(() -> metadata.service().addListener(watch));
        connected = true;
        time.pass(1_000);
    }

    private void answer(Finding finding) {
        looks.removeFirst().accept(finding);
    }

    @Test
    void engineIsLeftAloneWhileTheConnectionStands() {
        watchAs(2);
        asked = 0;

        time.pass(60_000);

        assertThat(asked).isLessThanOrEqualTo(60);
    }

    @Test
    void refusalsAfterABrokenConnectionTellThatTheControllerIsGone() {
        watchAs(2);
        assertThat(looks).isEmpty();

        connected = false;
        time.pass(100);
        answer(Finding.REFUSED);
        assertThat(metadata.gone()).isEmpty();
        time.pass(50);
        answer(Finding.REFUSED);

        assertThat(metadata.gone()).containsExactly(1);
        time.pass(5_000);
        assertThat(looks).isEmpty();
    }

    @Test
    void controllerThatAnswersIsThere() {
        watchAs(2);
        connected = false;
        time.pass(100);
        answer(Finding.REFUSED);
        time.pass(50);

        answer(Finding.ANSWERED);

        time.pass(5_000);
        assertThat(looks).isEmpty();
        assertThat(metadata.gone()).isEmpty();
    }

    @Test
    void whatProvesNothingBeginsAnew() {
        watchAs(2);
        connected = false;
        for (int i = 0; i < 5; i++) {
            time.pass(100);
            answer(Finding.REFUSED);
            time.pass(100);
            answer(Finding.UNCLEAR);
        }

        assertThat(metadata.gone()).isEmpty();
    }

    @Test
    void connectionThatComesBackEndsIt() {
        watchAs(2);
        connected = false;
        time.pass(100);
        answer(Finding.REFUSED);
        connected = true;
        time.pass(100);
        connected = false;
        time.pass(100);

        answer(Finding.REFUSED);

        assertThat(metadata.gone()).isEmpty();
    }

    @Test
    void whoNeverHadAConnectionKnowsNothing() {
        watchAs(2);
        metadata.quorum(3, 1, 2, 3);
        connected = false;

        time.pass(5_000);

        assertThat(looks).isEmpty();
    }

    @Test
    void secondOfTheOtherVotersLeavesItToTheFirst() {
        watchAs(3);
        connected = false;

        time.pass(5_000);

        assertThat(looks).isEmpty();
    }

    @Test
    void otherLeaderIsNotMissedForTheFormerOne() {
        watchAs(2);
        connected = false;
        time.pass(100);
        answer(Finding.REFUSED);
        time.pass(50);
        metadata.quorum(3, 1, 2, 3);

        answer(Finding.REFUSED);

        assertThat(metadata.gone()).isEmpty();
    }
}

package dev.ottla.broker.controlling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.liveness.Finding;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Two processes of one node id: which of them stays, and what the other one is told.
final class TakeoverTest {
    private static final Uuid DIRECTORY = new Uuid(5, 5);
    private static final HostPort HOME = new HostPort("host2", 9092);
    private static final HostPort ELSEWHERE = new HostPort("copy", 9094);

    private final TestMetadata metadata = new TestMetadata(1, new Uuid(4, 4));
    private final List<HostPort> lookedAt = new ArrayList<>();
    private Finding finding = Finding.ANSWERED;
    private final Takeover takeover =
            new Takeover(
                    metadata::image,
                    new PeerAddresses("PLAINTEXT"),
                    (address, found) -> {
                        lookedAt.add(address);
                        found.accept(finding);
                    });

    TakeoverTest() {
        metadata.start(2, List.of(DIRECTORY));
    }

    @Test
    void copyAtAnotherAddressIsRefusedWhileTheOriginalAnswers() {
        ApiError problem = takeover.problem(newcomer(ELSEWHERE, DIRECTORY)).join().orElseThrow();

        assertThat(problem.code()).isEqualTo(ErrorCode.DUPLICATE_BROKER_REGISTRATION);
        assertThat(problem.message()).contains("Broker 2", "host2:9092", "copy:9094");
        assertThat(lookedAt).containsExactly(HOME);
    }

    @Test
    void newAddressIsTakenWhenNobodyAnswersAtTheOldOne() {
        for (Finding nobody : List.of(Finding.REFUSED, Finding.SILENT, Finding.UNCLEAR)) {
            finding = nobody;
            assertThat(takeover.problem(newcomer(ELSEWHERE, DIRECTORY)).join()).isEmpty();
        }
    }

    @Test
    void restartAtTheSameAddressIsNotHeldUp() {
        assertThat(takeover.problem(newcomer(HOME, DIRECTORY)).join()).isEmpty();
        assertThat(lookedAt).isEmpty();
    }

    @Test
    void whatTheCommandDecidesItselfIsNotLookedAt() {
        assertThat(takeover.problem(newcomer(ELSEWHERE, new Uuid(6, 6))).join()).isEmpty();
        metadata.fence(2);
        assertThat(takeover.problem(newcomer(ELSEWHERE, DIRECTORY)).join()).isEmpty();
        assertThat(lookedAt).isEmpty();
    }

    @Test
    void displacedBrokerEndsAndSaysWhoIsInItsPlace() {
        BrokerIncarnation before =
                new BrokerIncarnation(2, metadata.image().broker(2).orElseThrow().epoch());
        CompletableFuture<String> displaced = new CompletableFuture<>();
        Displacement displacement =
                new Displacement(before, new PeerAddresses("PLAINTEXT"), displaced);
        displacement.onImage(new ImageDelta(metadata.image()), metadata.image());
        assertThat(displaced).isNotDone();

        var _ =
                metadata.service()
                        .submit(c -> c.registerBroker(newcomer(ELSEWHERE, DIRECTORY)))
                        .join();
        displacement.onImage(new ImageDelta(metadata.image()), metadata.image());

        assertThat(displaced).isCompleted();
        assertThat(displaced.join()).contains("node id 2", "copy:9094");
    }

    private static RegisterBroker newcomer(HostPort address, Uuid directory) {
        return new RegisterBroker(
                2,
                new Uuid(99, directory.leastSignificantBits()),
                List.of(new BrokerEndpoint("PLAINTEXT", address.host(), address.port(), (short) 0)),
                Features.supported(),
                Optional.empty(),
                List.of(directory),
                List.of(),
                true,
                false);
    }
}

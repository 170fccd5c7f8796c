package dev.ottla.broker.controlling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.broker.handler.TestMetadata;
import dev.ottla.broker.handler.cluster.DeleteTopicsHandler;
import dev.ottla.broker.handler.cluster.TimedCommands;
import dev.ottla.broker.handler.controller.EnvelopeHandler;
import dev.ottla.broker.handler.controller.Forwarding;
import dev.ottla.broker.handler.controller.UnregisterBrokerHandler;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.Asked;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.DeleteTopicsRequest;
import dev.ottla.wire.message.DeleteTopicsResponse;
import dev.ottla.wire.message.EnvelopeRequest;
import dev.ottla.wire.message.EnvelopeResponse;
import dev.ottla.wire.message.UnregisterBrokerRequest;
import dev.ottla.wire.message.UnregisterBrokerResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Node 2 gets requests that node 1, the controller, has to answer.
final class ForwardingTest {
    private static final HostPort CONTROLLER = new HostPort("host1", 9092);

    private final TestMetadata controller = new TestMetadata(3);
    private final TestMetadata own = new TestMetadata(0);
    private final ManualDelays time = new ManualDelays();
    private final HandlerPeers nodes = new HandlerPeers();
    private boolean follows = true;
    private final ImageProgress progress =
            new ImageProgress(
                    () -> follows ? controller.image() : ClusterImage.EMPTY, own::execute, time);
    private final ControllerLink link =
            new ControllerLink(
                    new ControllerLink.Surroundings(
                            2,
                            own.service(),
                            own::execute,
                            new Liveness(
                                    new Liveness.Surroundings(
                                            2,
                                            9_000,
                                            2_000,
                                            own.service(),
                                            own::execute,
                                            new PeerAddresses("PLAINTEXT"),
                                            (_, _) -> {},
                                            time,
                                            time::nowNs)),
                            () -> Optional.of(CONTROLLER),
                            List::of,
                            nodes,
                            time,
                            time::nowNs));

    ForwardingTest() {
        own.resign();
        controller.fence(3);
        nodes.put(
                CONTROLLER,
                new EnvelopeHandler(
                        controller.service(),
                        () ->
                                new HandlerTable(
                                        List.of(deletions(controller), unregistrations(controller)),
                                        false)));
    }

    private ApiHandler<?> deletions(TestMetadata metadata) {
        return wrap(
                new DeleteTopicsHandler(new TimedCommands(metadata.service(), () -> 0)), metadata);
    }

    private ApiHandler<?> unregistrations(TestMetadata metadata) {
        return wrap(
                new UnregisterBrokerHandler(
                        metadata.service(), _ -> CompletableFuture.completedFuture(false)),
                metadata);
    }

    private ApiHandler<?> wrap(ApiHandler<?> handler, TestMetadata metadata) {
        return Forwarding.wrap(
                handler, new Forwarding.Parts(2, metadata.service(), link, progress));
    }

    private UnregisterBrokerResponse unregister(int id) {
        return (UnregisterBrokerResponse) beginUnregistering(id).join();
    }

    @SuppressWarnings("unchecked")
    private CompletableFuture<ApiMessage> beginUnregistering(int id) {
        return Asked.begin(
                (ApiHandler<UnregisterBrokerRequest>) unregistrations(own),
                0,
                UnregisterBrokerRequest.builder().brokerId(id).build(),
                0);
    }

    @Test
    void requestIsCarriedOutByTheController() {
        assertThat(unregister(3).errorCode()).isZero();

        assertThat(controller.image().broker(3)).isEmpty();
    }

    @Test
    void refusalOfTheControllerComesBack() {
        UnregisterBrokerResponse response = unregister(77);

        assertThat(response.errorCode()).isEqualTo(ErrorCode.BROKER_ID_NOT_REGISTERED.code());
        assertThat(response.errorMessage()).contains("77");
    }

    @Test
    @SuppressWarnings("unchecked")
    void olderVersionsAreForwardedAsTheyCame() {
        controller.create("t", List.of(List.of(1)));
        for (int version = 1; version <= 5; version++) {
            DeleteTopicsResponse response =
                    Asked.ask(
                            (ApiHandler<DeleteTopicsRequest>) deletions(own),
                            version,
                            DeleteTopicsRequest.builder()
                                    .topicNames(List.of("t"))
                                    .timeoutMs(10_000)
                                    .build(),
                            DeleteTopicsResponse.class);

            assertThat(response.responses().getFirst().name()).isEqualTo("t");
            assertThat(response.responses().getFirst().errorCode())
                    .isEqualTo(
                            version == 1
                                    ? ErrorCode.NONE.code()
                                    : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
    }

    @Test
    void answerWaitsUntilThisNodeKnowsTheSameMetadata() {
        follows = false;
        CompletableFuture<ApiMessage> answer = beginUnregistering(3);
        assertThat(controller.image().broker(3)).isEmpty();
        assertThat(answer).isNotDone();

        follows = true;
        progress.onImage(new ImageDelta(ClusterImage.EMPTY), controller.image());

        assertThat(answer).isCompleted();
    }

    @Test
    void answerDoesNotWaitForEver() {
        follows = false;
        CompletableFuture<ApiMessage> answer = beginUnregistering(3);

        time.pass(2_000);

        assertThat(answer).isCompleted();
    }

    @Test
    void withoutAControllerTheClientIsToldSo() {
        nodes.remove(CONTROLLER);
        CompletableFuture<ApiMessage> answer = beginUnregistering(3);
        assertThat(answer).isNotDone();

        time.pass(21_000);

        assertThat(((UnregisterBrokerResponse) answer.join()).errorCode())
                .isEqualTo(ErrorCode.NOT_CONTROLLER.code());
    }

    @Test
    void envelopeOfAnythingElseIsRefused() {
        EnvelopeHandler envelopes =
                new EnvelopeHandler(controller.service(), () -> new HandlerTable(List.of(), false));
        for (byte[] content : List.of(new byte[0], new byte[3], new byte[40])) {
            EnvelopeResponse response =
                    Asked.ask(
                            envelopes,
                            0,
                            EnvelopeRequest.builder()
                                    .requestData(ByteBuffer.wrap(content))
                                    .clientHostAddress(ByteBuffer.wrap(new byte[4]))
                                    .build(),
                            EnvelopeResponse.class);

            assertThat(response.errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST.code());
        }
    }
}

package dev.ottla.broker.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.broker.network.ConnectionLimits;
import dev.ottla.broker.network.TestNetwork;
import dev.ottla.broker.peer.PeerException.Kind;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.config.HostPort;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.RecordsPayload;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.ApiVersionsResponse;
import dev.ottla.wire.message.DescribeClusterRequest;
import dev.ottla.wire.message.DescribeClusterResponse;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.HeartbeatResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connections from one network server to another one over real sockets.
final class PeerTest {
    private static final long PATIENCE_MS = 10_000;

    private final TestNetwork own = network();
    private final TestNetwork other = network();
    private final Peers peers = new Peers(own.server.dialer(), Runnable::run);

    @AfterEach
    void stop() {
        peers.close();
        other.close();
        own.close();
    }

    @Test
    void answersComeInOrderOverOneConnection() throws Exception {
        Peer peer = peer();
        List<CompletableFuture<ApiMessage>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(ask(peer, "g", i));
        }

        for (int i = 0; i < 100; i++) {
            assertThat(numberOf(answers.get(i))).isEqualTo(i);
        }
        assertThat(other.server.connectionCount()).isEqualTo(1);
        assertThat(peer.isConnected()).isTrue();
    }

    @Test
    void askingWhereNobodyListensIsRefused() throws IOException {
        int freePort = other.address.getPort();
        other.server.stopListening();
        Peer peer = peers.connect(new HostPort("127.0.0.1", freePort), "test");

        assertFails(ask(peer, "g", 1), Kind.REFUSED);
        assertThat(peer.isConnected()).isFalse();
    }

    @Test
    void unknownHostIsUnreachable() {
        Peer peer = peers.connect(new HostPort("no-such-host.invalid", 1), "test");

        assertFails(ask(peer, "g", 1), Kind.UNREACHABLE);
    }

    @Test
    void nameThatTakesLongIsNoSilenceOfItsBearer() {
        try (Peers slow = new Peers(own.server.dialer(), task -> {})) {
            Peer peer = slow.connect(new HostPort("localhost", other.address.getPort()), "test");

            assertFails(peer.ask(TestNetwork.heartbeat("g", 1, 0), 50), Kind.UNREACHABLE);
        }
    }

    @Test
    void peerThatComesBackIsFoundByWhoAsksAgain() throws Exception {
        other.server.stopListening();
        Peer peer = peer();
        assertFails(ask(peer, "g", 1), Kind.REFUSED);

        other.server.bind("PLAINTEXT", "127.0.0.1", other.address.getPort());

        assertThat(numberOf(ask(peer, "g", 2))).isEqualTo(2);
    }

    @Test
    void asksAgainNoFasterThanThePausesAllow() {
        other.server.stopListening();
        Peer peer = peer();
        long startNs = System.nanoTime();

        for (int i = 0; i < 4; i++) {
            assertFails(ask(peer, "g", i), Kind.REFUSED);
        }

        // 20, 40 and 80 ms.
        assertThat(System.nanoTime() - startNs).isGreaterThan(130_000_000);
    }

    @Test
    void lateAnswerFailsItsRequestAndClosesTheConnection() throws Exception {
        Peer peer = peer();
        CompletableFuture<ApiMessage> late = peer.ask(TestNetwork.heartbeat("wait", 1, 0), 200);
        CompletableFuture<ApiMessage> behind = ask(peer, "wait", 2);

        assertFails(late, Kind.TIMED_OUT);
        assertFails(behind, Kind.CLOSED);
        assertThat(numberOf(ask(peer, "g", 3))).isEqualTo(3);
    }

    @Test
    void brokenConnectionFailsWhatWaitsForAnswers() throws Exception {
        Peer peer = peer();
        CompletableFuture<ApiMessage> answer = ask(peer, "wait", 1);
        other.nextWaiting();

        other.server.closeConnections(0);

        assertFails(answer, Kind.CLOSED);
    }

    @Test
    void requestsBeyondThoseInFlightWaitTheirTurn() throws Exception {
        Peer peer = peer();
        List<CompletableFuture<ApiMessage>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(ask(peer, "wait", i));
        }
        for (int i = 0; i < 50; i++) {
            other.nextWaiting().answer();
        }

        for (int i = 0; i < 50; i++) {
            assertThat(numberOf(answers.get(i))).isEqualTo(i);
        }
    }

    @Test
    void closedPeerFailsEverything() throws Exception {
        Peer peer = peer();
        CompletableFuture<ApiMessage> answer = ask(peer, "wait", 1);
        other.nextWaiting();

        peer.close();

        assertFails(answer, Kind.CLOSED);
        assertFails(ask(peer, "g", 2), Kind.CLOSED);
    }

    @Test
    void networkThatHasEndedFailsAtOnce() {
        Peer peer = peer();
        own.close();

        assertFails(ask(peer, "g", 1), Kind.CLOSED);
    }

    @Test
    void nodeOfAnotherClusterIsAskedNothing() throws Exception {
        HostPort address = new HostPort("127.0.0.1", other.address.getPort());
        Peer right = peers.connect(address, "test", Optional.of(Cluster.ID));
        Peer wrong = peers.connect(address, "test", Optional.of("mine"));

        assertThat(numberOf(ask(right, "g", 1))).isEqualTo(1);
        assertFails(ask(wrong, "wait", 2), Kind.OTHER_CLUSTER);
        assertThat(other.waiting).isEmpty();
    }

    @Test
    void recordsCanBeReadUntilTheRelease() throws Exception {
        BlockingQueue<PeerResponse> responses = new LinkedBlockingQueue<>();
        peer().send(
                        FetchRequest.builder().maxWaitMs(1).build(),
                        PATIENCE_MS,
                        new PeerCallback() {
                            @Override
                            public void onResponse(PeerResponse response) {
                                responses.add(response);
                            }

                            @Override
                            public void onFailure(PeerException failure) {
                                throw new IllegalStateException(failure);
                            }
                        });
        PeerResponse response =
                Objects.requireNonNull(responses.poll(PATIENCE_MS, TimeUnit.MILLISECONDS));

        FetchResponse fetched = (FetchResponse) response.message();
        RecordsPayload records = fetched.responses().getFirst().partitions().getFirst().records();
        assertThat(records)
                .isInstanceOfSatisfying(
                        BufferRecords.class,
                        inMemory ->
                                assertThat(inMemory.buffer().getInt(0)).isEqualTo(Fetches.CONTENT));
        response.release();
    }

    private Peer peer() {
        return peers.connect(new HostPort("127.0.0.1", other.address.getPort()), "test");
    }

    private static CompletableFuture<ApiMessage> ask(Peer peer, String group, int number) {
        return peer.ask(TestNetwork.heartbeat(group, number, 0), PATIENCE_MS);
    }

    private static int numberOf(CompletableFuture<ApiMessage> answer) throws Exception {
        return ((HeartbeatResponse) answer.get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                .throttleTimeMs();
    }

    private static void assertFails(CompletableFuture<ApiMessage> answer, Kind kind) {
        assertThatThrownBy(() -> answer.get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        PeerException.class,
                        failure -> assertThat(failure.kind()).as("%s", failure).isEqualTo(kind));
    }

    private static TestNetwork network() {
        try {
            return new TestNetwork(
                    TestNetwork.SETTINGS,
                    ConnectionLimits.NONE,
                    List.of(new Greetings(), new Cluster(), new Fetches()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Cluster implements ApiHandler<DescribeClusterRequest> {
        static final String ID = "theirs";

        @Override
        public ApiKey api() {
            return ApiKey.DESCRIBE_CLUSTER;
        }

        @Override
        public void handle(
                RequestContext context, DescribeClusterRequest request, Responder responder) {
            responder.respond(DescribeClusterResponse.builder().clusterId(ID).build());
        }
    }

    /// Says that it takes Heartbeat and Fetch, the latter in an older version.
    private static final class Greetings implements ApiHandler<ApiVersionsRequest> {
        @Override
        public ApiKey api() {
            return ApiKey.API_VERSIONS;
        }

        @Override
        public void handle(
                RequestContext context, ApiVersionsRequest request, Responder responder) {
            responder.respond(
                    ApiVersionsResponse.builder()
                            .apiKeys(
                                    List.of(
                                            version(ApiKey.HEARTBEAT, 4),
                                            version(ApiKey.FETCH, Fetches.VERSION)))
                            .build());
        }

        private static ApiVersionsResponse.ApiVersion version(ApiKey api, int latest) {
            return ApiVersionsResponse.ApiVersion.builder()
                    .apiKey(api.id())
                    .minVersion(api.oldestVersion())
                    .maxVersion((short) latest)
                    .build();
        }
    }

    private static final class Fetches implements ApiHandler<FetchRequest> {
        static final int VERSION = 13;
        static final int CONTENT = 0x01020304;

        @Override
        public ApiKey api() {
            return ApiKey.FETCH;
        }

        @Override
        public void handle(RequestContext context, FetchRequest request, Responder responder) {
            assertThat(context.version()).isEqualTo((short) VERSION);
            ByteBuffer content = ByteBuffer.allocate(4).putInt(0, CONTENT);
            responder.respond(
                    FetchResponse.builder()
                            .responses(
                                    List.of(
                                            FetchResponse.FetchableTopicResponse.builder()
                                                    .partitions(
                                                            List.of(
                                                                    FetchResponse.PartitionData
                                                                            .builder()
                                                                            .records(
                                                                                    new BufferRecords(
                                                                                            content))
                                                                            .build()))
                                                    .build()))
                            .build());
        }
    }
}

package dev.ottla.broker.network;

import static dev.ottla.broker.network.TestNetwork.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.HeartbeatResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NetworkServerTest {
    private static final int VERSION = 4;
    private static final ConnectionLimits ONE_CONNECTION =
            new ConnectionLimits(1, Map.of(), 100, Map.of(), Integer.MAX_VALUE);

    @Test
    void requestInSmallPiecesIsAnswered() throws IOException {
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect()) {
            byte[] frame = RawClient.frame(heartbeat("g", 7, 100), VERSION, 1);
            for (int i = 0; i < frame.length; i++) {
                client.send(frame, i, 1);
            }

            assertThat(number(client.receive(ApiKey.HEARTBEAT, VERSION, 1))).isEqualTo(7);
        }
    }

    @Test
    void framesOfEverySizeArriveWhole() throws IOException {
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect()) {
            for (int bytes : new int[] {0, 1, 8_100, 8_150, 8_192, 8_200, 20_000, 32_000}) {
                client.send(heartbeat("g", bytes, bytes), VERSION, bytes);

                assertThat(number(client.receive(ApiKey.HEARTBEAT, VERSION, bytes)))
                        .isEqualTo(bytes);
            }
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect()) {
            client.send(heartbeat("wait", 1, 0), VERSION, 1);
            client.send(heartbeat("wait", 2, 0), VERSION, 2);
            client.send(heartbeat("silent", 3, 0), VERSION, 3);
            client.send(heartbeat("g", 4, 0), VERSION, 4);
            TestNetwork.Waiting first = network.nextWaiting();

            network.nextWaiting().answer();
            first.answer();

            assertThat(number(client.receive(ApiKey.HEARTBEAT, VERSION, 1))).isEqualTo(1);
            assertThat(number(client.receive(ApiKey.HEARTBEAT, VERSION, 2))).isEqualTo(2);
            assertThat(number(client.receive(ApiKey.HEARTBEAT, VERSION, 4))).isEqualTo(4);
        }
    }

    @Test
    void manyRequestsInRandomPiecesAreAllAnswered() throws Exception {
        long seed = Long.getLong("ottla.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        int requests = 2_000;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < requests; i++) {
            int padding = random.nextInt(10) == 0 ? random.nextInt(30_000) : random.nextInt(200);
            all.writeBytes(RawClient.frame(heartbeat("g", i, padding), VERSION, i));
        }
        byte[] bytes = all.toByteArray();
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect()) {
            Thread sender =
                    new Thread(() -> {
                        for (int at = 0; at < bytes.length; ) {
                            int length = Math.min(bytes.length - at, 1 + random.nextInt(20_000));
                            try {
                                client.send(bytes, at, length);
                            } catch (IOException e) {
                                return;
                            }
                            at += length;
                        }
                    });
            sender.start();

            for (int i = 0; i < requests; i++) {
                assertThat(number(client.receive(ApiKey.HEARTBEAT, VERSION, i)))
                        .as("-Dottla.seed=%d", seed)
                        .isEqualTo(i);
            }
            sender.join();
            assertThat(network.server.requestMemoryUsedBytes()).isZero();
        }
    }

    @Test
    void answerAfterTheEndOfTheLoopIsDroppedAndItsMemoryGivenBack() throws Exception {
        TestNetwork network = new TestNetwork();
        try (RawClient client = network.connect()) {
            client.send(heartbeat("wait", 1, 0), VERSION, 1);
            TestNetwork.Waiting waiting = network.nextWaiting();
            network.close();

            waiting.answer();

            assertThat(network.server.requestMemoryUsedBytes()).isZero();
        }
    }

    @Test
    void clientWithTooManyUnansweredRequestsIsNotReadFurther() throws Exception {
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect()) {
            int limit = TestNetwork.SETTINGS.maxInFlightRequests();
            List<TestNetwork.Waiting> taken = new ArrayList<>();
            for (int i = 0; i < limit + 3; i++) {
                client.send(heartbeat("wait", i, 0), VERSION, i);
            }
            for (int i = 0; i < limit; i++) {
                taken.add(network.nextWaiting());
            }
            try (RawClient other = network.connect()) {
                other.send(heartbeat("g", 1, 0), VERSION, 1);
                other.receive(ApiKey.HEARTBEAT, VERSION, 1);
            }
            assertThat(network.waiting).isEmpty();

            taken.forEach(TestNetwork.Waiting::answer);
            for (int i = 0; i < 3; i++) {
                network.nextWaiting().answer();
            }

            for (int i = 0; i < limit + 3; i++) {
                client.receive(ApiKey.HEARTBEAT, VERSION, i);
            }
        }
    }

    @Test
    void overloadedShardsStopReadingUntilTheyCaughtUp() throws Exception {
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect()) {
            network.overloaded.set(true);
            client.send(heartbeat("g", 1, 0), VERSION, 1);
            client.socket().setSoTimeout(100);
            assertThat(client.isClosedByBroker()).isFalse();

            network.overloaded.set(false);

            client.socket().setSoTimeout(10_000);
            client.receive(ApiKey.HEARTBEAT, VERSION, 1);
        }
    }

    @Test
    void refusedConnectionTriesAgainOnceARoundHoweverManyAnswersItGets() throws Exception {
        int answers = 6;
        int tries = 100;
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect()) {
            List<TestNetwork.Waiting> unanswered = new ArrayList<>();
            for (int i = 0; i < answers; i++) {
                client.send(heartbeat("wait", i, 0), VERSION, i);
                unanswered.add(network.nextWaiting());
            }
            network.overloaded.set(true);
            client.send(heartbeat("g", answers, 0), VERSION, answers);
            awaitTries(network, 1);

            for (int i = 0; i < answers; i++) {
                unanswered.get(i).answer();
                client.receive(ApiKey.HEARTBEAT, VERSION, i);
            }
            long startNs = System.nanoTime();
            awaitTries(network, tries);

            // A round begins a millisecond after the last one ended, at the earliest.
            assertThat(System.nanoTime() - startNs).isGreaterThan((tries - 20) * 1_000_000L);
            network.overloaded.set(false);
            client.receive(ApiKey.HEARTBEAT, VERSION, answers);
        }
    }

    private static void awaitTries(TestNetwork network, int more) {
        int goal = network.askedWhetherOverloaded.get() + more;
        while (network.askedWhetherOverloaded.get() < goal) Thread.onSpinWait();
    }

    @Test
    void impossibleSizesCloseTheConnection() throws IOException {
        try (TestNetwork network = new TestNetwork()) {
            for (int size :
                    new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, (1 << 20) + 1}) {
                try (RawClient client = network.connect()) {
                    client.send(ByteBuffer.allocate(4).putInt(size).array());

                    assertThat(client.isClosedByBroker()).as("size %s", size).isTrue();
                }
            }
            assertThat(network.server.requestMemoryUsedBytes()).isZero();
        }
    }

    @Test
    void brokenRequestsCloseTheConnection() throws IOException {
        byte[] tooShort = {0, 0, 0, 3, 0, 12, 0};
        byte[] unknownApi = {0, 0, 0, 10, 7, 12, 0, 0, 0, 0, 0, 1, -1, -1};
        byte[] unknownVersion = {0, 0, 0, 10, 0, 12, 0, 99, 0, 0, 0, 1, -1, -1};
        byte[] noBody = {0, 0, 0, 10, 0, 12, 0, 0, 0, 0, 0, 1, -1, -1};
        try (TestNetwork network = new TestNetwork()) {
            for (byte[] bytes : List.of(tooShort, unknownApi, unknownVersion, noBody)) {
                try (RawClient client = network.connect()) {
                    client.send(bytes);

                    assertThat(client.isClosedByBroker()).isTrue();
                }
            }
            assertThat(network.server.requestMemoryUsedBytes()).isZero();
        }
    }

    @Test
    void failingHandlerClosesOnlyItsConnection() throws IOException {
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect();
                RawClient other = network.connect()) {
            client.send(heartbeat("broken", 1, 0), VERSION, 1);
            assertThat(client.isClosedByBroker()).isTrue();

            other.send(heartbeat("g", 2, 0), VERSION, 2);
            other.receive(ApiKey.HEARTBEAT, VERSION, 2);
        }
    }

    @Test
    void frameThatDoesNotCompleteLosesItsMemoryAndConnection() throws IOException {
        NetworkSettings hasty =
                new NetworkSettings(
                        1, 1 << 20, 1 << 20, 1 << 20, 8, 1 << 20, 200, 600_000, -1, -1, 50);
        try (TestNetwork network = new TestNetwork(hasty, ConnectionLimits.NONE);
                RawClient slow = network.connect();
                RawClient other = network.connect()) {
            slow.send(ByteBuffer.allocate(5).putInt(700_000).array());
            other.send(heartbeat("g", 1, 20_000), VERSION, 1);
            other.receive(ApiKey.HEARTBEAT, VERSION, 1);

            assertThat(slow.isClosedByBroker()).isTrue();

            other.send(heartbeat("g", 2, 0), VERSION, 2);
            other.receive(ApiKey.HEARTBEAT, VERSION, 2);
            assertThat(network.server.requestMemoryUsedBytes()).isZero();
        }
    }

    @Test
    void idleConnectionIsClosedButNotOneThatWaitsForItsAnswer() throws Exception {
        NetworkSettings hasty =
                new NetworkSettings(
                        1, 1 << 20, 1 << 20, 1 << 20, 8, 1 << 20, 60_000, 300, -1, -1, 50);
        try (TestNetwork network = new TestNetwork(hasty, ConnectionLimits.NONE);
                RawClient idle = network.connect();
                RawClient waiting = network.connect()) {
            waiting.send(heartbeat("wait", 1, 0), VERSION, 1);
            TestNetwork.Waiting request = network.nextWaiting();

            assertThat(idle.isClosedByBroker()).isTrue();

            request.answer();
            waiting.receive(ApiKey.HEARTBEAT, VERSION, 1);
        }
    }

    @Test
    void addressWithItsShareOfConnectionsIsRefusedMore() throws IOException {
        ConnectionLimits limits =
                new ConnectionLimits(100, Map.of(), 1, Map.of("127.0.0.1", 2), Integer.MAX_VALUE);
        try (TestNetwork network = new TestNetwork(TestNetwork.SETTINGS, limits);
                RawClient first = network.connect();
                RawClient second = network.connect()) {
            answered(first);
            answered(second);

            try (RawClient third = network.connect()) {
                assertThat(third.isClosedByBroker()).isTrue();
            }
            answered(first);
        }
    }

    @Test
    void connectionBeyondTheTotalWaitsUntilOneLeaves() throws IOException {
        try (TestNetwork network = new TestNetwork(TestNetwork.SETTINGS, ONE_CONNECTION);
                RawClient first = network.connect()) {
            answered(first);
            try (RawClient second = network.connect()) {
                second.send(heartbeat("g", 1, 0), VERSION, 1);

                first.socket().close();

                assertThat(number(second.receive(ApiKey.HEARTBEAT, VERSION, 1))).isEqualTo(1);
            }
        }
    }

    @Test
    void listenerWithItsShareOfConnectionsMakesOthersWait() throws IOException {
        ConnectionLimits limits =
                new ConnectionLimits(100, Map.of("PLAINTEXT", 1), 100, Map.of(), Integer.MAX_VALUE);
        try (TestNetwork network = new TestNetwork(TestNetwork.SETTINGS, limits);
                RawClient first = network.connect()) {
            answered(first);
            try (RawClient second = network.connect()) {
                second.send(heartbeat("g", 1, 0), VERSION, 1);

                first.socket().close();

                assertThat(number(second.receive(ApiKey.HEARTBEAT, VERSION, 1))).isEqualTo(1);
            }
        }
    }

    @Test
    void connectionsThatComeTooFastAreServedOneAfterTheOther() throws IOException {
        ConnectionLimits limits = new ConnectionLimits(100, Map.of(), 100, Map.of(), 10);
        long start = System.nanoTime();
        try (TestNetwork network = new TestNetwork(TestNetwork.SETTINGS, limits)) {
            for (int i = 0; i < 6; i++) {
                try (RawClient client = network.connect()) {
                    answered(client);
                }
            }
        }
        assertThat(System.nanoTime() - start).isGreaterThan(450_000_000);
    }

    @Test
    void memoryOfAllRequestsIsBounded() throws Exception {
        NetworkSettings small =
                new NetworkSettings(
                        2, 1 << 20, 200_000, 1 << 20, 8, 1 << 20, 60_000, 600_000, -1, -1, 50);
        try (TestNetwork network = new TestNetwork(small, ConnectionLimits.NONE);
                RawClient a = network.connect();
                RawClient b = network.connect()) {
            for (int i = 0; i < 4; i++) {
                a.send(heartbeat("wait", i, 30_000), VERSION, i);
            }
            TestNetwork.Waiting held = network.nextWaiting();
            network.nextWaiting();
            network.nextWaiting();
            b.send(heartbeat("g", 9, 30_000), VERSION, 9);
            assertThat(network.server.requestMemoryUsedBytes()).isBetween(90_000L, 100_000L);
            assertThat(network.waiting).isEmpty();

            held.answer();

            assertThat(number(a.receive(ApiKey.HEARTBEAT, VERSION, 0))).isZero();
        }
    }

    @Test
    void stopAnswersWhatWasReadAndReadsNoMore() throws Exception {
        TestNetwork network = new TestNetwork();
        try (RawClient client = network.connect();
                RawClient idle = network.connect()) {
            answered(idle);
            client.send(heartbeat("wait", 1, 0), VERSION, 1);
            client.send(heartbeat("wait", 2, 0), VERSION, 2);
            List<TestNetwork.Waiting> taken = List.of(network.nextWaiting(), network.nextWaiting());

            network.server.stopReading();
            client.send(heartbeat("wait", 3, 0), VERSION, 3);
            assertThat(idle.isClosedByBroker()).isTrue();
            taken.forEach(TestNetwork.Waiting::answer);
            network.server.closeConnections(30_000);

            assertThat(network.waiting).isEmpty();
            assertThat(number(client.receive(ApiKey.HEARTBEAT, VERSION, 1))).isEqualTo(1);
            assertThat(number(client.receive(ApiKey.HEARTBEAT, VERSION, 2))).isEqualTo(2);
            assertThat(client.isClosedByBroker()).isTrue();
            assertThat(network.server.requestMemoryUsedBytes()).isZero();
        } finally {
            network.close();
        }
    }

    @Test
    void stopWaitsForAnswersOnlySoLong() throws Exception {
        try (TestNetwork network = new TestNetwork();
                RawClient client = network.connect()) {
            client.send(heartbeat("wait", 1, 0), VERSION, 1);
            network.nextWaiting();

            network.server.closeConnections(50);

            assertThat(client.isClosedByBroker()).isTrue();
        }
    }

    /// More than the listen queue holds, as when all clients reconnect.
    @Test
    void manyWhoConnectAtOnceAreAllAcceptedSoon() throws Exception {
        int count = 3_000;
        List<SocketChannel> clients = new ArrayList<>();
        try (TestNetwork network = new TestNetwork();
                Selector selector = Selector.open()) {
            for (int i = 0; i < count; i++) {
                SocketChannel client = SocketChannel.open();
                clients.add(client);
                client.configureBlocking(false);
                client.connect(network.address);
                client.register(selector, SelectionKey.OP_CONNECT);
            }
            int connected = 0;
            while (connected < count && selector.select(10_000) > 0) {
                for (SelectionKey key : selector.selectedKeys()) {
                    if (((SocketChannel) key.channel()).finishConnect()) {
                        connected++;
                        key.cancel();
                    }
                }
                selector.selectedKeys().clear();
            }
            assertThat(connected).isEqualTo(count);
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    private static void answered(RawClient client) throws IOException {
        client.send(heartbeat("g", 5, 0), VERSION, 5);
        client.receive(ApiKey.HEARTBEAT, VERSION, 5);
    }

    private static int number(ApiMessage response) {
        return ((HeartbeatResponse) response).throttleTimeMs();
    }
}

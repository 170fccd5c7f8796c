package dev.ottla.broker.server;

import static dev.ottla.broker.network.TestNetwork.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.network.ConnectionLimits;
import dev.ottla.broker.network.RawClient;
import dev.ottla.broker.network.TestNetwork;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataResponse;
import dev.ottla.wire.message.ProduceResponse;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What requests and answers may take before a broker with other values than the defaults stops
/// reading. The first ones meet handlers that wait for the test.
@Timeout(60)
final class NetworkBudgetKeysTest {
    private static final int VERSION = 4;
    private static final int PADDING_BYTES = 10_000;
    private static final int ASKED = 200;

    @Test
    @Tag("config:connection.max.inflight.requests")
    void requestsOfOneConnectionAreBounded() throws Exception {
        assertInWork("connection.max.inflight.requests", "3", 3);
    }

    @Test
    @Tag("config:connection.max.inflight.bytes")
    void memoryOfOneConnectionIsBounded() throws Exception {
        assertInWork("connection.max.inflight.bytes", "41000", 4);
    }

    /// Half of it is for small requests.
    @Test
    @Tag("config:queued.max.request.bytes")
    void memoryOfAllConnectionsIsBounded() throws Exception {
        assertInWork("queued.max.request.bytes", "51000", 2);
    }

    /// So many of ten requests of one client reach their handler.
    private static void assertInWork(String key, String value, int count) throws Exception {
        try (TestNetwork network = network(key, value);
                RawClient client = network.connect()) {
            for (int i = 0; i < 10; i++) {
                client.send(heartbeat("wait", i, PADDING_BYTES), VERSION, i);
            }
            for (int i = 0; i < count; i++) assertThat(network.nextWaiting()).isNotNull();
            assertThat(network.waiting.poll(200, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    @Test
    @Tag("config:socket.send.buffer.bytes")
    void sendBufferIsAsked() throws Exception {
        assertThat(option("socket.send.buffer.bytes", "20000", ChannelOption.SO_SNDBUF))
                .isLessThan(option("socket.send.buffer.bytes", "80000", ChannelOption.SO_SNDBUF));
    }

    @Test
    @Tag("config:socket.receive.buffer.bytes")
    void receiveBufferIsAsked() throws Exception {
        assertThat(option("socket.receive.buffer.bytes", "20000", ChannelOption.SO_RCVBUF))
                .isLessThan(
                        option("socket.receive.buffer.bytes", "80000", ChannelOption.SO_RCVBUF));
    }

    private static int option(String key, String value, ChannelOption<Integer> option)
            throws Exception {
        try (TestNetwork network = network(key, value);
                RawClient client = network.connect()) {
            client.send(heartbeat("wait", 1, 0), VERSION, 1);
            return network.nextWaiting().option(option);
        }
    }

    private static TestNetwork network(String key, String value) throws IOException {
        ConfigResolver resolver =
                new ConfigResolver(BrokerLayers.of(Map.of(key, value)), Surroundings.of(1, 2));
        return new TestNetwork(
                NetworkConfig.settings(resolver.broker(), 1L << 30), ConnectionLimits.NONE);
    }

    @Test
    @Tag("config:queued.max.requests")
    void nothingIsReadWhileShardsHaveTooMuchToDo() throws Exception {
        assertThat(isAnsweredBesideABusyShard("1000", 10_000)).isTrue();
        assertThat(isAnsweredBesideABusyShard("2", 500)).isFalse();
    }

    /// Whether a client is answered while the only shard stands still with some requests waiting.
    private static boolean isAnsweredBesideABusyShard(String limit, int patienceMs)
            throws Exception {
        StuckDisk disk = new StuckDisk("busy-0", "write");
        Map<String, String> settings =
                Map.of(
                        "queued.max.requests", limit,
                        "num.network.threads", "2",
                        "num.shards", "1");
        try (TestBroker broker = new TestBroker(settings, disk.disk());
                BrokerClient client = new BrokerClient(broker);
                BrokerClient other = new BrokerClient(broker)) {
            client.create("busy", 1);
            client.ask(ProduceResponse.class, BrokerClient.produce("busy", 0, 10), 9);
            disk.stick();
            client.raw().send(BrokerClient.produce("busy", 0, 10), 9, 100);
            try {
                Await.until("a standing shard", () -> disk.isWaitedFor());
                for (int i = 0; i < 10; i++) {
                    client.raw().send(BrokerClient.produce("busy", 0, 10), 9, 101 + i);
                }
                other.raw().socket().setSoTimeout(patienceMs);
                return isStillAnswered(other);
            } finally {
                disk.release();
            }
        }
    }

    /// The first answers may come before the other client's loop has read what fills the queue.
    private static boolean isStillAnswered(BrokerClient client) throws Exception {
        for (int i = 0; i < ASKED; i++) {
            if (!client.isAnswered()) return false;
        }
        return true;
    }

    @Test
    @Tag("config:connection.max.pending.response.bytes")
    void clientThatReadsNoAnswersIsNotReadFrom() throws Exception {
        try (TestBroker broker = talkative("134217728");
                BrokerClient client = new BrokerClient(broker);
                BrokerClient deaf = new BrokerClient(broker)) {
            askMuch(client, deaf);
            Await.until("all answers", () -> metadataRequests(broker) == ASKED);
        }
        try (TestBroker broker = talkative("20000");
                BrokerClient client = new BrokerClient(broker);
                BrokerClient deaf = new BrokerClient(broker)) {
            askMuch(client, deaf);
            Await.until("first answers", () -> metadataRequests(broker) > 0);
            // Each of these takes the only loop once round all connections that it reads from.
            for (int i = 0; i < ASKED; i++) assertThat(client.isAnswered()).isTrue();
            assertThat(metadataRequests(broker)).isLessThan(ASKED);
        }
    }

    /// By default a client that reads nothing costs no more than what a socket holds and a little.
    @Test
    void littleIsComputedForAClientThatReadsNoAnswers() throws Exception {
        Map<String, String> settings =
                Map.of("num.network.threads", "1", "num.shards", "1", "metrics.port", "0");
        try (TestBroker broker = new TestBroker(settings);
                BrokerClient client = new BrokerClient(broker);
                BrokerClient deaf = new BrokerClient(broker)) {
            client.create("t", 200);
            MetadataRequest request = MetadataRequest.builder().topics(null).build();
            int answerBytes = client.ask(MetadataResponse.class, request, 12).size((short) 12);
            double before = metadataRequests(broker);
            int asked = (64 << 20) / answerBytes;
            for (int i = 0; i < asked; i++) deaf.raw().send(request, 12, i);

            Await.until("first answers", () -> metadataRequests(broker) > before);
            for (int i = 0; i < 1_000; i++) assertThat(client.isAnswered()).isTrue();

            double computedBytes = (metadataRequests(broker) - before) * answerBytes;
            assertThat(computedBytes).isLessThan(16 << 20);
            assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory())
                    .isLessThan(64 << 20);
        }
    }

    private static TestBroker talkative(String limit) {
        return new TestBroker(
                Map.of(
                        "connection.max.pending.response.bytes", limit,
                        "connection.max.inflight.requests", "1000",
                        "socket.send.buffer.bytes", "8192",
                        "num.network.threads", "1",
                        "metrics.port", "0"));
    }

    /// For large answers, which nobody reads.
    private static void askMuch(BrokerClient client, BrokerClient deaf) throws IOException {
        client.create("t", 200);
        MetadataRequest request = MetadataRequest.builder().topics(null).build();
        for (int i = 0; i < ASKED; i++) deaf.raw().send(request, 12, i);
    }

    private static double metadataRequests(TestBroker broker) throws Exception {
        return MetricsPage.of(broker).value("ottla_requests_total{api=\"Metadata\"}");
    }
}

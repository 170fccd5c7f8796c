package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.broker.network.RawClient;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.ApiVersionsRequest;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchRequest.FetchPartition;
import dev.ottla.wire.message.FetchRequest.FetchTopic;
import dev.ottla.wire.message.FetchResponse;
import dev.ottla.wire.message.MetadataResponse.MetadataResponseBroker;
import dev.ottla.wire.message.ProduceResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Brokers with other values than the defaults for addresses and connections, seen by clients.
@Timeout(60)
final class NetworkKeysTest {
    @Test
    @Tag("config:listeners")
    @Tag("config:listener.security.protocol.map")
    void everyListenerIsServed() throws IOException {
        Map<String, String> settings =
                Map.of(
                        "listeners", "INSIDE://127.0.0.1:0,OUTSIDE://127.0.0.1:0",
                        "listener.security.protocol.map", "INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT");
        try (TestBroker broker = new TestBroker(settings)) {
            for (BoundListener listener : broker.server().listeners()) {
                try (BrokerClient client = new BrokerClient(listener.address())) {
                    assertThat(client.metadata().brokers().getFirst().port())
                            .isEqualTo(listener.address().getPort());
                }
            }
            assertThatThrownBy(() ->
                            broker.restart(
                                    Map.of(
                                            "listener.security.protocol.map",
                                            "INSIDE:PLAINTEXT,OUTSIDE:SSL")))
                    .isInstanceOf(StartRefusedException.class);
        }
    }

    @Test
    @Tag("config:listeners")
    @Tag("config:listener.security.protocol.map")
    void listenersComeAndGoWhileTheBrokerRuns() throws Exception {
        try (TestBroker broker = new TestBroker();
                BrokerClient client = new BrokerClient(broker)) {
            String here = "PLAINTEXT://127.0.0.1:0";
            assertThat(
                            client.trySet(
                                    ConfigResource.Type.BROKER,
                                    "1",
                                    Map.of(
                                            "listeners",
                                            here + ",SIDE://127.0.0.1:0",
                                            "listener.security.protocol.map",
                                            "PLAINTEXT:PLAINTEXT,SIDE:PLAINTEXT")))
                    .isEqualTo(ErrorCode.NONE);
            BoundListener side = broker.server().listeners().getLast();
            assertThat(side.name()).isEqualTo("SIDE");
            try (BrokerClient its = new BrokerClient(side.address())) {
                assertThat(its.metadata().brokers().getFirst().port())
                        .isEqualTo(side.address().getPort());

                client.set(ConfigResource.Type.BROKER, "1", "listeners", here);

                assertThat(its.raw().isClosedByBroker()).isTrue();
            }
            assertThatThrownBy(() -> new BrokerClient(side.address()))
                    .isInstanceOf(IOException.class);
            client.metadata();
        }
    }

    @Test
    @Tag("config:num.network.threads")
    void networkLoopsComeAndGoWhileTheBrokerRuns() throws Exception {
        try (TestBroker broker = new TestBroker(Map.of("num.network.threads", "1"))) {
            List<BrokerClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) clients.add(new BrokerClient(broker));
            BrokerClient first = clients.getFirst();
            for (BrokerClient client : clients) client.metadata();
            Await.until("one loop", () -> LiveThreads.count("network") == 1);

            set(first, "num.network.threads", "3");
            for (int i = 0; i < 4; i++) clients.add(new BrokerClient(broker));
            for (BrokerClient client : clients) client.metadata();
            assertThat(LiveThreads.count("network")).isEqualTo(3);

            set(first, "num.network.threads", "1");
            Await.until("a closed connection", () -> anyIsClosed(clients));
            first.metadata();
            for (BrokerClient client : clients) client.close();
        }
    }

    /// Of the younger half.
    private static boolean anyIsClosed(List<BrokerClient> clients) throws IOException {
        for (BrokerClient client : clients.subList(clients.size() / 2, clients.size())) {
            client.raw().socket().setSoTimeout(50);
            if (client.raw().isClosedByBroker()) return true;
        }
        return false;
    }

    @Test
    @Tag("config:advertised.listeners")
    void clientsAreToldTheAdvertisedListener() throws IOException {
        assertThat(told(Map.of("advertised.listeners", "PLAINTEXT://gate.example:4711")))
                .extracting(MetadataResponseBroker::host, MetadataResponseBroker::port)
                .containsExactly("gate.example", 4711);
    }

    @Test
    @Tag("config:advertised.address")
    void clientsAreToldTheAdvertisedAddress() throws IOException {
        assertThat(told(Map.of("advertised.address", "nat.example:4712")))
                .extracting(MetadataResponseBroker::host, MetadataResponseBroker::port)
                .containsExactly("nat.example", 4712);
    }

    private static MetadataResponseBroker told(Map<String, String> settings) throws IOException {
        try (TestBroker broker = new TestBroker(settings);
                BrokerClient client = new BrokerClient(broker)) {
            return client.metadata().brokers().getFirst();
        }
    }

    @Test
    @Tag("config:socket.request.max.bytes")
    @Tag("config:socket.request.receive.timeout.ms")
    @Tag("config:connections.max.idle.ms")
    void connectionIsClosedForWhatItSendsAndForSilence() throws IOException {
        Map<String, String> settings =
                Map.of(
                        "socket.request.max.bytes", "1000",
                        "socket.request.receive.timeout.ms", "200",
                        "connections.max.idle.ms", "1000");
        try (TestBroker broker = new TestBroker(settings);
                RawClient idle = new RawClient(broker.address());
                RawClient slow = new RawClient(broker.address());
                RawClient large = new RawClient(broker.address());
                RawClient fitting = new RawClient(broker.address())) {
            long startNs = System.nanoTime();
            slow.send(ByteBuffer.allocate(8).putInt(1000).array());
            large.send(ByteBuffer.allocate(4).putInt(1001).array());
            fitting.send(ByteBuffer.allocate(4).putInt(1000).array());

            assertThat(large.isClosedByBroker()).isTrue();
            assertThat(slow.isClosedByBroker()).isTrue();
            assertThat(fitting.isClosedByBroker()).isTrue();
            assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(25));
            assertThat(idle.isClosedByBroker()).isTrue();
        }
    }

    @Test
    @Tag("config:max.connections")
    void connectionsAreBoundedWhileTheBrokerRuns() throws IOException {
        try (TestBroker broker = new TestBroker(Map.of("max.connections", "2"));
                BrokerClient first = new BrokerClient(broker);
                BrokerClient second = new BrokerClient(broker);
                RawClient third = new RawClient(broker.address())) {
            first.metadata();
            second.metadata();
            assertWaits(third);

            first.set(ConfigResource.Type.BROKER, BrokerClient.CLUSTER, "max.connections", "3");

            assertAnswered(third);
        }
    }

    @Test
    @Tag("config:max.connections.per.ip")
    @Tag("config:max.connections.per.ip.overrides")
    void connectionsOfOneAddressAreBoundedWhileTheBrokerRuns() throws IOException {
        try (TestBroker broker = new TestBroker(Map.of("max.connections.per.ip", "1"));
                BrokerClient first = new BrokerClient(broker)) {
            first.metadata();
            assertThat(isRefused(broker)).isTrue();

            set(first, "max.connections.per.ip", "2");
            assertThat(isRefused(broker)).isFalse();

            set(first, "max.connections.per.ip.overrides", "127.0.0.1:1");
            assertThat(isRefused(broker)).isTrue();
        }
    }

    private static void set(BrokerClient client, String key, String value) throws IOException {
        client.set(ConfigResource.Type.BROKER, BrokerClient.CLUSTER, key, value);
    }

    private static boolean isRefused(TestBroker broker) throws IOException {
        try (RawClient client = new RawClient(broker.address())) {
            client.socket().setSoTimeout(10_000);
            client.send(versions(), 0, 1);
            client.receive(ApiKey.API_VERSIONS, 0, 1);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    @Tag("config:max.connection.creation.rate")
    void connectionsThatComeTooFastWait() throws IOException {
        try (TestBroker broker = new TestBroker();
                BrokerClient first = new BrokerClient(broker)) {
            set(first, "max.connection.creation.rate", "4");
            long startNs = System.nanoTime();

            for (int i = 0; i < 4; i++) assertThat(isRefused(broker)).isFalse();

            assertThat(System.nanoTime() - startNs)
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
        }
    }

    @Test
    @Tag("config:socket.listen.backlog.size")
    void systemHoldsOnlySoManyConnectionsReady() throws IOException {
        assertThat(connections(1)).isLessThan(6);
        assertThat(connections(50)).isEqualTo(6);
    }

    /// How many of six connections come about while the broker takes only one.
    private static int connections(int backlog) throws IOException {
        Map<String, String> settings =
                Map.of(
                        "max.connections",
                        "1",
                        "socket.listen.backlog.size",
                        Integer.toString(backlog));
        List<Socket> sockets = new ArrayList<>();
        try (TestBroker broker = new TestBroker(settings);
                BrokerClient served = new BrokerClient(broker)) {
            served.metadata();
            InetSocketAddress address =
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), broker.address().getPort());
            int made = 0;
            for (int i = 0; i < 6; i++) {
                Socket socket = new Socket();
                sockets.add(socket);
                socket.connect(address, 400);
                made++;
            }
            return made;
        } catch (SocketTimeoutException e) {
            return sockets.size() - 1;
        } finally {
            for (Socket socket : sockets) socket.close();
        }
    }

    @Test
    @Tag("config:fetch.max.bytes")
    @Tag("config:max.incremental.fetch.session.cache.slots")
    void fetchesAreBoundedInSizeAndSessions() throws Exception {
        Map<String, String> settings =
                Map.of(
                        "fetch.max.bytes", "1024",
                        "max.incremental.fetch.session.cache.slots", "0");
        try (TestBroker broker = new TestBroker(settings);
                BrokerClient client = new BrokerClient(broker)) {
            client.create("t", 2);
            for (int partition = 0; partition < 2; partition++) {
                client.ask(ProduceResponse.class, BrokerClient.produce("t", partition, 900), 9);
            }
            FetchRequest request = fetch("t", 2);

            FetchResponse bounded = client.ask(FetchResponse.class, request, 12);

            assertThat(bounded.sessionId()).isZero();
            assertThat(recordBytes(bounded)).isBetween(900, 1_100);

            broker.restart(
                    Map.of(
                            "fetch.max.bytes", "100000",
                            "max.incremental.fetch.session.cache.slots", "1000"));
            try (BrokerClient again = new BrokerClient(broker)) {
                Await.until(
                        "both partitions in one answer",
                        () -> {
                            FetchResponse roomy = again.ask(FetchResponse.class, request, 12);
                            assertThat(roomy.sessionId()).isNotZero();
                            return recordBytes(roomy) > 1_800;
                        });
            }
        }
    }

    private static FetchRequest fetch(String topic, int partitions) {
        List<FetchPartition> all =
                IntStream.range(0, partitions)
                        .mapToObj(partition ->
                                FetchPartition.builder()
                                        .partition(partition)
                                        .fetchOffset(0)
                                        .partitionMaxBytes(1_000_000)
                                        .build())
                        .toList();
        return FetchRequest.builder()
                .maxWaitMs(10_000)
                .minBytes(1)
                .maxBytes(10_000_000)
                .sessionEpoch(0)
                .topics(List.of(FetchTopic.builder().topic(topic).partitions(all).build()))
                .build();
    }

    private static int recordBytes(FetchResponse response) {
        return response.responses().stream()
                .flatMap(topic -> topic.partitions().stream())
                .mapToInt(partition -> {
                    var records = partition.records();
                    return records == null ? 0 : records.sizeBytes();
                })
                .sum();
    }

    private static ApiVersionsRequest versions() {
        return ApiVersionsRequest.builder().build();
    }

    /// The client is connected and nobody answers it for a while.
    private static void assertWaits(RawClient client) throws IOException {
        client.send(versions(), 0, 1);
        client.socket().setSoTimeout(200);
        assertThat(client.isClosedByBroker()).isFalse();
    }

    private static void assertAnswered(RawClient client) throws IOException {
        client.socket().setSoTimeout(10_000);
        client.receive(ApiKey.API_VERSIONS, 0, 1);
    }
}

package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.GetTelemetrySubscriptionsRequest;
import dev.ottla.wire.message.GetTelemetrySubscriptionsResponse;
import dev.ottla.wire.message.PushTelemetryRequest;
import dev.ottla.wire.message.PushTelemetryResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The metrics of the broker and of its clients, as settings change them.
@Timeout(60)
final class MetricsKeysTest {
    private static final String OWN_ADDRESS = "127.0.0.2";

    private static TestBroker broker;
    private static BrokerClient client;
    private static int port;

    @BeforeAll
    static void start() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(OWN_ADDRESS))) {
            port = free.getLocalPort();
        }
        broker =
                new TestBroker(
                        Map.of(
                                "telemetry.max.bytes",
                                "100",
                                "metrics.address",
                                OWN_ADDRESS,
                                "metrics.port",
                                Integer.toString(port)));
        client = new BrokerClient(broker);
    }

    @AfterAll
    static void stop() throws IOException {
        client.close();
        broker.close();
    }

    @Test
    @Tag("config:metrics.address")
    @Tag("config:metrics.port")
    void pageIsServedWhereItIsTold() throws IOException {
        connect(OWN_ADDRESS);
        assertThatThrownBy(() -> connect("127.0.0.1")).isInstanceOf(IOException.class);
        try (TestBroker silent = new TestBroker(Map.of("metrics.port", "-1"))) {
            assertThat(silent.server().metricsPort()).isEqualTo(-1);
        }
    }

    private static void connect(String host) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), 10_000);
        }
    }

    @Test
    @Tag("config:telemetry.max.bytes")
    void pushOfAClientIsBounded() throws IOException {
        GetTelemetrySubscriptionsResponse wanted = subscriptions();

        assertThat(wanted.telemetryMaxBytes()).isEqualTo(100);
        assertThat(push(wanted, 101)).isEqualTo(ErrorCode.TELEMETRY_TOO_LARGE);
        assertThat(push(subscriptions(), 100)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    @Tag("config:metrics")
    @Tag("config:interval.ms")
    @Tag("config:match")
    void clientsAreToldWhatIsWantedOfThem() throws Exception {
        subscribe("a", "metrics", "org.x.");
        subscribe("a", "interval.ms", "1234");
        Await.until("a subscription", () -> subscriptions().requestedMetrics().contains("org.x."));
        assertThat(subscriptions().pushIntervalMs()).isEqualTo(1234);

        subscribe("a", "metrics", "org.y.");
        Await.until("another name", () -> subscriptions().requestedMetrics().contains("org.y."));

        subscribe("a", "match", "client_id=somebody-else");
        Await.until("no subscription", () -> subscriptions().requestedMetrics().isEmpty());

        subscribe("a", "match", "client_id=raw");
        Await.until("a subscription", () -> subscriptions().requestedMetrics().contains("org.y."));
    }

    private static void subscribe(String name, String key, String value) throws IOException {
        client.set(ConfigResource.Type.CLIENT_METRICS, name, key, value);
    }

    /// As a new client.
    private static GetTelemetrySubscriptionsResponse subscriptions() throws IOException {
        return client.ask(
                GetTelemetrySubscriptionsResponse.class,
                GetTelemetrySubscriptionsRequest.builder().clientInstanceId(Uuid.ZERO).build(),
                0);
    }

    private static ErrorCode push(GetTelemetrySubscriptionsResponse wanted, int bytes)
            throws IOException {
        // One field of a number that nobody knows, as long as the rest.
        ByteBuffer metrics =
                ByteBuffer.allocate(bytes).put(0, (byte) 0x7a).put(1, (byte) (bytes - 2));
        PushTelemetryRequest request =
                PushTelemetryRequest.builder()
                        .clientInstanceId(wanted.clientInstanceId())
                        .subscriptionId(wanted.subscriptionId())
                        .metrics(metrics)
                        .build();
        return GroupClient.code(client.ask(PushTelemetryResponse.class, request, 0).errorCode());
    }
}

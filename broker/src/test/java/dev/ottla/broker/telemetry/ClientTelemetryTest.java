package dev.ottla.broker.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.ImageVersion;
import dev.ottla.record.Compression;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ClientTelemetryTest {
    private static final Uuid ANN = new Uuid(7, 1000);
    private static final Uuid BOB = new Uuid(7, 1001);
    private static final int MAX_BYTES = 100;

    private final ConfigResolver config =
            new ConfigResolver(BrokerLayers.of(Map.of()), Surroundings.of(1, 2));
    private ClusterImage image = ClusterImage.EMPTY;
    private final ClientTelemetry telemetry = telemetry(10, 1000);
    private long nowMs = -5000;
    private long nextId = 500;

    private ClientTelemetry telemetry(int maxClients, long maxKeptBytes) {
        return new ClientTelemetry(
                () -> new Uuid(9, nextId++),
                new ClientTelemetry.Limits(MAX_BYTES, maxClients, maxKeptBytes),
                new BrokerMetrics().telemetry());
    }

    @Test
    void clientWithoutIdGetsOne() {
        SubscriptionReply.Wanted wanted = wanted(Uuid.ZERO);

        assertThat(wanted.instanceId()).isEqualTo(new Uuid(9, 500));
    }

    @Test
    void nothingIsWantedWithoutASubscription() {
        WantedMetrics wanted = wanted(ANN).metrics();

        assertThat(wanted.metrics()).isEmpty();
        assertThat(wanted.pushIntervalMs()).isEqualTo(300_000);
    }

    @Test
    void matchingSubscriptionsAreJoinedAtTheShortestInterval() {
        subscribe("a", "org.x.,org.y.", 60_000, "client_id=cl.*");
        subscribe(
                "b",
                "org.y.,org.z.",
                2000,
                "client_source_address=127\\..*,client_source_port=[0-9]+");
        subscribe("c", "org.never.", 1000, "client_id=cl");

        WantedMetrics wanted = wanted(ANN).metrics();

        assertThat(wanted.metrics()).containsExactly("org.x.", "org.y.", "org.z.");
        assertThat(wanted.pushIntervalMs()).isEqualTo(2000);
    }

    @Test
    void everySelectorChoosesClients() {
        List<String> matches =
                List.of(
                        "client_instance_id=" + ANN,
                        "client_id=client",
                        "client_software_name=lib.*",
                        "client_software_version=1\\.[0-9]",
                        "client_source_address=127.0.0.1",
                        "client_source_port=4000");
        for (String match : matches) {
            subscribe("s", "org.", 1000, match);
            assertThat(wanted(ANN).metrics().metrics()).as(match).isNotEmpty();

            subscribe("s", "org.", 1000, match + "0");
            assertThat(wanted(ANN).metrics().metrics()).as(match + "0").isEmpty();
        }
    }

    @Test
    void starSwallowsTheOtherNames() {
        subscribe("a", "org.x.", 60_000, "");
        subscribe("b", "*", 60_000, "");

        assertThat(wanted(ANN).metrics().metrics()).containsExactly("*");
    }

    @Test
    void subscriptionIdChangesWithWhatIsWantedAndWithTheClientOnly() {
        subscribe("a", "org.x.,org.y.", 60_000, "");
        int first = wanted(ANN).metrics().subscriptionId();

        subscribe("a", "org.y.,org.x.", 60_000, "client_id=.*");
        assertThat(wanted(ANN).metrics().subscriptionId()).isEqualTo(first);
        assertThat(wanted(BOB).metrics().subscriptionId()).isNotEqualTo(first);

        subscribe("a", "org.x.,org.y.", 50_000, "");
        assertThat(wanted(ANN).metrics().subscriptionId()).isNotEqualTo(first);
    }

    @Test
    void clientThatAsksTooOftenIsRefusedUntilItsIntervalIsOver() {
        subscribe("a", "org.", 1000, "");
        wanted(ANN);

        nowMs += 999;
        assertThat(ask(ANN)).isInstanceOf(SubscriptionReply.TooEarly.class);
        nowMs += 1;
        assertThat(ask(ANN)).isInstanceOf(SubscriptionReply.Wanted.class);
    }

    @Test
    void changedSubscriptionIsToldAtOnce() {
        subscribe("a", "org.", 1000, "");
        wanted(ANN);

        subscribe("a", "net.", 1000, "");

        assertThat(wanted(ANN).metrics().metrics()).containsExactly("net.");
    }

    @Test
    void pushIsTakenAtAnyTimeAfterAskingAndThenOncePerInterval() {
        subscribe("a", "org.", 1000, "");
        int id = wanted(ANN).metrics().subscriptionId();

        assertThat(push(ANN, id, "one")).isEqualTo(ErrorCode.NONE);
        nowMs += 999;
        assertThat(push(ANN, id, "two")).isEqualTo(ErrorCode.THROTTLING_QUOTA_EXCEEDED);
        nowMs += 1;
        assertThat(push(ANN, id, "three")).isEqualTo(ErrorCode.NONE);

        KeptPush kept = telemetry.lastPush(ANN).orElseThrow();
        assertThat(kept.metrics()).isEqualTo(ByteBuffer.wrap("three".getBytes(UTF_8)));
        assertThat(kept.compression()).isEqualTo(Compression.NONE);
    }

    @Test
    void clientWithAnOldSubscriptionAsksAndPushesAtOnce() {
        subscribe("a", "org.", 1000, "");
        int old = wanted(ANN).metrics().subscriptionId();
        subscribe("a", "net.", 1000, "");

        assertThat(push(ANN, old, "x")).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION_ID);
        int current = wanted(ANN).metrics().subscriptionId();
        assertThat(push(ANN, current, "x")).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void pushesThatCannotBeAreRefused() {
        subscribe("a", "org.", 1000, "");
        int id = wanted(ANN).metrics().subscriptionId();

        assertThat(push(ANN, id, false, 9, "x")).isEqualTo(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE);
        nowMs += 1000;
        assertThat(push(ANN, id, false, 0, "x".repeat(MAX_BYTES + 1)))
                .isEqualTo(ErrorCode.TELEMETRY_TOO_LARGE);
        nowMs += 1000;
        assertThat(push(ANN, id, false, 0, "x".repeat(MAX_BYTES))).isEqualTo(ErrorCode.NONE);
        assertThat(push(Uuid.ZERO, id, "x")).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(push(Uuid.ONE, id, "x")).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void lastPushMayComeEarlyAndNoneFollowsIt() {
        subscribe("a", "org.", 1000, "");
        int id = wanted(ANN).metrics().subscriptionId();
        assertThat(push(ANN, id, "x")).isEqualTo(ErrorCode.NONE);

        assertThat(push(ANN, id, true, 0, "last")).isEqualTo(ErrorCode.NONE);
        nowMs += 1000;
        assertThat(push(ANN, id, true, 0, "x")).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void clientsBeyondTheBoundAndSilentOnesAreForgotten() {
        ClientTelemetry small = telemetry(3, 1000);
        for (int i = 0; i < 5; i++) {
            small.onAsk(client(new Uuid(7, 2000 + i)), nowMs);
        }
        assertThat(small.clientCount()).isEqualTo(3);

        small.onAsk(client(ANN), nowMs + 3 * 300_000 + 1);
        assertThat(small.clientCount()).isEqualTo(1);
    }

    @Test
    void keptPushesStayWithinTheirBudget() {
        ClientTelemetry small = telemetry(10, 100);
        for (Uuid id : List.of(ANN, BOB)) {
            int subscription =
                    ((SubscriptionReply.Wanted) small.onAsk(client(id), nowMs))
                            .metrics()
                            .subscriptionId();
            Push push =
                    new Push(subscription, false, (byte) 0, ByteBuffer.wrap(new byte[MAX_BYTES]));
            assertThat(small.onPush(client(id), push, nowMs)).isEqualTo(ErrorCode.NONE);
            small.onChecked(client(id), push, ErrorCode.NONE, nowMs);
        }

        assertThat(small.lastPush(ANN)).isEmpty();
        assertThat(small.lastPush(BOB)).isPresent();
    }

    private void subscribe(String name, String metrics, int intervalMs, String match) {
        ConfigResource resource = ConfigResource.clientMetrics(name);
        ImageDelta delta = new ImageDelta(image);
        delta.replayAll(
                List.of(
                        new MetadataRecord.Config(resource, "metrics", Optional.of(metrics)),
                        new MetadataRecord.Config(
                                resource, "interval.ms", Optional.of(Integer.toString(intervalMs))),
                        new MetadataRecord.Config(resource, "match", Optional.of(match))));
        image = delta.apply(new ImageVersion(image.version().offset() + 3, 1));
        new TelemetryUpdates(telemetry, Runnable::run, () -> config).onImage(delta, image);
    }

    private SubscriptionReply ask(Uuid id) {
        return telemetry.onAsk(client(id), nowMs);
    }

    private SubscriptionReply.Wanted wanted(Uuid id) {
        return (SubscriptionReply.Wanted) ask(id);
    }

    private ErrorCode push(Uuid id, int subscriptionId, String metrics) {
        return push(id, subscriptionId, false, 0, metrics);
    }

    private ErrorCode push(
            Uuid id, int subscriptionId, boolean terminating, int codec, String metrics) {
        ByteBuffer bytes = ByteBuffer.wrap(metrics.getBytes(UTF_8));
        Push push = new Push(subscriptionId, terminating, (byte) codec, bytes);
        ErrorCode error = telemetry.onPush(client(id), push, nowMs);
        if (error == ErrorCode.NONE) {
            telemetry.onChecked(client(id), push, ErrorCode.NONE, nowMs);
        }
        return error;
    }

    private static TelemetryClient client(Uuid id) {
        return new TelemetryClient(id, "client", "library", "1.2", "127.0.0.1", 4000);
    }
}

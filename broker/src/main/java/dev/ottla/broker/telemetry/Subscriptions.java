package dev.ottla.broker.telemetry;

import dev.ottla.config.ClientMetricsKeys;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.Uuid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/// All subscriptions of the cluster at one time. Immutable.
public final class Subscriptions {
    /// Nobody wants anything.
    public static final Subscriptions NONE = new Subscriptions(List.of());

    /// Pause between the questions of a client that nobody wants anything of.
    static final int DEFAULT_INTERVAL_MS = 300_000;

    /// Stands for all metrics, in settings and in answers.
    private static final String ALL = "*";

    private final List<Subscription> subscriptions;

    private record Subscription(
            String name, List<String> metrics, int intervalMs, ClientMatch match) {
        private Subscription {
            metrics = List.copyOf(metrics);
        }
    }

    private Subscriptions(List<Subscription> subscriptions) {
        this.subscriptions = List.copyOf(subscriptions);
    }

    /// Reads what is set on the client metrics resources of `image`.
    public static Subscriptions of(ClusterImage image, ConfigResolver config) {
        List<Subscription> found = new ArrayList<>();
        for (ConfigResource resource : image.configuredResources()) {
            if (resource.type() != ConfigResource.Type.CLIENT_METRICS) {
                continue;
            }
            ConfigValues values = config.clientMetrics(image.config(resource));
            Optional<ClientMatch> match = ClientMatch.parse(values.value(ClientMetricsKeys.MATCH));
            match.ifPresent(clients ->
                    found.add(
                            new Subscription(
                                    resource.name(),
                                    values.value(ClientMetricsKeys.METRICS),
                                    values.value(ClientMetricsKeys.INTERVAL_MS),
                                    clients)));
        }
        found.sort(Comparator.comparing(Subscription::name));
        return found.isEmpty() ? NONE : new Subscriptions(found);
    }

    /// What `client` is asked for: the metrics of all subscriptions that mean it, at the shortest
    /// of their intervals.
    WantedMetrics wantedOf(TelemetryClient client) {
        SortedSet<String> metrics = new TreeSet<>();
        int intervalMs = DEFAULT_INTERVAL_MS;
        for (Subscription subscription : subscriptions) {
            if (subscription.match().matches(client)) {
                metrics.addAll(subscription.metrics());
                intervalMs = Math.min(intervalMs, subscription.intervalMs());
            }
        }
        List<String> wanted = metrics.contains(ALL) ? List.of(ALL) : List.copyOf(metrics);
        return new WantedMetrics(
                subscriptionId(wanted, intervalMs, client.instanceId()), wanted, intervalMs);
    }

    /// Another id whenever a client is asked for something else, and the same one on every broker,
    /// so that a client may push to any of them.
    private static int subscriptionId(List<String> metrics, int intervalMs, Uuid instanceId) {
        CRC32C crc = new CRC32C();
        crc.update((metrics.toString() + intervalMs).getBytes(StandardCharsets.UTF_8));
        long halves = instanceId.mostSignificantBits() ^ instanceId.leastSignificantBits();
        return (int) crc.getValue() ^ Long.hashCode(halves);
    }
}

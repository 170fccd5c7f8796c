package dev.ottla.broker.server;

import dev.ottla.broker.handler.telemetry.GetTelemetrySubscriptionsHandler;
import dev.ottla.broker.handler.telemetry.PushTelemetryHandler;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.telemetry.ClientTelemetry;
import dev.ottla.broker.telemetry.PushedMetrics;
import dev.ottla.broker.telemetry.Subscriptions;
import dev.ottla.broker.telemetry.TelemetryUpdates;
import dev.ottla.config.MetricsKeys;
import dev.ottla.wire.Uuid;
import java.util.List;

/// Makes the handlers of client telemetry. It lives on the first shard: clients come once in
/// minutes.
final class TelemetryHandlers {
    /// What a push may unpack to; a client's metrics are some hundred KiB.
    private static final int MAX_UNCOMPRESSED_PUSH_BYTES = 16 << 20;

    private TelemetryHandlers() {}

    static List<ApiHandler<?>> create(BrokerServices services) {
        Shard owner = services.shards().all().getFirst();
        int maxPushBytes = services.config().broker().value(MetricsKeys.TELEMETRY_MAX_BYTES);
        ClientTelemetry telemetry =
                new ClientTelemetry(
                        () -> Uuid.random(services.random()),
                        ClientTelemetry.Limits.of(maxPushBytes),
                        services.metrics().telemetry());
        // On the metadata thread no change can come between what there is and what is heard of.
        services.metadataThread()
                .execute(() -> {
                    Subscriptions present =
                            Subscriptions.of(services.image().get(), services.config().resolver());
                    owner.execute(() -> telemetry.onSubscriptions(present));
                    services.imageListeners()
                            .accept(
                                    new TelemetryUpdates(
                                            telemetry, owner, services.config()::resolver));
                });
        return List.of(
                new GetTelemetrySubscriptionsHandler(telemetry, owner),
                new PushTelemetryHandler(
                        telemetry,
                        new PushedMetrics(MAX_UNCOMPRESSED_PUSH_BYTES),
                        owner,
                        services.background()));
    }
}

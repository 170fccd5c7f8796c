package dev.ottla.broker.telemetry;

import dev.ottla.config.ConfigResolver;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.service.ImageListener;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Tells [ClientTelemetry] of subscriptions that were changed. On the metadata thread.
public final class TelemetryUpdates implements ImageListener {
    private final ClientTelemetry telemetry;
    private final Executor owner;
    private final Supplier<ConfigResolver> config;

    /// @param owner runs tasks on the thread that owns `telemetry`
    public TelemetryUpdates(
            ClientTelemetry telemetry, Executor owner, Supplier<ConfigResolver> config) {
        this.telemetry = telemetry;
        this.owner = owner;
        this.config = config;
    }

    @Override
    public void onImage(ImageDelta delta, ClusterImage image) {
        boolean changed =
                delta.changedConfigs().stream()
                        .anyMatch(
                                resource -> resource.type() == ConfigResource.Type.CLIENT_METRICS);
        if (changed) {
            Subscriptions subscriptions = Subscriptions.of(image, config.get());
            owner.execute(() -> telemetry.onSubscriptions(subscriptions));
        }
    }
}

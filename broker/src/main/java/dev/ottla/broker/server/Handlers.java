package dev.ottla.broker.server;

import dev.ottla.broker.handler.ApiVersionsHandler;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.config.ServerKeys;
import dev.ottla.metadata.Features;
import dev.ottla.metadata.VersionRange;
import dev.ottla.metadata.image.ClusterImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Makes the handlers of all APIs: one class for each area lists its own.
final class Handlers {
    private Handlers() {}

    static HandlerTable table(BrokerServices services) {
        // ApiVersions lists the table that it is in; written once, before the first connection.
        AtomicReference<@Nullable HandlerTable> itself = new AtomicReference<>();
        List<ApiHandler<?>> handlers = new ArrayList<>();
        handlers.add(new ApiVersionsHandler(() -> present(itself.get()), () -> identity(services)));
        handlers.addAll(DataHandlers.create(services));
        handlers.addAll(AdminHandlers.create(services));
        handlers.addAll(GroupHandlers.create(services));
        handlers.addAll(DirectoryHandlers.create(services));
        handlers.addAll(TelemetryHandlers.create(services));
        handlers.addAll(ControllerHandlers.create(services, () -> present(itself.get())));
        handlers.addAll(VotingHandlers.create(services));
        HandlerTable table =
                new HandlerTable(
                        ControllerHandlers.forwarding(handlers, services),
                        services.config().broker().value(ServerKeys.UNSTABLE_API_VERSIONS_ENABLE));
        itself.set(table);
        return table;
    }

    private static ApiVersionsHandler.Identity identity(BrokerServices services) {
        ClusterImage image = services.image().get();
        List<ApiVersionsHandler.Feature> features = new ArrayList<>();
        for (Map.Entry<String, VersionRange> feature :
                new TreeMap<>(Features.supported()).entrySet()) {
            features.add(
                    new ApiVersionsHandler.Feature(
                            feature.getKey(),
                            feature.getValue().lowest(),
                            feature.getValue().highest(),
                            image.featureLevel(feature.getKey())));
        }
        return new ApiVersionsHandler.Identity(
                services.clusterId(), services.nodeId(), image.version().offset(), features);
    }

    private static HandlerTable present(@Nullable HandlerTable table) {
        if (table == null) {
            throw new IllegalStateException("a request came before the handlers were ready");
        }
        return table;
    }
}

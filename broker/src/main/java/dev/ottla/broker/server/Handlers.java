package dev.ottla.broker.server;

import dev.ottla.broker.handler.ApiVersionsHandler;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import dev.ottla.config.ServerKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Makes all handlers: the data path here, the others in classes of their own.
final class Handlers {
    private Handlers() {}

    static HandlerTable table(BrokerServices services) {
        // ApiVersions lists the table that it is in; written once, before the first connection.
        AtomicReference<@Nullable HandlerTable> itself = new AtomicReference<>();
        List<ApiHandler<?>> handlers = new ArrayList<>();
        handlers.add(
                new ApiVersionsHandler(
                        () -> present(itself.get()),
                        () ->
                                new ApiVersionsHandler.Identity(
                                        services.clusterId(), services.nodeId(), 0, List.of())));
        HandlerTable table =
                new HandlerTable(
                        handlers,
                        services.config().broker().value(ServerKeys.UNSTABLE_API_VERSIONS_ENABLE));
        itself.set(table);
        return table;
    }

    private static HandlerTable present(@Nullable HandlerTable table) {
        if (table == null) {
            throw new IllegalStateException("a request came before the handlers were ready");
        }
        return table;
    }
}

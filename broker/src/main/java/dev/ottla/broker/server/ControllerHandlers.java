package dev.ottla.broker.server;

import dev.ottla.broker.handler.controller.AllocateProducerIdsHandler;
import dev.ottla.broker.handler.controller.AlterPartitionHandler;
import dev.ottla.broker.handler.controller.AssignReplicasToDirsHandler;
import dev.ottla.broker.handler.controller.BrokerHeartbeatHandler;
import dev.ottla.broker.handler.controller.BrokerRegistrationHandler;
import dev.ottla.broker.handler.controller.EnvelopeHandler;
import dev.ottla.broker.handler.controller.Forwarding;
import dev.ottla.broker.handler.controller.UnregisterBrokerHandler;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.HandlerTable;
import java.util.List;
import java.util.function.Supplier;

/// Makes the handlers by which nodes ask the active controller, and sends to it what clients ask of
/// others.
final class ControllerHandlers {
    private ControllerHandlers() {}

    /// @param table the table that the handlers will be in
    static List<ApiHandler<?>> create(BrokerServices services, Supplier<HandlerTable> table) {
        return List.of(
                new BrokerRegistrationHandler(
                        services.metadata(),
                        services.clusterId(),
                        services.membership().takeover()),
                new BrokerHeartbeatHandler(services.membership().liveness()),
                new AlterPartitionHandler(services.metadata()),
                new AllocateProducerIdsHandler(services.metadata()),
                new AssignReplicasToDirsHandler(services.metadata()),
                new UnregisterBrokerHandler(services.metadata(), services.voters()::votes),
                new EnvelopeHandler(services.metadata(), table));
    }

    /// The same handlers, those that only the controller can answer replaced by ones that ask it.
    static List<ApiHandler<?>> forwarding(List<ApiHandler<?>> handlers, BrokerServices services) {
        Forwarding.Parts parts =
                new Forwarding.Parts(
                        services.nodeId(),
                        services.metadata(),
                        services.membership().link(),
                        services.membership().progress());
        return handlers.stream().<ApiHandler<?>>map(each -> Forwarding.wrap(each, parts)).toList();
    }
}

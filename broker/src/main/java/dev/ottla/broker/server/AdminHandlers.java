package dev.ottla.broker.server;

import dev.ottla.broker.handler.cluster.AlterPartitionReassignmentsHandler;
import dev.ottla.broker.handler.cluster.ClusterView;
import dev.ottla.broker.handler.cluster.CreatePartitionsHandler;
import dev.ottla.broker.handler.cluster.CreateTopicsHandler;
import dev.ottla.broker.handler.cluster.DeleteTopicsHandler;
import dev.ottla.broker.handler.cluster.DescribeClusterHandler;
import dev.ottla.broker.handler.cluster.DescribeQuorumHandler;
import dev.ottla.broker.handler.cluster.DescribeTopicPartitionsHandler;
import dev.ottla.broker.handler.cluster.ElectLeadersHandler;
import dev.ottla.broker.handler.cluster.ListPartitionReassignmentsHandler;
import dev.ottla.broker.handler.cluster.MetadataHandler;
import dev.ottla.broker.handler.cluster.TimedCommands;
import dev.ottla.broker.handler.cluster.UpdateFeaturesHandler;
import dev.ottla.broker.handler.config.AlterConfigsHandler;
import dev.ottla.broker.handler.config.DescribeConfigsHandler;
import dev.ottla.broker.handler.config.IncrementalAlterConfigsHandler;
import dev.ottla.broker.handler.config.ListConfigResourcesHandler;
import dev.ottla.broker.handler.config.LoggerLevels;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ServerKeys;
import dev.ottla.metadata.QuorumState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// Makes the handlers that show or change the cluster and its configuration.
final class AdminHandlers {
    private AdminHandlers() {}

    static List<ApiHandler<?>> create(BrokerServices services) {
        ClusterView cluster =
                new ClusterView(services.nodeId(), services.image(), services.addresses());
        Supplier<ConfigResolver> config = services.config()::resolver;
        TimedCommands commands = new TimedCommands(services.metadata(), services.nanoClock());
        LoggerLevels loggers = new LoggerLevels();
        int maxPartitions =
                services.config().broker().value(ServerKeys.MAX_REQUEST_PARTITION_SIZE_LIMIT);
        return List.of(
                new MetadataHandler(cluster, services.autoCreation()),
                new CreateTopicsHandler(commands, config),
                new DeleteTopicsHandler(commands),
                new CreatePartitionsHandler(commands),
                new DescribeClusterHandler(cluster),
                new DescribeQuorumHandler(() -> quorum(services)),
                new DescribeTopicPartitionsHandler(cluster, maxPartitions),
                new ElectLeadersHandler(commands),
                new AlterPartitionReassignmentsHandler(commands),
                new ListPartitionReassignmentsHandler(commands),
                new UpdateFeaturesHandler(services.metadata()),
                new DescribeConfigsHandler(cluster, config, loggers),
                new AlterConfigsHandler(services.metadata()),
                new IncrementalAlterConfigsHandler(services.nodeId(), services.metadata(), loggers),
                new ListConfigResourcesHandler(cluster));
    }

    /// As the leader knows it. A node that does not lead is asked only when it has found no leader,
    /// and whom it took for one is none then.
    private static CompletableFuture<QuorumState> quorum(BrokerServices services) {
        return services.metadataServer()
                .state()
                .thenApply(state ->
                        services.metadata().leads()
                                ? state
                                : new QuorumState(
                                        -1,
                                        state.leaderEpoch(),
                                        state.highWatermark(),
                                        state.voters(),
                                        state.observers()));
    }
}

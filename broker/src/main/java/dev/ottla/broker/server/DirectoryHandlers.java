package dev.ottla.broker.server;

import dev.ottla.broker.handler.directory.AlterReplicaLogDirsHandler;
import dev.ottla.broker.handler.directory.DescribeLogDirsHandler;
import dev.ottla.broker.handler.directory.LocalDirectories;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.ReplicaMoves;
import dev.ottla.broker.partition.ReplicaQueries;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.AssignDirectory;
import dev.ottla.metadata.controller.PartitionId;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Makes the handlers of data directories, and what moves partitions between them.
final class DirectoryHandlers {
    private DirectoryHandlers() {}

    static List<ApiHandler<?>> create(BrokerServices services) {
        LocalDirectories directories =
                new LocalDirectories(services.nodeId(), services.directories());
        ReplicaQueries replicas = replicas(services);
        Cordons.follow(services);
        return List.of(
                new DescribeLogDirsHandler(
                        directories, services.image(), replicas, services.background()),
                new AlterReplicaLogDirsHandler(directories, services.image(), replicas));
    }

    private static ReplicaQueries replicas(BrokerServices services) {
        ReplicaMoves.Surroundings surroundings =
                new ReplicaMoves.Surroundings(
                        services.directories(),
                        services.background(),
                        (partition, directory) -> assign(services, partition, directory),
                        services.clock());
        List<ReplicaMoves> moves = new ArrayList<>();
        for (ShardRuntime runtime : services.shardRuntimes()) {
            ReplicaMoves ofShard =
                    new ReplicaMoves(runtime.partitions(), runtime.logs(), surroundings);
            moves.add(ofShard);
            runtime.shard().execute(() -> runtime.partitions().addListener(ofShard));
        }
        return new ReplicaQueries(
                key -> moves.get(services.shards().indexOf(key.topicId(), key.partition())));
    }

    private static CompletableFuture<ApiError> assign(
            BrokerServices services, PartitionKey partition, Uuid directory) {
        AssignDirectory assignment =
                new AssignDirectory(
                        new PartitionId(partition.topicId(), partition.partition()), directory);
        return services.membership()
                .link()
                .assignDirectories(services.incarnation(), List.of(assignment))
                .thenApply(List::getFirst);
    }
}

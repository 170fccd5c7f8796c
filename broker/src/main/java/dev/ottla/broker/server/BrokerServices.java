package dev.ottla.broker.server;

import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.controlling.TopicCreation;
import dev.ottla.broker.coordinator.GroupCoordinators;
import dev.ottla.broker.fetch.ShardFetches;
import dev.ottla.broker.handler.cluster.TopicAutoCreator;
import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.produce.BatchChecks;
import dev.ottla.broker.quorum.MetadataServer;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.shard.Shards;
import dev.ottla.broker.voting.VoterChanges;
import dev.ottla.log.DataDirectory;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.service.ImageListener;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.Uuid;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// What the parts of a broker have in common; handlers are made from it, each taking only what it
/// needs. Immutable.
///
/// @param nodeId this broker
/// @param brokerEpoch of its present registration
/// @param clusterId as clients are told it
/// @param config the configuration in force, changes at run time included
/// @param image the cluster as requests see it; shards know it already
/// @param imageListeners takes those who want to hear of each new image
/// @param metadata commands to the controller
/// @param membership the way to the controller
/// @param voters changes who votes on the metadata, where this node leads
/// @param volunteer makes this node a voter
/// @param metadataServer the metadata log for other nodes
/// @param directories the data directories by id
/// @param shards who owns which partition
/// @param shardRuntimes what lives on each shard, by its index
/// @param addresses where clients find brokers
/// @param loops the network loops by index
/// @param loopCount how many are in use
/// @param checks of produced batches
/// @param groups the group coordinators
/// @param background for work that takes long and belongs to nobody
/// @param metadataThread runs one task at a time, in order
/// @param clock wall-clock time
/// @param nanoClock monotonic time
record BrokerServices(
        int nodeId,
        long brokerEpoch,
        String clusterId,
        BrokerConfig config,
        Supplier<ClusterImage> image,
        Consumer<ImageListener> imageListeners,
        MetadataService metadata,
        Membership membership,
        VoterChanges voters,
        Supplier<CompletableFuture<ApiError>> volunteer,
        MetadataServer metadataServer,
        Map<Uuid, DataDirectory> directories,
        Shards shards,
        List<ShardRuntime> shardRuntimes,
        BrokerAddresses addresses,
        IntFunction<Executor> loops,
        IntSupplier loopCount,
        BatchChecks checks,
        GroupCoordinators groups,
        Executor background,
        Executor metadataThread,
        InstantSource clock,
        LongSupplier nanoClock,
        RandomGenerator random,
        BrokerMetrics metrics) {

    /// This life of this broker.
    BrokerIncarnation incarnation() {
        return new BrokerIncarnation(nodeId, brokerEpoch);
    }

    /// Creates topics on first use.
    TopicAutoCreator autoCreation() {
        return new TopicAutoCreator(
                image,
                config::resolver,
                new TopicCreation(metadata, membership.link(), membership.progress())::create);
    }

    /// What lives on the shard that owns a partition.
    ShardRuntime runtimeOf(PartitionKey key) {
        return shardRuntimes.get(shards.indexOf(key.topicId(), key.partition()));
    }

    /// The manager of the shard that owns a partition.
    PartitionManager partitionsOf(PartitionKey key) {
        return runtimeOf(key).partitions();
    }

    /// The fetches of the shard that owns a partition.
    ShardFetches fetchesOf(PartitionKey key) {
        return runtimeOf(key).fetches();
    }
}

package dev.ottla.broker.server;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.shard.Shards;
import dev.ottla.config.ConfigResolver;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/// What the parts of a broker have in common; handlers are made from it, each taking only what it
/// needs. Immutable.
///
/// @param nodeId this broker
/// @param clusterId as clients are told it
/// @param config the layers in force at start
/// @param shards who owns which partition
/// @param addresses what clients are told
/// @param clock wall-clock time
/// @param nanoClock monotonic time
record BrokerServices(
        int nodeId,
        String clusterId,
        ConfigResolver config,
        Shards shards,
        AdvertisedAddresses addresses,
        InstantSource clock,
        LongSupplier nanoClock,
        BrokerMetrics metrics) {}

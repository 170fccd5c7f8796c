package dev.ottla.broker.network;

import dev.ottla.broker.metrics.BrokerMetrics;
import java.util.function.BooleanSupplier;

/// What all connections share.
///
/// @param overloaded whether shards are so far behind that no more should be read
record NetworkParts(
        NetworkSettings settings,
        MemoryBudget budget,
        Dispatcher dispatcher,
        BooleanSupplier overloaded,
        BrokerMetrics metrics) {}

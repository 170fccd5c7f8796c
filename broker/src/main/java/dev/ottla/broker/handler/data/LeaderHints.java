package dev.ottla.broker.handler.data;

import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;

/// Tells clients that came to the wrong broker where the leader is, so that they need not ask for
/// metadata (KIP-951). Collects the leaders of one answer.
///
/// @param <T> the answer's own type of node endpoint
final class LeaderHints<T> {
    /// A partition's leader as the cluster knows it.
    record Leader(int id, int epoch) {}

    private final ClusterImage image;
    private final BrokerAddresses addresses;
    private final RequestContext context;
    private final Since since;
    private final BiFunction<Integer, HostPort, T> endpoint;
    private final Map<Integer, T> endpoints = new TreeMap<>();

    /// The first versions of an answer that have room for leaders, and for where they are.
    record Since(int leaders, int endpoints) {}

    LeaderHints(
            ClusterImage image,
            BrokerAddresses addresses,
            RequestContext context,
            Since since,
            BiFunction<Integer, HostPort, T> endpoint) {
        this.image = image;
        this.addresses = addresses;
        this.context = context;
        this.since = since;
        this.endpoint = endpoint;
    }

    /// The leader to name beside an error; empty when the error has nothing to do with it or the
    /// client's version has no place for it.
    Optional<Leader> leader(PartitionKey key, ErrorCode error) {
        boolean wrongLeader =
                error == ErrorCode.NOT_LEADER_OR_FOLLOWER || error == ErrorCode.FENCED_LEADER_EPOCH;
        if (!wrongLeader || context.version() < since.leaders()) {
            return Optional.empty();
        }
        Optional<PartitionState> state = image.partition(key.topicId(), key.partition());
        state.filter(known -> known.hasLeader() && context.version() >= since.endpoints())
                .ifPresent(led ->
                        addresses
                                .find(led.leader(), image, context.connection())
                                .ifPresent(found ->
                                        endpoints.put(
                                                led.leader(),
                                                endpoint.apply(led.leader(), found))));
        return state.map(known -> new Leader(known.leader(), known.leaderEpoch()));
    }

    /// Where the leaders that were named are.
    java.util.List<T> endpoints() {
        return java.util.List.copyOf(endpoints.values());
    }
}

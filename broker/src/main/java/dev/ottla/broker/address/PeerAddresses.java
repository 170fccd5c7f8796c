package dev.ottla.broker.address;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import java.util.List;
import java.util.Optional;

/// Where this node finds other ones: at the listener for traffic between brokers, or at their first
/// one if they have none of that name. Immutable.
///
/// @param listener `inter.broker.listener.name`, or the first of this node's own
public record PeerAddresses(String listener) {
    /// Empty when the broker is not registered.
    public Optional<HostPort> find(int brokerId, ClusterImage image) {
        return image.broker(brokerId).flatMap(this::find);
    }

    public Optional<HostPort> find(BrokerState broker) {
        return find(broker.endpoints());
    }

    /// Among those that a broker registers.
    public Optional<HostPort> find(List<BrokerEndpoint> endpoints) {
        return endpoints.stream()
                .filter(endpoint -> endpoint.listener().equals(listener))
                .findFirst()
                .or(() -> endpoints.stream().findFirst())
                .map(endpoint -> new HostPort(endpoint.host(), endpoint.port()));
    }
}

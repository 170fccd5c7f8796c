package dev.ottla.broker.address;

import dev.ottla.broker.request.ClientConnection;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import java.util.Optional;

/// Where a client finds any broker of the cluster: this one by [AdvertisedAddresses], others by
/// what they registered for the listener that the client uses. Immutable.
public final class BrokerAddresses {
    private final int brokerId;
    private final AdvertisedAddresses ownAddresses;

    public BrokerAddresses(int brokerId, AdvertisedAddresses ownAddresses) {
        this.brokerId = brokerId;
        this.ownAddresses = ownAddresses;
    }

    /// Those of this broker.
    public AdvertisedAddresses own() {
        return ownAddresses;
    }

    /// Empty when the broker has no such listener.
    public Optional<HostPort> find(BrokerState broker, ClientConnection connection) {
        return broker.id() == brokerId
                ? Optional.of(ownAddresses.forClient(connection))
                : broker.endpoint(connection.listenerName())
                        .map(endpoint -> new HostPort(endpoint.host(), endpoint.port()));
    }

    /// Empty when the broker is not registered or has no such listener.
    public Optional<HostPort> find(int id, ClusterImage image, ClientConnection connection) {
        return image.broker(id).flatMap(broker -> find(broker, connection));
    }
}

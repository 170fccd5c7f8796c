package dev.ottla.broker.address;

import dev.ottla.broker.request.ClientConnection;
import dev.ottla.metadata.BrokerEndpoint;
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

    public AdvertisedAddresses ownAddresses() {
        return ownAddresses;
    }

    /// Empty when the broker is not registered or has no such listener.
    public Optional<Endpoint> find(int id, ClusterImage image, ClientConnection connection) {
        if (id == brokerId) {
            return Optional.of(ownAddresses.forClient(connection));
        }
        return image.broker(id).stream()
                .flatMap(broker -> broker.endpoints().stream())
                .filter(endpoint -> endpoint.listener().equals(connection.listenerName()))
                .findFirst()
                .map(BrokerAddresses::endpoint);
    }

    private static Endpoint endpoint(BrokerEndpoint endpoint) {
        return new Endpoint(endpoint.host(), endpoint.port());
    }
}

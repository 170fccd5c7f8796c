package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.address.BrokerAddresses;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The cluster as one broker tells it to its clients. Thread-safe: reads the published image.
public final class ClusterView {
    private final int nodeId;
    private final Supplier<ClusterImage> image;
    private final BrokerAddresses addresses;

    /// @param image the newest published image
    public ClusterView(int nodeId, Supplier<ClusterImage> image, BrokerAddresses addresses) {
        this.nodeId = nodeId;
        this.image = image;
        this.addresses = addresses;
    }

    public int nodeId() {
        return nodeId;
    }

    /// Whom clients are to ask what is the controller's to do, which any broker passes on: this
    /// one, or another one where clients are not told of this one; -1 when there is none.
    int controllerId(ClusterImage now) {
        if (isShown(now.broker(nodeId))) return nodeId;
        return now.brokers().values().stream()
                .filter(broker -> !broker.fenced())
                .mapToInt(BrokerState::id)
                .findFirst()
                .orElse(-1);
    }

    private static boolean isShown(Optional<BrokerState> broker) {
        return broker.stream().anyMatch(known -> !known.fenced());
    }

    /// Take it once per request.
    public ClusterImage image() {
        return image.get();
    }

    public String clusterId() {
        return image().clusterId().map(Object::toString).orElse("");
    }

    /// Where the client finds `broker` through the listener that it uses now; empty when the broker
    /// has no such listener.
    public Optional<HostPort> endpoint(BrokerState broker, ClientConnection client) {
        return addresses.find(broker, client);
    }

    /// Replicas whose broker is away or has lost the directory that held them.
    static List<Integer> offlineReplicas(ClusterImage image, PartitionState partition) {
        return partition.replicas().stream().filter(id -> !isOnline(image, partition, id)).toList();
    }

    private static boolean isOnline(ClusterImage image, PartitionState partition, int brokerId) {
        return image.broker(brokerId)
                .filter(broker -> !broker.fenced())
                .filter(broker -> broker.hasOnline(partition.directoryOf(brokerId)))
                .isPresent();
    }
}

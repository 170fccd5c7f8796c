package dev.ottla.broker.server;

import dev.ottla.broker.address.AdvertisedAddresses;
import dev.ottla.broker.request.ClientConnection;
import dev.ottla.metadata.BrokerEndpoint;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.MetadataService;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Learns from other nodes how they reach this one, where nobody has said it: a node that was alone
/// is `localhost` to the cluster, which is of no use to others. Any thread.
final class ReachedAddress {
    private static final Logger LOG = LoggerFactory.getLogger(ReachedAddress.class);

    private final int nodeId;
    private final long brokerEpoch;
    private final Supplier<ClusterImage> image;
    private final AdvertisedAddresses addresses;
    private final MetadataService metadata;

    /// Set by whoever asks for the change, cleared when it is done: one at a time.
    private final AtomicBoolean underWay = new AtomicBoolean();

    ReachedAddress(
            int nodeId,
            long brokerEpoch,
            Supplier<ClusterImage> image,
            AdvertisedAddresses addresses,
            MetadataService metadata) {
        this.nodeId = nodeId;
        this.brokerEpoch = brokerEpoch;
        this.image = image;
        this.addresses = addresses;
        this.metadata = metadata;
    }

    /// Another node has come by this connection.
    void by(ClientConnection connection) {
        InetAddress reached = connection.localAddress().getAddress();
        if (reached.isLoopbackAddress()) return;
        Optional<BrokerState> self = image.get().broker(nodeId);
        if (self.isEmpty()) return;
        List<BrokerEndpoint> found = new ArrayList<>();
        for (BrokerEndpoint endpoint : self.get().endpoints()) {
            boolean unknown =
                    endpoint.host().equals(PeerHost.LOCAL)
                            && !addresses.isSaid(endpoint.listener());
            found.add(
                    unknown
                            ? new BrokerEndpoint(
                                    endpoint.listener(),
                                    PeerHost.shown(reached),
                                    endpoint.port(),
                                    endpoint.securityProtocol())
                            : endpoint);
        }
        if (found.equals(self.get().endpoints()) || !underWay.compareAndSet(false, true)) return;
        var _ =
                metadata.submit(controller ->
                                controller.changeEndpoints(nodeId, brokerEpoch, found))
                        .whenComplete((error, failure) -> {
                            underWay.set(false);
                            if (failure == null && error.isNone()) {
                                LOG.info(
                                        "Other nodes find this one at {}.",
                                        PeerHost.shown(reached));
                            }
                        });
    }
}

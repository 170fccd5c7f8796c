package dev.ottla.broker.controlling;

import dev.ottla.broker.address.PeerAddresses;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.service.ImageListener;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices that another process has registered under this node's id. This one can do nothing useful
/// any more, and has to end. Owned by the metadata thread.
public final class Displacement implements ImageListener {
    private static final Logger LOG = LoggerFactory.getLogger(Displacement.class);

    private final BrokerIncarnation broker;
    private final PeerAddresses addresses;
    private final CompletableFuture<String> displaced;

    /// @param displaced is completed with what happened and what helps, if it ever does
    public Displacement(
            BrokerIncarnation broker,
            PeerAddresses addresses,
            CompletableFuture<String> displaced) {
        this.broker = broker;
        this.addresses = addresses;
        this.displaced = displaced;
    }

    @Override
    public void onImage(ImageDelta delta, ClusterImage image) {
        if (!displaced.isDone()) {
            image.broker(broker.id())
                    .filter(registered -> registered.epoch() > broker.epoch())
                    .ifPresent(this::end);
        }
    }

    private void end(BrokerState other) {
        String reason =
                "another process has registered under node id %d, at %s, and takes the place of this one. No two may have one id: stop that one and start this one again, or give one of them another id and empty data directories (a copied directory has the id of the original)."
                        .formatted(
                                broker.id(),
                                addresses
                                        .find(other)
                                        .map(HostPort::toString)
                                        .orElse("an unknown address"));
        LOG.error("This broker ends: {}", reason);
        displaced.complete(reason);
    }
}

package dev.ottla.broker.controlling;

import dev.ottla.broker.peer.Peer;
import dev.ottla.config.HostPort;

/// Makes connections to other nodes, as `Peers` does.
@FunctionalInterface
public interface Connector {
    Peer connect(HostPort address, String clientId);
}

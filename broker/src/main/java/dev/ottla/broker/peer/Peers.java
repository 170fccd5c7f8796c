package dev.ottla.broker.peer;

import dev.ottla.broker.network.Dialer;
import dev.ottla.config.HostPort;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/// Makes the connections of this node to others. Thread-safe.
public final class Peers implements AutoCloseable {
    private final Dialer dialer;
    private final Executor resolver;

    /// Those that were not closed; bounded by what the parts of the broker open.
    private final Set<NetworkPeer> open = ConcurrentHashMap.newKeySet();

    /// @param resolver looks up host names, which may block
    public Peers(Dialer dialer, Executor resolver) {
        this.dialer = dialer;
        this.resolver = resolver;
    }

    /// A connection to `address`, opened with its first request.
    ///
    /// @param clientId names this node and the purpose, such as `ottla-2-replication`
    public Peer connect(HostPort address, String clientId) {
        return connect(address, clientId, Optional.empty());
    }

    /// The same, to a node of one cluster: what is asked at `address` fails with
    /// [PeerException.Kind#OTHER_CLUSTER] while a node of another one has it.
    ///
    /// @param clusterId empty for any cluster
    public Peer connect(HostPort address, String clientId, Optional<String> clusterId) {
        NetworkPeer peer =
                new NetworkPeer(
                        new NetworkPeer.Surroundings(dialer, resolver, open::remove),
                        address,
                        clientId,
                        clusterId);
        open.add(peer);
        return peer;
    }

    /// Closes all connections that are open now.
    @Override
    public void close() {
        open.forEach(NetworkPeer::close);
    }
}

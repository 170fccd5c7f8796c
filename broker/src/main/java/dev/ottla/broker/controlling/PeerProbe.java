package dev.ottla.broker.controlling;

import dev.ottla.broker.peer.Peer;
import dev.ottla.broker.peer.PeerException;
import dev.ottla.config.HostPort;
import dev.ottla.wire.message.ApiVersionsRequest;
import java.util.function.Consumer;

/// Connects once to look. Thread-safe.
public final class PeerProbe implements Probe {
    private static final long PATIENCE_MS = 1_000;

    private final Connector peers;
    private final String clientId;

    /// @param peers connections to other nodes
    public PeerProbe(Connector peers, int nodeId) {
        this.peers = peers;
        this.clientId = "ottla-" + nodeId + "-probe";
    }

    @Override
    public void look(HostPort address, Consumer<Boolean> refused) {
        Peer peer = peers.connect(address, clientId);
        ApiVersionsRequest anything =
                ApiVersionsRequest.builder()
                        .clientSoftwareName("ottla")
                        .clientSoftwareVersion("1")
                        .build();
        var _ =
                peer.ask(anything, PATIENCE_MS)
                        .whenComplete((_, failure) -> {
                            peer.close();
                            refused.accept(
                                    failure instanceof PeerException reason
                                            && reason.kind() == PeerException.Kind.REFUSED);
                        });
    }
}

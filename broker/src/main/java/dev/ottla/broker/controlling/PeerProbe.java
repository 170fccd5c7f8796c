package dev.ottla.broker.controlling;

import dev.ottla.broker.peer.Peer;
import dev.ottla.broker.peer.PeerException;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.liveness.BrokerSessions;
import dev.ottla.metadata.liveness.Finding;
import dev.ottla.wire.message.ApiVersionsRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Connects once and asks for what every process answers. Thread-safe.
public final class PeerProbe implements Probe {
    private final Connector peers;
    private final String clientId;

    /// @param peers connections to other nodes
    public PeerProbe(Connector peers, int nodeId) {
        this.peers = peers;
        this.clientId = "ottla-" + nodeId + "-probe";
    }

    @Override
    public void look(HostPort address, Consumer<Finding> found) {
        Peer peer = peers.connect(address, clientId);
        ApiVersionsRequest anything =
                ApiVersionsRequest.builder()
                        .clientSoftwareName("ottla")
                        .clientSoftwareVersion("1")
                        .build();
        var _ =
                peer.ask(anything, BrokerSessions.LOOK_MS)
                        .whenComplete((_, failure) -> {
                            peer.close();
                            found.accept(finding(failure));
                        });
    }

    private static Finding finding(@Nullable Throwable failure) {
        if (failure == null) return Finding.ANSWERED;
        if (!(failure instanceof PeerException reason)) return Finding.UNCLEAR;
        return switch (reason.kind()) {
            case REFUSED -> Finding.REFUSED;
            case TIMED_OUT -> Finding.SILENT;
            case UNREACHABLE, CLOSED, NOT_UNDERSTOOD, OTHER_CLUSTER, CROWDED -> Finding.UNCLEAR;
        };
    }
}

package dev.ottla.broker.controlling;

import dev.ottla.broker.peer.Peer;
import dev.ottla.broker.peer.PeerCallback;
import dev.ottla.broker.peer.PeerException;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.Asked;
import dev.ottla.config.HostPort;
import dev.ottla.wire.ApiMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Other nodes in the same thread: their handlers are asked directly, through the bytes of the
/// messages. Where there are none, the connection is refused.
final class HandlerPeers implements Connector {
    private final Map<HostPort, List<ApiHandler<?>>> nodes = new HashMap<>();
    final List<HostPort> asked = new ArrayList<>();

    void put(HostPort address, ApiHandler<?>... handlers) {
        nodes.put(address, List.of(handlers));
    }

    void remove(HostPort address) {
        nodes.remove(address);
    }

    @Override
    public Peer connect(HostPort address, String clientId) {
        return new Peer() {
            @Override
            public void send(ApiMessage request, long timeoutMs, PeerCallback callback) {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletableFuture<ApiMessage> ask(ApiMessage request, long timeoutMs) {
                asked.add(address);
                List<ApiHandler<?>> handlers = nodes.get(address);
                if (handlers == null) {
                    return CompletableFuture.failedFuture(
                            new PeerException(
                                    PeerException.Kind.REFUSED, address + " does not answer."));
                }
                return CompletableFuture.completedFuture(answer(handlers, request));
            }

            @Override
            public boolean isConnected() {
                return true;
            }

            @Override
            public void close() {}
        };
    }

    @SuppressWarnings("unchecked")
    private static ApiMessage answer(List<ApiHandler<?>> handlers, ApiMessage request) {
        ApiHandler<?> handler =
                handlers.stream()
                        .filter(each -> each.api().id() == request.apiKey())
                        .findFirst()
                        .orElseThrow();
        return Asked.ask(
                (ApiHandler<ApiMessage>) handler,
                handler.api().latestVersion(false),
                request,
                ApiMessage.class);
    }
}

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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Other nodes in the same thread: their handlers are asked directly, through the bytes of the
/// messages. Where there are none, the connection is refused.
final class HandlerPeers implements Connector {
    private final Map<HostPort, List<ApiHandler<?>>> nodes = new HashMap<>();
    private final Set<HostPort> frozen = new HashSet<>();
    final List<HostPort> asked = new ArrayList<>();

    void put(HostPort address, ApiHandler<?>... handlers) {
        nodes.put(address, List.of(handlers));
    }

    void remove(HostPort address) {
        nodes.remove(address);
    }

    /// That node takes what it is asked and answers nothing.
    void freeze(HostPort address) {
        frozen.add(address);
    }

    @Override
    public Peer connect(HostPort address, String clientId) {
        return new Peer() {
            private final List<CompletableFuture<ApiMessage>> waiting = new ArrayList<>();

            @Override
            public void send(ApiMessage request, long timeoutMs, PeerCallback callback) {
                throw new UnsupportedOperationException();
            }

            @Override
            public CompletableFuture<ApiMessage> ask(ApiMessage request, long timeoutMs) {
                asked.add(address);
                if (frozen.contains(address)) {
                    CompletableFuture<ApiMessage> never = new CompletableFuture<>();
                    waiting.add(never);
                    return never;
                }
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
            public void close() {
                waiting.forEach(answer ->
                        answer.completeExceptionally(
                                new PeerException(PeerException.Kind.CLOSED, "closed")));
            }
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

package dev.ottla.broker.replica;

import dev.ottla.broker.peer.Peer;
import dev.ottla.broker.peer.PeerCallback;
import dev.ottla.broker.peer.PeerException;
import dev.ottla.broker.peer.PeerResponse;
import dev.ottla.broker.peer.Peers;
import dev.ottla.config.HostPort;
import dev.ottla.wire.message.FetchRequest;
import dev.ottla.wire.message.FetchResponse;
import java.util.Optional;
import java.util.function.IntFunction;

/// Connections to leaders over the network. Thread-safe.
public final class PeerLeaders implements LeaderConnection.Connector {
    private final Peers peers;
    private final IntFunction<Optional<HostPort>> addresses;
    private final int brokerId;

    /// @param addresses where a broker serves other brokers, as it registered; empty when it is
    ///   unknown
    /// @param brokerId this broker
    public PeerLeaders(Peers peers, IntFunction<Optional<HostPort>> addresses, int brokerId) {
        this.peers = peers;
        this.addresses = addresses;
        this.brokerId = brokerId;
    }

    @Override
    public LeaderConnection connect(int leaderId, int shard) {
        return addresses
                .apply(leaderId)
                .<LeaderConnection>map(address ->
                        new Connected(
                                peers.connect(
                                        address, "ottla-%d-fetcher-%d".formatted(brokerId, shard))))
                .orElseGet(() -> new Nowhere(leaderId));
    }

    private record Connected(Peer peer) implements LeaderConnection {
        @Override
        public void fetch(FetchRequest request, long timeoutMs, Answer answer) {
            peer.send(
                    request,
                    timeoutMs,
                    new PeerCallback() {
                        @Override
                        public void onResponse(PeerResponse response) {
                            answer.onResponse(
                                    (FetchResponse) response.message(),
                                    new AnswerMemory(response::release));
                        }

                        @Override
                        public void onFailure(PeerException failure) {
                            answer.onFailure(String.valueOf(failure.getMessage()));
                        }
                    });
        }

        @Override
        public void close() {
            peer.close();
        }
    }

    private record Nowhere(int leaderId) implements LeaderConnection {
        @Override
        public void fetch(FetchRequest request, long timeoutMs, Answer answer) {
            answer.onFailure("the address of broker " + leaderId + " is not known");
        }

        @Override
        public void close() {}
    }
}

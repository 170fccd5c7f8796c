package dev.ottla.broker.peer;

import dev.ottla.wire.ApiMessage;
import java.util.concurrent.CompletableFuture;

/// One connection to another node, opened with the first request and again after it was lost.
/// Thread-safe.
///
/// Requests leave in the order in which they were given and are answered in that order, so what may
/// wait long at the other side needs a connection of its own. While the other side cannot be
/// reached, a request waits for the next attempt and fails with it; the pauses between attempts
/// grow up to a second, so whoever tries again at once does not run in circles.
public interface Peer extends AutoCloseable {
    /// Sends `request` in the newest version that both sides know. `callback` is called once, on
    /// the connection's network loop, which must not be kept: whatever the answer leads to is
    /// posted to its owner. After [#close], or when the network has ended, it is called at once.
    ///
    /// @param timeoutMs from now to the answer; when it is over, the connection is closed, because
    ///   later answers cannot come before this one
    void send(ApiMessage request, long timeoutMs, PeerCallback callback);

    /// The same with a future, which is completed on the network loop: the answer, which shares no
    /// memory with the network, or a [PeerException].
    CompletableFuture<ApiMessage> ask(ApiMessage request, long timeoutMs);

    /// Whether requests can be sent at once; that of a moment ago.
    boolean isConnected();

    /// What is not answered fails. Does nothing the second time.
    @Override
    void close();
}

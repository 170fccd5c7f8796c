package dev.ottla.broker.request;

import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// A client's connection as handlers see it. The accessors may be called by any thread.
public interface ClientConnection {
    /// Name of the listener that accepted it, such as `PLAINTEXT`.
    String listenerName();

    /// The broker's end of the socket.
    InetSocketAddress localAddress();

    /// The client's end of the socket.
    InetSocketAddress remoteAddress();

    /// The network loop that owns the connection: handlers are called there, and so runs what is
    /// posted here.
    Executor loop();

    /// Number of the owning loop, below the number of loops.
    int loopIndex();

    boolean isOpen();

    /// Whether the client takes its answers more slowly than they are made. Answers to a slow
    /// client should not hold memory: file regions rather than buffers.
    boolean isSlow();

    /// The state of type `type` that somebody keeps with this connection; made when first asked
    /// for. Called on the loop.
    <T> T attachment(Class<T> type, Supplier<T> initial);

    /// Runs `task` on the loop when the connection has ended; at once if it has. Called on the
    /// loop.
    void whenClosed(Runnable task);

    /// Kept from ApiVersions requests (KIP-511), empty before. Called on the loop.
    void clientSoftware(String name, String version);

    String clientSoftwareName();

    String clientSoftwareVersion();
}

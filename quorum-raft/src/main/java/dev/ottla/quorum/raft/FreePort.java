package dev.ottla.quorum.raft;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Where voters listen for each other. Ratis ends the process when it cannot, so it is tried
/// before.
public final class FreePort {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private FreePort() {}

    /// Waits for what another program may have for a moment only; throws [IOException] when it
    /// keeps it.
    ///
    /// @param host on which to listen; empty for every interface
    static void await(int port, String host, Duration patience) throws IOException {
        for (long left = patience.dividedBy(PAUSE); !isFree(port, host); left--) {
            if (left <= 0) {
                throw new IOException(
                        "port %d, at which the other voters reach this node, is taken by another program, which may be this node itself, running already. End that, or give quorum.port a free one: the vote moves there"
                                .formatted(port));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /// Whether one could listen there now.
    ///
    /// @param host empty for every interface
    public static boolean isFree(int port, String host) throws IOException {
        InetSocketAddress address =
                host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
            return true;
        } catch (BindException e) {
            return false;
        }
    }
}

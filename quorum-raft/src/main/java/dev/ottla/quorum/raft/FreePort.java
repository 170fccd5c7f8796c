package dev.ottla.quorum.raft;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Where voters listen for each other. Ratis ends the process when it cannot, so it is tried
/// before.
public final class FreePort {
    /// Below the ports that systems give to connections that go out, one of which might have it
    /// just when a voter starts again.
    private static final int FIRST = 20_000;

    private static final int LAST = 32_000;
    private static final int TRIES = 1_000;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private FreePort() {}

    /// One on which nobody listens now. Throws [IOException] when there is none.
    public static int any() throws IOException {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port, "")) return port;
        }
        throw new IOException("no port from %d to %d is free".formatted(FIRST, LAST - 1));
    }

    /// Waits for what another program may have for a moment only; throws [IOException] when it
    /// keeps it.
    ///
    /// @param host on which to listen; empty for every interface
    static void await(int port, String host, Duration patience) throws IOException {
        long beganNs = System.nanoTime();
        while (!isFree(port, host)) {
            if (System.nanoTime() - beganNs > patience.toNanos()) {
                throw new IOException(
                        "port %d, at which the other voters reach this node, is taken by another program. End that, or give quorum.port a free one: the vote moves there"
                                .formatted(port));
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private static boolean isFree(int port, String host) throws IOException {
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

package dev.ottla.chaos.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Connections on which nothing comes that a broker can use. Owned by one thread.
public final class HostileClients implements AutoCloseable {
    private static final int CONNECT_MS = 2_000;

    private final Duration patience;

    /// Those that were left in the middle of a frame.
    private final List<Socket> silent = new ArrayList<>();

    /// @param patience until a broker must have answered or closed the connection
    public HostileClients(Duration patience) {
        this.patience = patience;
    }

    /// What became of a connection.
    public enum Reaction {
        ANSWERED,
        CLOSED,

        /// There was nobody.
        UNREACHABLE,

        /// The broker may wait for the rest, and does not get it.
        WAITS,
        IGNORED
    }

    public Reaction send(Malformed what, InetSocketAddress to, Random random) {
        Socket socket = new Socket();
        try {
            socket.connect(to, CONNECT_MS);
        } catch (IOException e) {
            return Reaction.UNREACHABLE;
        }
        silent.add(socket);
        try {
            socket.setSoTimeout((int) patience.toMillis());
            socket.getOutputStream().write(what.bytes(random));
            if (what.isUnfinished()) {
                return Reaction.WAITS;
            }
            return socket.getInputStream().read() < 0 ? Reaction.CLOSED : Reaction.ANSWERED;
        } catch (SocketTimeoutException e) {
            return Reaction.IGNORED;
        } catch (SocketException e) {
            return Reaction.CLOSED;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : silent) {
            socket.close();
        }
    }
}

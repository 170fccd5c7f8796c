package dev.ottla.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.chaos.load.HostileClients.Reaction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class HostileClientsTest {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    /// What a broker does with a connection.
    private interface Broker {
        void serve(Socket connection) throws IOException;
    }

    @Test
    void brokerThatNeitherAnswersNorClosesIsFoundOut() throws IOException {
        assertThat(reaction(Malformed.HUGE_LENGTH, _ -> {})).isEqualTo(Reaction.IGNORED);
    }

    @Test
    void answerAndEndOfAConnectionAreBothRight() throws IOException {
        assertThat(reaction(Malformed.NOISE_IN_A_FRAME, one -> one.getOutputStream().write(1)))
                .isEqualTo(Reaction.ANSWERED);
        assertThat(reaction(Malformed.NOISE_IN_A_FRAME, Socket::close)).isEqualTo(Reaction.CLOSED);
    }

    @Test
    void nothingIsAskedOfABrokerThatMayWaitOrIsNotThere() throws IOException {
        assertThat(reaction(Malformed.HALF_A_FRAME, _ -> {})).isEqualTo(Reaction.WAITS);
        int unused;
        try (ServerSocket socket = new ServerSocket(0)) {
            unused = socket.getLocalPort();
        }
        try (HostileClients clients = new HostileClients(PATIENCE)) {
            assertThat(clients.send(Malformed.HUGE_LENGTH, address(unused), new Random(1)))
                    .isEqualTo(Reaction.UNREACHABLE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyHalfAFrameLeavesSomethingToWaitFor(Malformed what) {
        for (int seed = 0; seed < 200; seed++) {
            ByteBuffer bytes = ByteBuffer.wrap(what.bytes(new Random(seed)));

            boolean waits = bytes.remaining() < 4;
            if (!waits) {
                int length = bytes.getInt();
                waits = length > bytes.remaining() && length <= 100 << 20;
            }
            assertThat(waits).as("seed %d", seed).isEqualTo(what.isUnfinished());
        }
    }

    private static Reaction reaction(Malformed what, Broker broker) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HostileClients clients = new HostileClients(PATIENCE)) {
            CompletableFuture<Socket> served =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            Socket connection = server.accept();
                            broker.serve(connection);
                            return connection;
                        } catch (IOException e) {
                            throw new CompletionException(e);
                        }
                    });
            Reaction reaction = clients.send(what, address(server.getLocalPort()), new Random(1));
            served.join().close();
            return reaction;
        }
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}

package dev.ottla.quorum.raft;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FreePortTest {
    private static final String LOOPBACK = "127.0.0.1";

    @Test
    void portOnWhichAnotherListensIsNamedWithTheRemedy() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            assertThatThrownBy(() -> FreePort.await(port, "", Duration.ofMillis(200)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("port " + port)
                    .hasMessageContaining("give quorum.port a free one");
        }
    }

    @Test
    void portThatComesFreeIsWaitedFor() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            Thread ends = Thread.startVirtualThread(() -> close(other));
            FreePort.await(port, LOOPBACK, Duration.ofSeconds(30));
            ends.join();
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

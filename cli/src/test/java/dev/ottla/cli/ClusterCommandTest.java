package dev.ottla.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.server.BrokerServer;
import dev.ottla.broker.server.Host;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsRequest.CreatableTopic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Against a broker that is alone; what needs several is in `acceptance`.
@Timeout(60)
final class ClusterCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private BrokerServer server;
    private int port;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        StartOptions options =
                StartOptions.parse(
                        List.of("--port=0", "--data-dir=" + directory, "--set=metrics.port=-1"));
        server = new StartCommand(options, Host.real(), new PrintStream(out)).open();
        port = server.listeners().getFirst().address().getPort();
        out.reset();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void statusShowsNodesAndWhatIsNotAsItShouldBe() throws Exception {
        createTopic("orders");

        assertThat(cluster("status")).isEqualTo(OttlaCommand.DONE);

        assertThat(text(out))
                .contains("1 broker, the controller is node 1")
                .containsPattern("1 +\\S+:" + port + " +- +yes +running +2 +2")
                .contains("2 partitions in 1 topic")
                .doesNotContain("without a leader", "not in sync", "raise");
    }

    @Test
    void whatOneBrokerCannotDoIsRefusedWithWhatHelps() throws Exception {
        createTopic("orders");

        refused("1 broker can take replicas", "raise");
        refused("--join HOST:PORT", "raise", "--factor=3");
        refused("2 partitions do not have another broker", "drain", "1");
        refused("there is no node 7; the cluster has 1", "drain", "7");
        refused("node 1 holds 2 partitions: first './ottla cluster drain 1'", "remove", "1");
    }

    @Test
    void drainedBrokerGetsNothingUntilThatIsUndone() throws Exception {
        assertThat(cluster("drain", "1")).isEqualTo(OttlaCommand.DONE);
        assertThat(text(out))
                .contains(
                        "Node 1 holds no partitions any more. It alone keeps the cluster's metadata");
        cluster("status");
        assertThat(text(out)).containsPattern("1 .* drained");
        refused("node 1 is running: stop it first", "remove", "1");

        assertThat(cluster("drain", "1", "--undo")).isEqualTo(OttlaCommand.DONE);
        createTopic("orders");
        out.reset();
        cluster("status");
        assertThat(text(out)).containsPattern("1 .* running");
    }

    @Test
    void brokerThatDoesNotAnswerIsNamed() throws Exception {
        int unused = port;
        server.close();

        assertThat(cluster("status")).isEqualTo(OttlaCommand.REFUSED);
        assertThat(text(err))
                .contains("no broker answers at localhost:" + unused)
                .contains("--bootstrap HOST:PORT");
    }

    @Test
    void whatIsNoBrokerIsToldSoSoon() throws Exception {
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering =
                    Thread.ofVirtual()
                            .start(() -> {
                                try (Socket client = web.accept()) {
                                    client.getOutputStream()
                                            .write("HTTP/1.1 400 Bad Request\r\n".getBytes(UTF_8));
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            int code = run("cluster", "status", "--bootstrap=127.0.0.1:" + web.getLocalPort());

            assertThat(code).isEqualTo(OttlaCommand.REFUSED);
            assertThat(text(err)).contains("does not speak Kafka's protocol");
            answering.join();
        }
    }

    @Test
    void everyActionExplainsItself() throws Exception {
        explains("active controller", "status", "--help");
        explains("As many brokers must run", "raise", "-h");
        explains("should be running", "drain", "--help");
        explains("Delete its data directory", "remove", "7", "--help");
    }

    private void explains(String what, String... words) throws Exception {
        out.reset();
        assertThat(cluster(words)).isEqualTo(OttlaCommand.DONE);
        assertThat(text(out)).startsWith("Usage: ./ottla cluster " + words[0]).contains(what);
    }

    @Test
    void wordsThatCannotBePlacedAreNamed() throws Exception {
        misused("an action is missing", "cluster");
        misused("unknown action stat", "cluster", "stat");
        misused("drain needs the id of a broker", "cluster", "drain", "--undo");
        misused("the id of a broker must be a number from 0 on, not x", "cluster", "drain", "x");
        misused("--undo belongs to drain, not to raise", "cluster", "raise", "--undo");
        misused("--factor belongs to raise, not to status", "cluster", "status", "--factor=2");
        misused("the port of --bootstrap must be a number", "cluster", "status", "--bootstrap=a:b");
        assertThat(run("cluster", "--help")).isEqualTo(OttlaCommand.DONE);
        assertThat(text(out)).contains("drain NODE", "--bootstrap HOST:PORT");
    }

    private void misused(String expected, String... words) throws InterruptedException {
        err.reset();
        assertThat(run(words)).isEqualTo(OttlaCommand.USAGE);
        assertThat(text(err)).contains(expected);
    }

    private void refused(String expected, String... words) throws InterruptedException {
        err.reset();
        assertThat(cluster(words)).isEqualTo(OttlaCommand.REFUSED);
        assertThat(text(err)).contains(expected);
    }

    private int cluster(String... words) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(words));
        all.add("--bootstrap=localhost:" + port);
        return run(all.toArray(String[]::new));
    }

    private int run(String... words) throws InterruptedException {
        return new OttlaCommand(Host.real(), new PrintStream(out), new PrintStream(err))
                .run(List.of(words));
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    private void createTopic(String name) throws IOException {
        try (PlainConnection connection =
                new PlainConnection(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            connection.ask(
                    CreateTopicsRequest.builder()
                            .topics(
                                    List.of(
                                            CreatableTopic.builder()
                                                    .name(name)
                                                    .numPartitions(2)
                                                    .replicationFactor((short) -1)
                                                    .build()))
                            .timeoutMs(10_000)
                            .build());
        }
    }
}

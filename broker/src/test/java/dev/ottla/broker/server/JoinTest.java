package dev.ottla.broker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.HostPort;
import dev.ottla.config.Listener;
import dev.ottla.config.Listeners;
import dev.ottla.config.Surroundings;
import dev.ottla.wire.message.MetadataResponse;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A node that joins a cluster, in this process.
class JoinTest {
    private static final Duration SESSION = Duration.ofSeconds(9);
    private static final String JOIN = "controller.quorum.bootstrap.servers";
    private static final String VOTERS = "controller.quorum.voters";

    private static Map<String, String> joining(TestBroker first, String nodeId) {
        return Map.of("node.id", nodeId, JOIN, first.bootstrap());
    }

    private static boolean knows(TestBroker broker, String topic) throws IOException {
        try (BrokerClient client = new BrokerClient(broker)) {
            MetadataResponse answer = client.metadata(topic);
            return answer.topics().getFirst().errorCode() == 0;
        }
    }

    @Test
    @Tag("config:controller.quorum.bootstrap.servers")
    void aJoinedNodeKnowsWhatTheControllerKnows() throws Exception {
        try (TestBroker first = new TestBroker();
                BrokerClient client = new BrokerClient(first)) {
            client.create("before", 3);
            try (TestBroker second = new TestBroker(joining(first, "2"))) {
                assertThat(second.server().clusterId()).isEqualTo(first.server().clusterId());
                assertThat(knows(second, "before")).isTrue();

                client.create("after", 1);

                Await.until("the second node hears of it", () -> knows(second, "after"));
                assertThat(client.metadata().brokers())
                        .extracting(MetadataResponse.MetadataResponseBroker::nodeId)
                        .contains(1, 2);
            }
        }
    }

    /// It would lead and follow by what it once knew.
    @Test
    void aNodeThatCannotWriteMetadataAnyMoreEndsAndSaysWhy() throws Exception {
        FailingDisk disk = new FailingDisk();
        try (TestBroker first = new TestBroker();
                BrokerClient client = new BrokerClient(first);
                TestBroker second = new TestBroker(joining(first, "2"), disk)) {
            disk.fail();
            client.create("news", 1);

            assertThat(second.server().ended().get(30, TimeUnit.SECONDS))
                    .contains("nothing new")
                    .contains("Input/output error");
            assertThat(first.server().ended()).isNotDone();
        }
    }

    @Test
    @Tag("config:controller.quorum.voters")
    void nodesMayBeFoundByKafkasListOfVoters() throws IOException {
        String port = "" + freePort();
        try (TestBroker first = new TestBroker(Map.of("node.id", "1"))) {
            Map<String, String> same = Map.of(VOTERS, voters(first.bootstrap(), port));
            try (TestBroker second = new TestBroker(with(same, "node.id", "2"))) {
                assertThat(second.server().clusterId()).isEqualTo(first.server().clusterId());

                String clusterId = first.server().clusterId();
                first.restart(with(same, "node.id", "1"));
                assertThat(first.server().clusterId()).isEqualTo(clusterId);
            }
        }
    }

    @Test
    void aNodeWhoseVotersAreItselfAloneBeginsACluster() {
        try (TestBroker alone =
                new TestBroker(Map.of("node.id", "3", VOTERS, "3@localhost:9093"))) {
            assertThat(alone.server().nodeId()).isEqualTo(3);
        }
    }

    private static String voters(String first, String secondsPort) {
        return "1@" + first + ",2@127.0.0.1:" + secondsPort;
    }

    private static Map<String, String> with(Map<String, String> all, String key, String value) {
        Map<String, String> more = new HashMap<>(all);
        more.put(key, value);
        return more;
    }

    /// Who began a cluster and comes back without its directory and without being told begins
    /// another one, which those that know the first take nothing from.
    @Test
    void aClusterThatTookThePlaceOfAnotherIsRefusedByThoseOfTheFirst() throws Exception {
        try (TestBroker first = new TestBroker();
                BrokerClient client = new BrokerClient(first)) {
            client.create("kept", 1);
            String listener = "PLAINTEXT://" + first.bootstrap();
            try (TestBroker second = new TestBroker(joining(first, "2"))) {
                String clusterId = second.server().clusterId();
                first.server().close();
                Path lost = first.directory().resolve("lost");
                try (BrokerServer other =
                        start(lost, Map.of("node.id", "1", "listeners", listener))) {
                    assertThat(other.clusterId()).isNotEqualTo(clusterId);

                    assertThatThrownBy(second::restart)
                            .isInstanceOf(StartRefusedException.class)
                            .hasMessageContaining("belongs to another cluster");
                }
                first.restart(Map.of("node.id", "1", "listeners", listener));
                second.restart();
                assertThat(second.server().clusterId()).isEqualTo(clusterId);
                assertThat(knows(second, "kept")).isTrue();
            }
        }
    }

    @Test
    void aLaterStartNeedNotBeTold() throws IOException {
        try (TestBroker first = new TestBroker();
                BrokerClient client = new BrokerClient(first);
                TestBroker second = new TestBroker(joining(first, "2"))) {
            client.create("t", 1);

            second.restart(Map.of(JOIN, "", "node.id", "2"));

            assertThat(second.server().clusterId()).isEqualTo(first.server().clusterId());
            assertThat(knows(second, "t")).isTrue();
        }
    }

    @Test
    void aNodeThatBeganAClusterJoinsNoOther() {
        try (TestBroker first = new TestBroker();
                TestBroker other = new TestBroker(Map.of("node.id", "2"))) {
            assertThatThrownBy(() -> other.restart(Map.of(JOIN, first.bootstrap())))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("so it cannot join another");
        }
    }

    @Test
    void aNodeOfOneClusterDoesNotGoToAnother() {
        try (TestBroker first = new TestBroker();
                TestBroker other = new TestBroker();
                TestBroker second = new TestBroker(joining(first, "2"))) {
            assertThatThrownBy(() -> second.restart(Map.of(JOIN, other.bootstrap())))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("belongs to another cluster");
        }
    }

    @Test
    void aJoiningNodeNeedsAnId() {
        try (TestBroker first = new TestBroker()) {
            assertThatThrownBy(() -> new TestBroker(Map.of(JOIN, first.bootstrap())))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("Give it one with --node-id");
        }
    }

    @Test
    void anIdThatIsInServiceIsRefusedSoon() {
        try (TestBroker first = new TestBroker();
                TestBroker second = new TestBroker(joining(first, "2"))) {
            for (TestBroker other : List.of(first, second)) {
                String id = Integer.toString(other.server().nodeId());
                long beganNs = System.nanoTime();

                assertThatThrownBy(() -> new TestBroker(joining(first, id)))
                        .isInstanceOf(StartRefusedException.class)
                        .hasMessageContaining(
                                "another process is node " + id + " of this cluster already")
                        .hasMessageContaining("Give this one another node id");

                // Far less than a session, which is what others wait for.
                assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(SESSION);
            }
        }
    }

    @Test
    void aNodeThatFindsNoClusterSaysWhyAndIsNoPartOfOne() throws IOException {
        Map<String, String> wrong =
                Map.of(
                        "node.id",
                        "2",
                        JOIN,
                        "127.0.0.1:" + freePort(),
                        "initial.broker.registration.timeout.ms",
                        "300");
        try (TestBroker other = new TestBroker(Map.of("node.id", "2"))) {
            Path data = other.directory().resolve("second");
            assertThatThrownBy(() -> start(data, wrong))
                    .isInstanceOf(StartRefusedException.class)
                    .hasMessageContaining("refused the connection")
                    .hasMessageContaining("Check --join");

            try (BrokerServer alone = start(data, Map.of("node.id", "2"))) {
                assertThat(alone.nodeId()).isEqualTo(2);
            }
        }
    }

    @Test
    void aStartThatFailsLeavesNoClusterBehind() throws IOException {
        try (TestBroker first = new TestBroker()) {
            Path data = first.directory().resolve("second");
            for (Map<String, String> busy :
                    List.of(
                            Map.of("listeners", "PLAINTEXT://" + first.bootstrap()),
                            Map.of("metrics.port", "" + first.address().getPort()))) {
                assertThatThrownBy(() -> start(data, busy))
                        .isInstanceOf(StartRefusedException.class)
                        .hasMessageContaining("cannot listen on");
            }

            try (BrokerServer second = start(data, joining(first, "2"))) {
                assertThat(second.clusterId()).isEqualTo(first.server().clusterId());
            }
        }
    }

    @Test
    void aNodeThatIsToldToJoinItselfBeginsACluster() throws IOException {
        int port = freePort();
        Map<String, String> kafkas =
                Map.of(
                        "node.id",
                        "1",
                        "listeners",
                        "PLAINTEXT://127.0.0.1:0,CONTROLLER://:" + port,
                        JOIN,
                        "localhost:" + port);
        try (TestBroker alone = new TestBroker(kafkas)) {
            String clusterId = alone.server().clusterId();
            alone.restart();
            assertThat(alone.server().clusterId()).isEqualTo(clusterId);
        }
    }

    @Test
    void onlyOtherNodesAreJoined() {
        List<Listener> own =
                Listeners.of(
                                new ConfigResolver(
                                                BrokerLayers.of(
                                                        Map.of(
                                                                "listeners",
                                                                "A://:9092,B://127.0.0.1:9093",
                                                                "listener.security.protocol.map",
                                                                "A:PLAINTEXT,B:PLAINTEXT")),
                                                Surroundings.of(1, 1))
                                        .broker())
                        .all();

        assertThat(own).hasSize(2);
        assertThat(
                        ClusterJoin.others(
                                Stream.of(
                                                "localhost:9092",
                                                "127.0.0.1:9092",
                                                "[::1]:9092",
                                                "127.0.0.1:9093",
                                                "127.0.0.2:9093",
                                                "localhost:9094",
                                                "192.0.2.7:9092")
                                        .map(text -> HostPort.parse(text).orElseThrow())
                                        .toList(),
                                own))
                .extracting(HostPort::toString)
                .containsExactly("127.0.0.2:9093", "localhost:9094", "192.0.2.7:9092");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static BrokerServer start(Path data, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("listeners", "PLAINTEXT://127.0.0.1:0");
        all.putIfAbsent("metrics.port", "-1");
        all.put("log.dirs", data.toString());
        return BrokerServer.start(new BrokerSettings(all));
    }
}

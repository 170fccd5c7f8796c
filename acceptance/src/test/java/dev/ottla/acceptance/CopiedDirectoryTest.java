package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/// Somebody starts a node on a copy of another one's directory, which has its ids: there are never
/// two of them, and the one that ends says why.
class CopiedDirectoryTest {
    private static final int COPIED = 2;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @Test
    void copyIsRefusedWhileTheOriginalAnswersAndTakesItsPlaceWhenItDoesNot() throws IOException {
        assumeTrue(BrokerCommand.isOttla(), "Kafka's directories are other ones");
        try (ClusterProcesses nodes = ClusterProcesses.start(COPIED)) {
            BrokerProcess original = nodes.node(COPIED);

            try (BrokerProcess copy = BrokerProcess.launch(ofCopy(nodes))) {
                assertThat(copy.awaitExit(DEADLINE)).isEqualTo(1);
                assertThat(copy.output())
                        .contains("another process is node 2 of this cluster already at")
                        .contains(":" + original.port())
                        .doesNotContain("\tat ");
            }
            assertServes(nodes);

            original.freeze();
            try (BrokerProcess copy = BrokerProcess.launch(ofCopy(nodes))) {
                try {
                    copy.awaitReady();
                } finally {
                    original.thaw();
                }
                assertThat(original.awaitExit(DEADLINE)).isEqualTo(1);
                assertThat(original.output())
                        .contains("another process has registered under node id 2, at")
                        .contains(":" + copy.port());
                copy.stop();
            }
            original.start();
            assertServes(nodes);
        }
    }

    /// With the ids of the node that is copied, and nothing else.
    private static BrokerProcess.Options ofCopy(ClusterProcesses nodes) throws IOException {
        Path copy = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "copy-");
        String name = "meta.properties";
        Files.copy(nodes.node(COPIED).dataDir().resolve(name), copy.resolve(name));
        return BrokerProcess.Options.of(
                        "node.id=" + COPIED,
                        "controller.quorum.bootstrap.servers=" + nodes.node(1).bootstrap())
                .withJvm("-Xmx192m", "-XX:TieredStopAtLevel=1")
                .withDataDir(copy);
    }

    private static void assertServes(ClusterProcesses nodes) {
        try (Clients clients = new Clients(nodes.node(COPIED).bootstrap())) {
            String topic = Clients.name("topic");
            Await.until(
                    "node 2 is in service",
                    () ->
                            Clients.get(clients.admin().describeCluster().nodes()).stream()
                                    .anyMatch(node -> node.id() == COPIED));
            NewTopic wanted = new NewTopic(topic, Map.of(0, List.of(COPIED, 1)));
            Clients.get(clients.admin().createTopics(List.of(wanted)).all());
            Clients.get(
                    clients.producer("acks", "all").send(new ProducerRecord<>(topic, "k", "v")));
        }
    }
}

package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three processes from three directories are one cluster: whom they know, what they know, and what
/// becomes of it when one of them stops and starts.
@Order(1)
class ClusterTest {
    private static ClusterProcesses cluster;

    @BeforeAll
    static void start() {
        cluster = ClusterProcesses.start(3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Set<Integer> idsSeenBy(Admin admin) {
        return Clients.get(admin.describeCluster().nodes()).stream()
                .map(Node::id)
                .collect(Collectors.toSet());
    }

    @Test
    void everyNodeKnowsAllOfThem() {
        for (int id : cluster.ids()) {
            try (Clients clients = new Clients(cluster.node(id).bootstrap())) {
                Await.until(
                        "node %d knows all nodes".formatted(id),
                        () -> idsSeenBy(clients.admin()).equals(Set.of(1, 2, 3)));
            }
        }
    }

    @Test
    void allNodesTellTheSameClusterId() {
        Set<String> ids =
                cluster.ids().stream()
                        .map(id -> {
                            try (Clients clients = new Clients(cluster.node(id).bootstrap())) {
                                return Clients.get(clients.admin().describeCluster().clusterId());
                            }
                        })
                        .collect(Collectors.toSet());

        assertThat(ids).hasSize(1);
    }

    @Test
    void aTopicThatIsCreatedThroughAnyNodeIsKnownToAll() {
        for (int id : cluster.ids()) {
            String topic = Clients.name("through-" + id);
            try (Clients clients = new Clients(cluster.node(id).bootstrap())) {
                NewTopic wanted = new NewTopic(topic, Optional.of(3), Optional.of((short) 1));
                Clients.get(clients.admin().createTopics(List.of(wanted)).all());
            }
            cluster.ids().forEach(other -> cluster.awaitTopic(other, topic));
        }
    }

    /// Followers become voters by themselves at a time of their own, so both lists count.
    @Test
    void theQuorumShowsTheControllerAndEachNodeOnce() {
        try (Clients clients = new Clients(cluster.bootstrap())) {
            Await.until(
                    "each node is a voter or an observer",
                    Await.DEADLINE,
                    () -> {
                        QuorumInfo quorum =
                                Clients.get(clients.admin().describeMetadataQuorum().quorumInfo());
                        List<Integer> voters =
                                quorum.voters().stream()
                                        .map(QuorumInfo.ReplicaState::replicaId)
                                        .toList();
                        List<Integer> nodes =
                                Stream.concat(
                                                voters.stream(),
                                                quorum.observers().stream()
                                                        .map(QuorumInfo.ReplicaState::replicaId))
                                        .sorted()
                                        .toList();
                        return voters.contains(quorum.leaderId()) && nodes.equals(List.of(1, 2, 3));
                    },
                    cluster::output);
        }
    }

    @Test
    void eachNodeCanBeStartedAgain() {
        for (int id : cluster.ids().reversed()) {
            cluster.node(id).stop();
            cluster.node(id).start();
            String topic = Clients.name("after-restart-of-" + id);
            try (Clients clients = new Clients(cluster.node(1).bootstrap())) {
                NewTopic wanted = new NewTopic(topic, Optional.of(1), Optional.of((short) 1));
                Clients.get(clients.admin().createTopics(List.of(wanted)).all());
            }
            cluster.ids().forEach(other -> cluster.awaitTopic(other, topic));
        }
    }

    @Test
    void aNodeThatIsKilledKnowsEverythingAgainAfterItsStart() {
        cluster.node(3).kill();
        String topic = Clients.name("while-3-was-away");
        try (Clients clients = new Clients(cluster.node(1).bootstrap())) {
            NewTopic wanted = new NewTopic(topic, Optional.of(1), Optional.of((short) 1));
            Clients.get(clients.admin().createTopics(List.of(wanted)).all());
        }

        cluster.node(3).start();

        cluster.awaitTopic(3, topic);
    }

    @Test
    void aDirectoryOfAnotherClusterIsRefused(@TempDir Path directory) {
        Path data = directory.resolve("data");
        try (BrokerProcess alone =
                BrokerProcess.start(BrokerProcess.Options.of("node.id=9").withDataDir(data))) {
            alone.stop();

            assertRefused(
                    data, "node.id=9", "holds the metadata of a cluster that this node began");
        }
    }

    @Test
    void aNodeThatMovesToAnotherClusterIsRefused(@TempDir Path directory) {
        Path data = directory.resolve("data");
        try (BrokerProcess other = BrokerProcess.start(BrokerProcess.Options.of("node.id=1"));
                BrokerProcess joined =
                        BrokerProcess.start(
                                BrokerProcess.Options.of(
                                                "node.id=7",
                                                "controller.quorum.bootstrap.servers="
                                                        + other.bootstrap())
                                        .withDataDir(data))) {
            joined.stop();
            other.stop(); // Else it may find its own cluster before the one that it is told of.

            assertRefused(data, "node.id=7", "belongs to another cluster");
        }
    }

    @Test
    void anIdThatIsTakenIsRefused(@TempDir Path directory) {
        assertRefused(directory.resolve("data"), "node.id=2", "another node id");
    }

    @Test
    void aNodeWithoutAnIdIsRefused(@TempDir Path directory) {
        assertRefused(directory.resolve("data"), "num.partitions=1", "--node-id");
    }

    private static void assertRefused(Path data, String setting, String why) {
        try (BrokerProcess refused =
                BrokerProcess.launch(
                        BrokerProcess.Options.of(
                                        setting,
                                        "initial.broker.registration.timeout.ms=3000",
                                        "controller.quorum.bootstrap.servers="
                                                + cluster.node(1).bootstrap())
                                .withDataDir(data))) {
            int exit = refused.awaitExit(Duration.ofSeconds(45));

            assertThat(exit).as(refused.output()).isNotZero();
            assertThat(refused.output()).contains(why);
        }
    }

    @Test
    void aNodeWaitsForTheClusterThatItJoinsAndSaysSo() {
        int port = BrokerProcess.freePort();
        try (BrokerProcess early =
                        BrokerProcess.launch(
                                BrokerProcess.Options.of(
                                        "node.id=2",
                                        "controller.quorum.bootstrap.servers=localhost:" + port));
                BrokerProcess late =
                        BrokerProcess.on(port, BrokerProcess.Options.of("node.id=1"))) {
            Await.until(
                    "the node says that it waits",
                    Await.DEADLINE,
                    () -> early.output().contains("localhost:" + port),
                    early::output);
            assertThat(early.isAlive()).isTrue();

            late.start();

            early.awaitReady();
            try (Clients clients = new Clients(early.bootstrap())) {
                Await.until(
                        "both know each other",
                        () -> idsSeenBy(clients.admin()).equals(Set.of(1, 2)));
            }
        }
    }
}

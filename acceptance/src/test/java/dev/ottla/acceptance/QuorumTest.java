package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three processes: the second and the third become voters beside the first while they serve, and
/// another controller takes over when the active one is killed.
@Order(2)
class QuorumTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /// What a user may have to wait after the active controller was killed. Measured: about two
    /// seconds; the machine of the test may be busy.
    private static final Duration TAKE_OVER = Duration.ofSeconds(20);

    @Test
    @Tag("config:quorum.role")
    void anotherControllerTakesOverWhenTheActiveOneIsKilled() {
        try (ClusterProcesses cluster = ClusterProcesses.start(3, "quorum.role=auto")) {
            create(cluster, cluster.bootstrap(), "before");
            awaitThreeVoters(cluster);
            create(cluster, cluster.bootstrap(), "of-three");
            for (int round = 0; round < 2; round++) {
                int leader = leader(cluster.bootstrap());
                cluster.node(leader).kill();
                String others = others(cluster, leader);
                long killedNs = System.nanoTime();
                create(cluster, others, "after-" + round);
                Duration took = Duration.ofNanos(System.nanoTime() - killedNs);
                System.out.printf(
                        "Controller %d was killed; a topic was created %d ms later.%n",
                        leader, took.toMillis());
                assertThat(took).isLessThan(TAKE_OVER);
                assertThat(leader(others)).isNotEqualTo(leader);

                cluster.node(leader).start();
                awaitTopic(cluster, leader, "after-" + round);
                assertThat(voters(cluster.bootstrap())).isEqualTo(Set.of(1, 2, 3));
            }
        }
    }

    @Test
    void aVoterThatLostItsDiskIsReplacedSoThatTheQuorumStandsTheNextFailure() {
        try (ClusterProcesses cluster = ClusterProcesses.start(3)) {
            awaitThreeVoters(cluster);
            create(cluster, cluster.bootstrap(), "before");
            int lost = leader(cluster.bootstrap()) == 3 ? 2 : 3;
            Uuid directory = directories(cluster.bootstrap()).get(lost);
            cluster.node(lost).kill();
            cluster.node(lost).deleteData();
            cluster.node(lost).start();
            Await.until(
                    "it votes with its new directory",
                    DEADLINE,
                    () -> {
                        Map<Integer, Uuid> now = directories(cluster.bootstrap());
                        return now.keySet().equals(Set.of(1, 2, 3))
                                && !Objects.equals(now.get(lost), directory);
                    },
                    cluster::output);

            int leader = leader(cluster.bootstrap());
            cluster.node(leader).kill();

            create(cluster, others(cluster, leader), "after");
            awaitTopic(cluster, lost, "before");
        }
    }

    @Test
    void aNodeAloneLoadsNothingOfTheQuorumsEngine(@TempDir Path directory) throws IOException {
        Path loaded = directory.resolve("loaded");
        BrokerProcess.Options options =
                BrokerProcess.Options.of().withJvm("-Xlog:class+load:file=" + loaded);
        try (BrokerProcess alone = BrokerProcess.start(options)) {
            try (Clients clients = new Clients(alone.bootstrap())) {
                NewTopic wanted = new NewTopic("alone", Optional.of(1), Optional.of((short) 1));
                Clients.get(clients.admin().createTopics(List.of(wanted)).all());
            }

            assertThat(Files.readString(loaded))
                    .contains("dev.ottla.quorum.local.LocalMetadataLog")
                    .doesNotContain("org.apache.ratis");
        }
    }

    private static void awaitThreeVoters(ClusterProcesses cluster) {
        Await.until(
                "all three vote",
                DEADLINE,
                () -> voters(cluster.bootstrap()).equals(Set.of(1, 2, 3)),
                cluster::output);
    }

    /// The addresses of all nodes but one.
    private static String others(ClusterProcesses cluster, int without) {
        return cluster.ids().stream()
                .filter(id -> id != without)
                .map(id -> cluster.node(id).bootstrap())
                .collect(Collectors.joining(","));
    }

    private static void create(ClusterProcesses cluster, String bootstrap, String topic) {
        try (Clients clients = new Clients(bootstrap)) {
            NewTopic wanted = new NewTopic(topic, Optional.of(1), Optional.of((short) 1));
            Clients.get(clients.admin().createTopics(List.of(wanted)).all());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(topic + " was not created\n" + cluster.output(), e);
        }
    }

    private static QuorumInfo quorum(String bootstrap) {
        try (Clients clients = new Clients(bootstrap)) {
            return Clients.get(clients.admin().describeMetadataQuorum().quorumInfo());
        }
    }

    private static Set<Integer> voters(String bootstrap) {
        return quorum(bootstrap).voters().stream()
                .map(QuorumInfo.ReplicaState::replicaId)
                .collect(Collectors.toSet());
    }

    /// The directories of the voters, each of which is named once.
    private static Map<Integer, Uuid> directories(String bootstrap) {
        return quorum(bootstrap).voters().stream()
                .collect(
                        Collectors.toMap(
                                QuorumInfo.ReplicaState::replicaId,
                                QuorumInfo.ReplicaState::replicaDirectoryId,
                                (one, other) -> Uuid.ZERO_UUID));
    }

    private static int leader(String bootstrap) {
        return quorum(bootstrap).leaderId();
    }

    private static void awaitTopic(ClusterProcesses cluster, int nodeId, String topic) {
        try (Clients clients = new Clients(cluster.node(nodeId).bootstrap())) {
            Await.until(
                    "node %d knows topic %s".formatted(nodeId, topic),
                    DEADLINE,
                    () -> Clients.get(clients.admin().listTopics().names()).contains(topic),
                    cluster::output);
        }
    }
}

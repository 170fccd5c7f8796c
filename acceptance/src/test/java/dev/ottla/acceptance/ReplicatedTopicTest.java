package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ottla.testkit.Await;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// Three processes hold three replicas of each record, two of which must be in sync, and are killed
/// under load. Each of them leads some partitions and follows others, so a kill hits a leader and
/// followers at once. What was acknowledged is there, once and in order. Node 1 stays: it begins as
/// the controller. In the long form only: the short one has the same faults in [ClusterFaultsTest].
@Order(1)
class ReplicatedTopicTest {
    private static final int PARTITIONS = 3;
    private static final int KILLS = 4;

    /// Each has a topic of its own, so that what is remembered of it stays small.
    private static final int ROUNDS = 5;

    private static final long SEED = StoredRecords.seed(ReplicatedTopicTest.class);
    private static final Random RANDOM = new Random(SEED);
    private static ClusterProcesses cluster;
    private static Clients clients;
    private String topic = "";

    @BeforeAll
    static void start() {
        assumeTrue(Boolean.getBoolean("ottla.long"), "-Dottla.long=true");
        cluster =
                ClusterProcesses.start(
                        3, "group.initial.rebalance.delay.ms=0", "broker.session.timeout.ms=6000");
        clients = new Clients(cluster.node(1).bootstrap());
        Await.until(
                "all nodes are in service",
                () -> Clients.get(clients.admin().describeCluster().nodes()).size() == 3);
        cluster.awaitVoters(1, 2, 3);
    }

    @BeforeEach
    void createTopic() {
        topic = Clients.name("topic");
        NewTopic wanted =
                new NewTopic(topic, Optional.of(PARTITIONS), Optional.of((short) 3))
                        .configs(Map.of("min.insync.replicas", "2", "segment.bytes", "1048576"));
        Clients.get(clients.admin().createTopics(List.of(wanted)).all());
        awaitAllInSync();
    }

    @AfterAll
    static void stop() {
        if (cluster == null) return;
        clients.close();
        cluster.close();
    }

    @Test
    void acknowledgedRecordsSurviveKillsOfLeadersAndFollowers() {
        killLeadersAndFollowers();
        for (int round = 1; round < ROUNDS; round++) {
            Clients.get(clients.admin().deleteTopics(List.of(topic)).all());
            createTopic();
            killLeadersAndFollowers();
        }
    }

    private void killLeadersAndFollowers() {
        try (Load load = new Load(cluster.bootstrap(), topic, PARTITIONS)) {
            for (int kill = 0; kill < KILLS; kill++) {
                int node = 2 + RANDOM.nextInt(2);
                awaitProgress(load);
                cluster.node(node).kill();
                if (kill % 2 == 0) {
                    awaitProgress(load); // Without it, from new leaders.
                }
                cluster.node(node).start();
                awaitAllInSync();
            }
            load.stop();

            assertIntact(load);
        }
    }

    @Test
    void lostDirectoryIsFilledAgain() {
        try (Load load = new Load(cluster.bootstrap(), topic, PARTITIONS)) {
            awaitProgress(load);
            cluster.node(3).kill();
            Uuid lost = Objects.requireNonNull(ClusterProcesses.voters(cluster.bootstrap()).get(3));
            cluster.node(3).deleteData();
            cluster.node(3).start();
            awaitAllInSync();
            Await.until(
                    "node 3 votes with its new directory",
                    Await.DEADLINE,
                    () -> {
                        Map<Integer, Uuid> now = ClusterProcesses.voters(cluster.bootstrap());
                        return now.keySet().equals(Set.of(1, 2, 3)) && !lost.equals(now.get(3));
                    },
                    cluster::output);
            awaitProgress(load);

            // What it has now must be enough to go on with.
            cluster.node(2).kill();
            awaitProgress(load);
            cluster.node(2).start();
            awaitAllInSync();
            load.stop();

            assertIntact(load);
        }
    }

    @Test
    void acknowledgedRecordsSurviveALeaderThatStandsStillForAWhile() {
        try (Load load = new Load(cluster.bootstrap(), topic, PARTITIONS)) {
            awaitProgress(load);
            cluster.node(2).freeze();
            awaitNoLeader(2);
            awaitProgress(load);
            cluster.node(2).thaw();
            awaitAllInSync();
            awaitProgress(load);
            load.stop();

            assertIntact(load);
        }
    }

    /// A client asks any node it knows, also the one that stands still: it is given up soon.
    private void awaitNoLeader(int node) {
        Map<String, Object> impatient =
                Map.of(
                        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                        cluster.node(1).bootstrap(),
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        1_000);
        try (Admin admin = Admin.create(impatient)) {
            Await.until(
                    "node %d leads nothing".formatted(node),
                    Await.DEADLINE,
                    () ->
                            partitions(admin).stream()
                                    .allMatch(partition ->
                                            partition.leader() != null
                                                    && partition.leader().id() != node),
                    () -> partitions(admin) + "\n" + cluster.output());
        }
    }

    private void awaitProgress(Load load) {
        long target = load.acknowledged() + 1_000 + RANDOM.nextInt(2_000);
        Await.until(
                "records are acknowledged",
                Await.DEADLINE,
                () -> load.acknowledged() >= target,
                () -> load.acknowledged() + "/" + target + "\n" + cluster.output());
    }

    private void awaitAllInSync() {
        Await.until(
                "all replicas are in sync",
                Await.DEADLINE,
                () -> partitions().stream().allMatch(partition -> ids(partition.isr()).size() == 3),
                () -> partitions() + "\n" + cluster.output());
    }

    private List<TopicPartitionInfo> partitions() {
        return partitions(clients.admin());
    }

    private List<TopicPartitionInfo> partitions(Admin admin) {
        TopicDescription description =
                Clients.get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
        return description == null ? List.of() : description.partitions();
    }

    private static Set<Integer> ids(List<Node> nodes) {
        return nodes.stream().map(Node::id).collect(Collectors.toCollection(HashSet::new));
    }

    private void assertIntact(Load load) {
        assertThat(load.failed()).as("failed sends (seed %d)", SEED).isZero();
        StoredRecords.assertIntact(clients, topic, PARTITIONS, load, SEED);
    }
}

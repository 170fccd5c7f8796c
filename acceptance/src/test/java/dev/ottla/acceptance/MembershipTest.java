package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Brokers come and go in a cluster of three voters: who leads in their place, how that is noticed,
/// and that clients find their way through any of them. A session takes nine seconds here, as
/// usual; what is noticed earlier says so in the controller's log.
@Order(2)
class MembershipTest {
    private static ClusterProcesses cluster;

    /// The active controller and the other two.
    private int controller;

    private int second;
    private int third;

    @BeforeAll
    static void start() {
        cluster = ClusterProcesses.start(3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void everybodyIsThere() {
        try (Clients clients = new Clients(cluster.bootstrap())) {
            await(
                    "three voters and three brokers",
                    () ->
                            voters(quorum(clients)).equals(Set.of(1, 2, 3))
                                    && brokers(clients).equals(Set.of(1, 2, 3)));
            controller = quorum(clients).leaderId();
        }
        List<Integer> others = cluster.ids().stream().filter(id -> id != controller).toList();
        second = others.getFirst();
        third = others.getLast();
    }

    @Test
    void commandsOfAdministratorsWorkThroughAnyNode() {
        String topic = Clients.name("through");
        try (Clients through = clientsOf(second);
                Clients other = clientsOf(third)) {
            create(through, topic, Map.of(0, List.of(second, third)));
            assertThat(partition(through, topic).replicas()).hasSize(2);

            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            AlterConfigOp change =
                    new AlterConfigOp(
                            new ConfigEntry("retention.ms", "1234567"), AlterConfigOp.OpType.SET);
            Admin admin = other.admin();
            Clients.get(admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all());
            assertThat(
                            Clients.of(
                                            Clients.get(
                                                    admin.describeConfigs(List.of(resource)).all()),
                                            resource)
                                    .get("retention.ms")
                                    .value())
                    .isEqualTo("1234567");

            Clients.get(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3))).all());
            assertThat(partitions(other, topic)).hasSize(3);

            Clients.get(through.admin().deleteTopics(List.of(topic)).all());
            assertThat(Clients.get(through.admin().listTopics().names())).doesNotContain(topic);
        }
    }

    @Test
    void topicsAndGroupsBeginThroughAnyNode() {
        String topic = Clients.name("used-at-once");
        try (Clients clients = clientsOf(third)) {
            Producer<String, String> producer = clients.producer("acks", "all");
            send(producer, topic, 10);

            Consumer<String, String> consumer = clients.consumer("group.id", topic);
            consumer.subscribe(List.of(topic));
            assertThat(Clients.poll(consumer, 10)).hasSize(10);
            consumer.commitSync();
        }
    }

    @Test
    void killedBrokerIsReplacedBecauseItsMachineRefusesConnections() {
        String topic = Clients.name("killed");
        try (Clients clients = clientsOf(third)) {
            create(clients, topic, Map.of(0, List.of(second, third)));
            awaitInSync(clients, topic, 2);

            long startNs = System.nanoTime();
            cluster.node(second).kill();
            await("another broker leads", () -> leader(clients, topic) == third);
            System.out.printf("Another broker led %d ms after kill -9.%n", msSince(startNs));

            assertThat(cluster.node(controller).output())
                    .contains("Broker " + second + " is taken out of service: its process is gone");
            cluster.node(second).start();
            awaitInSync(clients, topic, 2);
        }
    }

    @Test
    void frozenBrokerIsReplacedBecauseItDoesNotAnswerAndComesBack() {
        String topic = Clients.name("frozen");
        try (Clients clients = clientsOf(third)) {
            create(clients, topic, Map.of(0, List.of(second, third)));
            awaitInSync(clients, topic, 2);

            long startNs = System.nanoTime();
            cluster.node(second).freeze();
            try {
                await("another broker leads", () -> leader(clients, topic) == third);
                System.out.printf("Another broker led %d ms after SIGSTOP.%n", msSince(startNs));
            } finally {
                cluster.node(second).thaw();
            }

            assertThat(cluster.node(controller).output())
                    .containsPattern(
                            "Broker " + second + " is taken out of service: .* does not answer");
            awaitInSync(clients, topic, 2);
        }
    }

    @Test
    void leaderThatDiesWithTheControllerIsReplacedAndOthersServeMeanwhile() {
        String died = Clients.name("died-with-it");
        String other = Clients.name("not-concerned");
        try (Clients clients = clientsOf(third)) {
            create(clients, died, Map.of(0, List.of(controller, third)));
            create(clients, other, Map.of(0, List.of(second, third)));
            awaitInSync(clients, died, 2);
            awaitInSync(clients, other, 2);
            Producer<String, String> producer = clients.producer("acks", "all");
            send(producer, other, 1);

            long startNs = System.nanoTime();
            cluster.node(controller).kill();
            send(producer, other, 10);
            await("another broker leads", () -> leader(clients, died) == third);
            System.out.printf(
                    "Another broker led %d ms after kill -9 of the controller.%n",
                    msSince(startNs));

            assertThat(cluster.node(quorum(clients).leaderId()).output())
                    .contains(
                            "Broker "
                                    + controller
                                    + " is taken out of service: its process is gone")
                    .doesNotContain("Broker " + second + " is taken out of service")
                    .doesNotContain("Broker " + third + " is taken out of service");
            assertThat(leader(clients, other)).isEqualTo(second);

            startAgainAndExpectItInService(controller);
            awaitInSync(clients, died, 2);
        }
    }

    /// It says that it is ready when the controller has put it into service; the others hear of it
    /// at about the same time.
    private static void startAgainAndExpectItInService(int node) {
        int before = readies(node);
        cluster.node(node).start();
        await("the node says that it is ready", () -> readies(node) > before);
        int other = cluster.ids().stream().filter(id -> id != node).findFirst().orElseThrow();
        try (Clients clients = clientsOf(other)) {
            int leader = quorum(clients).leaderId();
            try (Clients ofLeader = clientsOf(leader)) {
                await("the controller shows it", () -> brokers(ofLeader).contains(node));
            }
        }
    }

    private static int readies(int node) {
        return cluster.node(node).output().split(" is ready", -1).length - 1;
    }

    @Test
    @Tag("config:controlled.shutdown.enable")
    void stoppingBrokerHandsOverFirst() {
        String topic = Clients.name("stopped");
        try (Clients clients = clientsOf(controller)) {
            create(clients, topic, Map.of(0, List.of(third, second)));
            awaitInSync(clients, topic, 2);
            Producer<String, String> producer = clients.producer("acks", "all");
            send(producer, topic, 1);

            cluster.node(third).stop();

            assertThat(leader(clients, topic)).isEqualTo(second);
            assertThat(cluster.node(third).output()).doesNotContain("have not taken over");
            assertThat(cluster.node(controller).output())
                    .contains("Broker " + third + " has stopped");
            send(producer, topic, 1);

            cluster.node(third).start();
            awaitInSync(clients, topic, 2);
        }
    }

    private static Clients clientsOf(int node) {
        return new Clients(cluster.node(node).bootstrap());
    }

    private static void await(String what, Callable<Boolean> condition) {
        Await.until(what, Await.DEADLINE, condition, cluster::output);
    }

    private static long msSince(long startNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    private static QuorumInfo quorum(Clients clients) {
        return Clients.get(clients.admin().describeMetadataQuorum().quorumInfo());
    }

    private static Set<Integer> voters(QuorumInfo quorum) {
        return quorum.voters().stream()
                .map(QuorumInfo.ReplicaState::replicaId)
                .collect(Collectors.toSet());
    }

    private static Set<Integer> brokers(Clients clients) {
        return Clients.get(clients.admin().describeCluster().nodes()).stream()
                .map(Node::id)
                .collect(Collectors.toSet());
    }

    private static void send(Producer<String, String> producer, String topic, int count) {
        for (int i = 0; i < count; i++) {
            Clients.get(producer.send(new ProducerRecord<>(topic, "k" + i, "v" + i)));
        }
    }

    private static void create(
            Clients clients, String topic, Map<Integer, List<Integer>> assignments) {
        Clients.get(clients.admin().createTopics(List.of(new NewTopic(topic, assignments))).all());
    }

    private static List<TopicPartitionInfo> partitions(Clients clients, String topic) {
        return Clients.of(
                        Clients.get(clients.admin().describeTopics(List.of(topic)).allTopicNames()),
                        topic)
                .partitions();
    }

    private static TopicPartitionInfo partition(Clients clients, String topic) {
        return partitions(clients, topic).getFirst();
    }

    private static int leader(Clients clients, String topic) {
        return Optional.ofNullable(partition(clients, topic).leader()).map(Node::id).orElse(-1);
    }

    private static void awaitInSync(Clients clients, String topic, int count) {
        await(
                count + " replicas of " + topic + " are in sync",
                () ->
                        partitions(clients, topic).stream()
                                .allMatch(partition -> partition.isr().size() == count));
    }
}

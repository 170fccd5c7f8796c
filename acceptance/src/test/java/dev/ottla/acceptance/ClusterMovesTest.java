package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerCommand;
import dev.ottla.testkit.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Partitions move between the nodes of a cluster while they are written: by Kafka's tools and by
/// our own command. The cases build on one another: the last one takes a node out.
@ExtendWith(KafkaTools.Resolver.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Order(1)
class ClusterMovesTest {
    private static final int PARTITIONS = 3;

    private static ClusterProcesses cluster;

    @BeforeAll
    static void start() {
        cluster = ClusterProcesses.start(3, "offsets.topic.num.partitions=3");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    @Order(1)
    void kafkaToolsMovePartitionsWhileTheyAreWritten(KafkaTools tools, @TempDir Path directory)
            throws IOException {
        try (Clients clients = new Clients(cluster.bootstrap())) {
            String topic = create(clients, Map.of(0, List.of(1), 1, List.of(2), 2, List.of(3)));
            try (Load load = new Load(cluster.bootstrap(), topic, PARTITIONS)) {
                awaitWritten(load, 500);
                Path plan = directory.resolve("plan.json");
                Files.writeString(
                        plan,
                        """
                        {"version":1,"partitions":[
                          {"topic":"%1$s","partition":0,"replicas":[2,1,3]},
                          {"topic":"%1$s","partition":1,"replicas":[3]},
                          {"topic":"%1$s","partition":2,"replicas":[1]}]}
                        """
                                .formatted(topic));
                assertThat(
                                run(
                                        tools,
                                        "reassign.ReassignPartitionsCommand",
                                        "--reassignment-json-file",
                                        plan.toString(),
                                        "--execute"))
                        .contains("Successfully started partition reassignments");
                Await.until(
                        "the moves are complete",
                        Await.DEADLINE,
                        () ->
                                !run(
                                                tools,
                                                "reassign.ReassignPartitionsCommand",
                                                "--reassignment-json-file",
                                                plan.toString(),
                                                "--verify")
                                        .contains("still in progress"),
                        cluster::output);
                awaitWritten(load, 500);

                assertThat(replicas(clients.admin(), topic))
                        .isEqualTo(Map.of(0, List.of(2, 1, 3), 1, List.of(3), 2, List.of(1)));
                assertThat(run(tools, "reassign.ReassignPartitionsCommand", "--list"))
                        .contains("No partition reassignments found");
                run(
                        tools,
                        "LeaderElectionCommand",
                        "--election-type",
                        "preferred",
                        "--all-topic-partitions");
                Await.until(
                        "everybody leads what it prefers",
                        Await.DEADLINE,
                        () ->
                                partitions(clients.admin(), topic).stream()
                                        .allMatch(p ->
                                                p.leader().id() == p.replicas().getFirst().id()),
                        cluster::output);
                assertWritten(clients, topic, load);
            }
            assertThat(run(tools, "LogDirsCommand", "--describe", "--topic-list", topic))
                    .contains("\"partition\":\"" + topic + "-0\"", "\"offsetLag\":0");
            assertThat(run(tools, "MetadataQuorumCommand", "describe", "--status"))
                    .containsPattern("LeaderId: +1");
        }
    }

    @Test
    @Order(2)
    void topicsAreRaisedWithOneCommand() {
        try (Clients clients = new Clients(cluster.bootstrap())) {
            String topic = create(clients, Map.of(0, List.of(1), 1, List.of(1), 2, List.of(1)));
            clients.send(topic, "one", "two", "three");
            assertThat(command("status")).contains(topic, "./ottla cluster raise");

            assertThat(command("raise", "--topic", topic)).contains("All replicas are in sync.");

            // The node that is asked may hear of the last step a moment after the command.
            Await.until(
                    "each node leads a partition and holds all",
                    Await.DEADLINE,
                    () -> {
                        List<TopicPartitionInfo> partitions = partitions(clients.admin(), topic);
                        Set<Integer> leaders =
                                partitions.stream()
                                        .map(partition -> partition.leader().id())
                                        .collect(Collectors.toSet());
                        return leaders.equals(Set.of(1, 2, 3))
                                && partitions.stream().allMatch(p -> p.isr().size() == 3);
                    },
                    cluster::output);
            assertThat(clients.readAll(topic)).hasSize(3);
        }
    }

    /// Nobody does so unasked: what the last leader alone had is lost.
    @Test
    @Order(3)
    void replicaThatLagsLeadsWhenAnOperatorSaysSo(KafkaTools tools) {
        cluster.awaitVoters(1, 2, 3);
        try (Clients clients = new Clients(cluster.bootstrap())) {
            NewTopic wanted =
                    new NewTopic(Clients.name("unclean"), Map.of(0, List.of(2, 3)))
                            .configs(Map.of("min.insync.replicas", "1"));
            Clients.get(clients.admin().createTopics(List.of(wanted)).all());
            String topic = wanted.name();
            clients.send(topic, "of both");
            cluster.node(3).kill();
            awaitPartition(clients, topic, "node 3 left the ISR", p -> p.isr().size() == 1);
            clients.send(topic, "of node 2 alone");
            cluster.node(2).kill();
            cluster.node(3).start();
            awaitPartition(clients, topic, "nobody leads", p -> leaderOf(p) < 0);

            awaitElected(tools, topic);
            awaitPartition(clients, topic, "node 3 leads", p -> leaderOf(p) == 3);
            assertThat(clients.readAll(topic)).hasSize(1);
            clients.send(topic, "of node 3");
            cluster.node(2).start();
            awaitPartition(clients, topic, "both are in sync", p -> p.isr().size() == 2);
            assertThat(clients.readAll(topic))
                    .extracting(record -> new String(record.value(), UTF_8))
                    .containsExactly("of both", "of node 3");
        }
    }

    /// The tool does not ask again when the controller has just been replaced, and then may find
    /// its work done.
    private static void awaitElected(KafkaTools tools, String topic) {
        List<String> said = new ArrayList<>();
        Await.until(
                "the tool says that there is a leader",
                Await.DEADLINE,
                () -> {
                    said.add(
                            run(
                                    tools,
                                    "LeaderElectionCommand",
                                    "--election-type",
                                    "unclean",
                                    "--topic",
                                    topic,
                                    "--partition",
                                    "0"));
                    return said.getLast()
                                    .contains("Successfully completed leader election (UNCLEAN)")
                            || (said.size() > 1
                                    && said.getLast().contains("Valid replica already elected"));
                },
                () -> said + cluster.output());
    }

    private static void awaitPartition(
            Clients clients, String topic, String what, Predicate<TopicPartitionInfo> condition) {
        Await.until(
                what,
                Await.DEADLINE,
                () -> partitions(clients.admin(), topic).stream().anyMatch(condition),
                cluster::output);
    }

    private static int leaderOf(TopicPartitionInfo partition) {
        Node leader = partition.leader();
        return leader == null ? -1 : leader.id();
    }

    @Test
    @Order(4)
    void nodeIsTakenOutWhileItsPartitionsAreWritten() {
        cluster.add(4);
        try (Clients clients = new Clients(cluster.bootstrap())) {
            String topic =
                    create(clients, Map.of(0, List.of(3, 1), 1, List.of(1, 3), 2, List.of(3, 2)));
            try (Load load = new Load(cluster.bootstrap(), topic, PARTITIONS)) {
                awaitWritten(load, 500);
                assertThat(command("drain", "3"))
                        .contains(
                                "Node 3 does not vote on the metadata any more.",
                                "Node 4 votes now.",
                                "Node 3 holds no partitions any more.");
                assertThat(command("status")).containsPattern("3 .* drained +0 +0");
                cluster.node(3).stop();
                Await.until(
                        "the cluster has seen that node 3 stopped",
                        Await.DEADLINE,
                        () -> command("remove", "3").contains("no part of the cluster any more"),
                        cluster::output);
                awaitWritten(load, 500);
                assertWritten(clients, topic, load);
            }
            assertThat(
                            Clients.get(clients.admin().describeCluster().nodes()).stream()
                                    .map(Node::id)
                                    .collect(Collectors.toSet()))
                    .isEqualTo(Set.of(1, 2, 4));
        }
    }

    private static String create(Clients clients, Map<Integer, List<Integer>> replicas) {
        String topic = Clients.name("moves");
        Clients.get(clients.admin().createTopics(List.of(new NewTopic(topic, replicas))).all());
        cluster.ids().forEach(id -> cluster.awaitTopic(id, topic)); // A tool may ask any.
        return topic;
    }

    private static void awaitWritten(Load load, int more) {
        long target = load.acknowledged() + more;
        Await.until(
                more + " more records are acknowledged",
                Await.DEADLINE,
                () -> load.acknowledged() >= target,
                cluster::output);
    }

    /// Stops the load; each acknowledged value is where it was acknowledged.
    private static void assertWritten(Clients clients, String topic, Load load) {
        load.stop();
        assertThat(load.failed()).isZero();
        Map<Integer, Map<Long, Long>> read = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : clients.readAll(topic)) {
            read.computeIfAbsent(record.partition(), _ -> new HashMap<>())
                    .put(record.offset(), Long.valueOf(new String(record.value(), UTF_8)));
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(read.get(partition)).isEqualTo(load.acknowledged(partition));
        }
    }

    private static List<TopicPartitionInfo> partitions(Admin admin, String topic) {
        TopicDescription description =
                Clients.get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
        return description == null ? List.of() : description.partitions();
    }

    private static Map<Integer, List<Integer>> replicas(Admin admin, String topic) {
        return partitions(admin, topic).stream()
                .collect(
                        Collectors.toMap(
                                TopicPartitionInfo::partition,
                                partition -> partition.replicas().stream().map(Node::id).toList()));
    }

    private static String run(KafkaTools tools, String tool, String... arguments) {
        List<String> all = new ArrayList<>();
        all.addAll(List.of("--bootstrap-server", cluster.bootstrap()));
        all.addAll(List.of(arguments));
        return tools.run(tool, all.toArray(String[]::new)).all();
    }

    /// What our own command said.
    private static String command(String... words) {
        List<String> all = new ArrayList<>(List.of("cluster"));
        all.addAll(List.of(words));
        all.addAll(List.of("--bootstrap", cluster.bootstrap()));
        ChildProcess.Result result = BrokerCommand.run(all.toArray(String[]::new));
        return result.out() + result.err();
    }
}

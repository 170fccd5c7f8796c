package dev.ottla.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerProcess;
import dev.ottla.testkit.RawConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What three replicas on three nodes, each with two data directories, look like to Kafka's clients
/// and tools.
@ExtendWith(KafkaTools.Resolver.class)
@Order(1)
class ReplicasTest {
    private static final int NODES = 3;

    @TempDir private static Path root;
    private static final List<BrokerProcess> NODES_BY_ID = new ArrayList<>();

    /// Of each node, before a listener of its own.
    private static final List<Relay> RELAYS = new ArrayList<>();

    private static final Relay.Past PAST = new Relay.Past();

    @BeforeAll
    static void start() {
        for (int id = 1; id <= NODES; id++) {
            List<String> settings = new ArrayList<>();
            settings.add("node.id=" + id);
            settings.add("quorum.role=observer");
            settings.add("log.dirs=%s,%s".formatted(directory(id, "a"), directory(id, "b")));
            int port = BrokerProcess.freePort();
            addRelayedListener(port, settings);
            if (id > 1) {
                settings.add(
                        "controller.quorum.bootstrap.servers="
                                + NODES_BY_ID.getFirst().bootstrap());
            }
            BrokerProcess node =
                    BrokerProcess.on(
                            port,
                            BrokerProcess.Options.of(settings.toArray(String[]::new))
                                    .withJvm("-Xmx192m", "-XX:TieredStopAtLevel=1"));
            NODES_BY_ID.add(node);
            node.launch();
            if (id == 1) {
                node.awaitReady();
            }
        }
        NODES_BY_ID.forEach(BrokerProcess::awaitReady);
    }

    private static void addRelayedListener(int port, List<String> settings) {
        int behind = BrokerProcess.freePort();
        Relay relay =
                new Relay(new InetSocketAddress(InetAddress.getLoopbackAddress(), behind), PAST);
        RELAYS.add(relay);
        settings.add(
                "listeners=PLAINTEXT://localhost:%d,RELAYED://127.0.0.1:%d"
                        .formatted(port, behind));
        settings.add(
                "advertised.listeners=PLAINTEXT://localhost:%d,RELAYED://%s"
                        .formatted(port, relay.bootstrap()));
        settings.add("listener.security.protocol.map=PLAINTEXT:PLAINTEXT,RELAYED:PLAINTEXT");
    }

    @AfterAll
    static void stop() {
        RELAYS.forEach(Relay::close);
        NODES_BY_ID.forEach(BrokerProcess::close);
    }

    @Test
    void replicasMoveBetweenTheDirectoriesOfTheirNodes(KafkaTools tools, @TempDir Path directory)
            throws IOException {
        try (Clients clients = clients()) {
            String topic = create(clients, List.of(1, 2, 3));
            clients.send(topic, "one", "two", "three");
            Path plan = directory.resolve("plan.json");
            for (String target : List.of("a", "b")) {
                Files.writeString(
                        plan,
                        """
                        {"version":1,"partitions":[{"topic":"%s","partition":0,"replicas":[1,2,3],
                          "log_dirs":["%s","%s","any"]}]}
                        """
                                .formatted(topic, directory(1, target), directory(2, target)));
                run(tools, plan, "--execute");
                await("it is there", () -> run(tools, plan, "--verify").contains("is complete"));
                await(
                        "both are in " + target,
                        () ->
                                Files.exists(directory(1, target).resolve(topic + "-0"))
                                        && Files.exists(
                                                directory(2, target).resolve(topic + "-0")));
                clients.send(topic, "after " + target);
            }

            assertThat(values(clients, topic))
                    .containsExactly("one", "two", "three", "after a", "after b");
            awaitInSync(clients, topic);
        }
    }

    @Test
    void replicasAreTheSameToTheVerificationTool(@TempDir Path directory) throws Exception {
        try (Clients clients = clients()) {
            String topic = create(clients, List.of(1, 2, 3));
            for (int i = 0; i < 100; i++) {
                clients.send(topic, "value " + i);
            }
            Path output = directory.resolve("output");
            try (JavaProcess _ =
                    JavaProcess.start(
                            output,
                            "org.apache.kafka.tools.ReplicaVerificationTool",
                            "--broker-list",
                            bootstrap(),
                            "--topics-include",
                            topic,
                            "--report-interval-ms",
                            "1000")) {
                await(
                        "the tool has compared all",
                        () -> {
                            String text = Files.exists(output) ? Files.readString(output) : "";
                            return text.contains("max lag is 0 for partition " + topic + "-0");
                        });
            }
            assertThat(Files.readString(output)).doesNotContain("different");
        }
    }

    @Test
    void nodeThatMissedThatATopicWasMadeAnewHasNothingOfTheOldOne() {
        try (Clients clients = clients()) {
            String topic = create(clients, List.of(1, 2, 3));
            clients.send(topic, "old one", "old two");
            NODES_BY_ID.get(2).kill();
            Clients.get(clients.admin().deleteTopics(List.of(topic)).all());
            await(
                    "the name is free",
                    () -> !Clients.get(clients.admin().listTopics().names()).contains(topic));
            Clients.get(
                    clients.admin()
                            .createTopics(List.of(new NewTopic(topic, Map.of(0, List.of(1, 2, 3)))))
                            .all());
            clients.send(topic, "new");

            NODES_BY_ID.get(2).start();
            awaitInSync(clients, topic);

            lead(clients, topic, 3);
            assertThat(values(clients, topic)).containsExactly("new");
        }
    }

    @Test
    void whoAsksTheWrongNodeIsToldWhoLeads() throws Exception {
        try (Clients clients = clients()) {
            String topic = create(clients, List.of(2, 1));
            clients.send(topic, "one");
            Uuid id = describe(clients, topic).topicId();
            BrokerProcess wrong = NODES_BY_ID.get(2);
            BrokerProcess leader = NODES_BY_ID.get(1);
            try (RawConnection connection = RawConnection.open(wrong.bootstrap())) {
                ProduceResponseData produced =
                        connection.request(produce(id), ProduceResponse.class).data();
                var partition =
                        produced.responses().iterator().next().partitionResponses().getFirst();
                assertThat(Errors.forCode(partition.errorCode()))
                        .isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
                assertThat(partition.currentLeader().leaderId()).isEqualTo(2);
                assertThat(produced.nodeEndpoints().find(2).port()).isEqualTo(leader.port());

                FetchResponseData fetched =
                        connection.request(fetch(id), FetchResponse.class).data();
                var read = fetched.responses().getFirst().partitions().getFirst();
                assertThat(Errors.forCode(read.errorCode()))
                        .isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
                assertThat(read.currentLeader().leaderId()).isEqualTo(2);
                assertThat(fetched.nodeEndpoints().find(2).port()).isEqualTo(leader.port());
            }
        }
    }

    /// All that the clients are told by Metadata is where the leader was at first.
    @Test
    void clientsFollowTheLeaderByWhatTheFormerOneSays() {
        try (Clients direct = clients();
                Clients clients = new Clients(RELAYS.getFirst().bootstrap())) {
            String topic = create(direct, List.of(1, 2, 3));
            TopicPartition partition = new TopicPartition(topic, 0);
            Producer<String, String> producer = clients.producer();
            Consumer<String, String> consumer = clients.consumer();
            consumer.assign(Set.of(partition));
            consumer.seek(partition, 0);
            Clients.get(producer.send(new ProducerRecord<>(topic, "one")));
            List<String> read = new ArrayList<>();
            awaitRead(consumer, read, "one");

            PAST.stay();
            for (int leader : List.of(2, 3)) {
                lead(direct, topic, leader);
                String value = "led by " + leader;
                Clients.get(producer.send(new ProducerRecord<>(topic, value)));
                awaitRead(consumer, read, value);
            }

            assertThat(read).containsExactly("one", "led by 2", "led by 3");
        }
    }

    private static void awaitRead(
            Consumer<String, String> consumer, List<String> read, String value) {
        await(
                value + " is read",
                () -> {
                    consumer.poll(Duration.ofMillis(100))
                            .forEach(record -> read.add(record.value()));
                    return read.contains(value);
                });
    }

    private static ProduceRequest produce(Uuid topic) {
        ProduceRequestData.PartitionProduceData partition =
                new ProduceRequestData.PartitionProduceData()
                        .setIndex(0)
                        .setRecords(
                                MemoryRecords.withRecords(
                                        Compression.NONE,
                                        new SimpleRecord("late".getBytes(UTF_8))));
        ProduceRequestData.TopicProduceDataCollection topics =
                new ProduceRequestData.TopicProduceDataCollection();
        topics.add(
                new ProduceRequestData.TopicProduceData()
                        .setTopicId(topic)
                        .setPartitionData(List.of(partition)));
        return new ProduceRequest(
                new ProduceRequestData()
                        .setAcks((short) -1)
                        .setTimeoutMs(10_000)
                        .setTopicData(topics),
                ApiKeys.PRODUCE.latestVersion());
    }

    private static FetchRequest fetch(Uuid topic) {
        FetchRequestData.FetchPartition partition =
                new FetchRequestData.FetchPartition().setPartition(0).setPartitionMaxBytes(1000);
        return new FetchRequest(
                new FetchRequestData()
                        .setMaxBytes(1000)
                        .setTopics(
                                List.of(
                                        new FetchRequestData.FetchTopic()
                                                .setTopicId(topic)
                                                .setPartitions(List.of(partition)))),
                ApiKeys.FETCH.latestVersion());
    }

    private static Path directory(int node, String name) {
        return root.resolve("node-" + node).resolve(name);
    }

    private static String bootstrap() {
        return NODES_BY_ID.stream().map(BrokerProcess::bootstrap).collect(Collectors.joining(","));
    }

    private static Clients clients() {
        return new Clients(bootstrap());
    }

    private static String create(Clients clients, List<Integer> replicas) {
        String topic = Clients.name("replicas");
        await(
                "all nodes are in service",
                () -> Clients.get(clients.admin().describeCluster().nodes()).size() == NODES);
        Clients.get(
                clients.admin()
                        .createTopics(List.of(new NewTopic(topic, Map.of(0, replicas))))
                        .all());
        awaitInSync(clients, topic);
        return topic;
    }

    /// Makes the node the preferred leader and has it lead.
    private static void lead(Clients clients, String topic, int node) {
        List<Integer> replicas = new ArrayList<>(List.of(1, 2, 3));
        replicas.remove(Integer.valueOf(node));
        replicas.addFirst(node);
        TopicPartition partition = new TopicPartition(topic, 0);
        Clients.get(
                clients.admin()
                        .alterPartitionReassignments(
                                Map.of(
                                        partition,
                                        Optional.of(new NewPartitionReassignment(replicas))))
                        .all());
        await(
                node + " leads",
                () -> {
                    Clients.get(
                            clients.admin()
                                    .electLeaders(ElectionType.PREFERRED, Set.of(partition))
                                    .partitions());
                    Node leader = describe(clients, topic).partitions().getFirst().leader();
                    return leader != null && leader.id() == node;
                });
    }

    private static TopicDescription describe(Clients clients, String topic) {
        return Objects.requireNonNull(
                Clients.get(clients.admin().describeTopics(List.of(topic)).allTopicNames())
                        .get(topic));
    }

    private static void awaitInSync(Clients clients, String topic) {
        await(
                "all replicas are in sync",
                () -> {
                    TopicPartitionInfo partition = describe(clients, topic).partitions().getFirst();
                    return partition.isr().size() == partition.replicas().size();
                });
    }

    private static List<String> values(Clients clients, String topic) {
        return clients.readAll(topic).stream()
                .map(read -> new String(read.value(), UTF_8))
                .toList();
    }

    private static String run(KafkaTools tools, Path plan, String what) {
        return tools.run(
                        "reassign.ReassignPartitionsCommand",
                        "--bootstrap-server",
                        bootstrap(),
                        "--reassignment-json-file",
                        plan.toString(),
                        what)
                .all();
    }

    private static void await(String what, Callable<Boolean> condition) {
        Await.until(
                what,
                Await.DEADLINE,
                condition,
                () ->
                        NODES_BY_ID.stream()
                                .map(BrokerProcess::output)
                                .collect(Collectors.joining("\n---\n")));
    }
}

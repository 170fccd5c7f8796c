package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerProcess;
import dev.ottla.testkit.RawConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.requests.DescribeQuorumRequest;
import org.apache.kafka.common.requests.DescribeQuorumResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Three processes: the second and the third become voters beside the first while they serve, and
/// the quorum goes on whatever happens to one of them. Each case leaves three voters to the next
/// one.
@ExtendWith(KafkaTools.Resolver.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Order(2)
class QuorumTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int PARTITIONS = 3;

    /// What a user may have to wait after the active controller was killed. Measured: about two
    /// seconds; the machine of the test may be busy.
    private static final Duration TAKE_OVER = Duration.ofSeconds(20);

    /// In the long form a voter stands still for half a minute, and everything happens ten times.
    private static final boolean LONG = Boolean.getBoolean("ottla.long");

    private static final Duration PAUSE = LONG ? Duration.ofSeconds(30) : Duration.ZERO;
    private static final int ROUNDS = LONG ? 10 : 1;

    private static ClusterProcesses cluster;

    @BeforeAll
    static void start() {
        cluster = ClusterProcesses.start(3);
        create(cluster.bootstrap(), "before");
        cluster.awaitVoters(1, 2, 3);
        create(cluster.bootstrap(), "of-three");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Order(1)
    void aVoterThatStandsStillHoldsUpNobodyAndComesBackQuietly(boolean leads) throws IOException {
        long seed = StoredRecords.seed(QuorumTest.class);
        String topic = Clients.name("paused");
        createOfThree(cluster.bootstrap(), topic);
        try (Clients clients = new Clients(cluster.bootstrap());
                Load load = new Load(cluster.bootstrap(), topic, PARTITIONS)) {
            awaitProgress(load);
            for (int round = 0; round < ROUNDS; round++) {
                DescribeQuorumResponseData.PartitionData before = quorumSeenBy(1);
                int frozen = leads ? before.leaderId() : before.leaderId() % 3 + 1;
                long frozenNs = System.nanoTime();
                cluster.node(frozen).freeze();
                awaitLeaderBeside(frozen);
                awaitProgress(load);
                String created = Clients.name("while-frozen");
                createOfThree(others(frozen), created);
                Await.until(
                        "the pause is over",
                        PAUSE.plus(DEADLINE),
                        () -> System.nanoTime() - frozenNs >= PAUSE.toNanos());
                cluster.node(frozen).thaw();

                awaitAgreement();
                int epoch = quorumSeenBy(frozen).leaderEpoch();
                cluster.awaitTopic(frozen, created);
                awaitProgress(load);
                assertThat(quorumSeenBy(frozen).leaderEpoch()).isEqualTo(epoch);
                if (!leads) assertThat(epoch).isEqualTo(before.leaderEpoch());
            }
            load.stop();
            StoredRecords.assertIntact(clients, topic, PARTITIONS, load, seed);
        }
    }

    /// Until one of the others leads; meanwhile each of them answers soon.
    private static void awaitLeaderBeside(int frozen) {
        List<Integer> others = cluster.ids().stream().filter(id -> id != frozen).toList();
        Await.until(
                "another node than %d is the controller".formatted(frozen),
                DEADLINE,
                () -> {
                    for (int id : others) {
                        long askedNs = System.nanoTime();
                        try (RawConnection node = RawConnection.open(cluster.node(id).address())) {
                            node.request(
                                    MetadataRequest.Builder.allTopics().build(),
                                    MetadataResponse.class);
                        }
                        assertThat(Duration.ofNanos(System.nanoTime() - askedNs))
                                .isLessThan(Duration.ofSeconds(5));
                    }
                    return quorumSeenBy(others.getFirst()).leaderId() != frozen;
                },
                cluster::output);
    }

    /// Until every node names the same controller in the same epoch.
    private static void awaitAgreement() {
        Await.until(
                "all agree about the controller",
                DEADLINE,
                () -> {
                    Set<List<Integer>> seen = new HashSet<>();
                    for (int id : cluster.ids()) {
                        DescribeQuorumResponseData.PartitionData quorum = quorumSeenBy(id);
                        seen.add(List.of(quorum.leaderId(), quorum.leaderEpoch()));
                    }
                    return seen.size() == 1 && seen.iterator().next().getFirst() > 0;
                },
                cluster::output);
    }

    private static DescribeQuorumResponseData.PartitionData quorumSeenBy(int id)
            throws IOException {
        try (RawConnection node = RawConnection.open(cluster.node(id).address())) {
            DescribeQuorumResponse answer =
                    node.request(
                            new DescribeQuorumRequest.Builder(
                                            DescribeQuorumRequest.singletonRequest(
                                                    new TopicPartition("__cluster_metadata", 0)))
                                    .build(),
                            DescribeQuorumResponse.class);
            return answer.data().topics().getFirst().partitions().getFirst();
        }
    }

    private static void awaitProgress(Load load) {
        long target = load.acknowledged() + 1_000;
        Await.until(
                "records are acknowledged",
                DEADLINE,
                () -> load.acknowledged() >= target,
                () -> load.acknowledged() + "/" + target + "\n" + cluster.output());
    }

    @Test
    @Order(2)
    @Tag("config:quorum.role")
    void anotherControllerTakesOverWhenTheActiveOneIsKilled() {
        for (int round = 0; round < 2 * ROUNDS; round++) {
            int leader = leader(cluster.bootstrap());
            cluster.node(leader).kill();
            String others = others(leader);
            long killedNs = System.nanoTime();
            create(others, "after-" + round);
            Duration took = Duration.ofNanos(System.nanoTime() - killedNs);
            System.out.printf(
                    "Controller %d was killed; a topic was created %d ms later.%n",
                    leader, took.toMillis());
            assertThat(took).isLessThan(TAKE_OVER);
            assertThat(leader(others)).isNotEqualTo(leader);

            cluster.node(leader).start();
            cluster.awaitTopic(leader, "after-" + round);
            assertThat(voters().keySet()).isEqualTo(Set.of(1, 2, 3));
        }
    }

    @Test
    @Order(3)
    void kafkasToolTakesAVoterOutAndAddsItAgain(KafkaTools tools, @TempDir Path directory)
            throws IOException {
        int removed = leader(cluster.bootstrap());
        Uuid directoryId = Objects.requireNonNull(voters().get(removed));
        String out =
                quorumTool(
                        tools,
                        "remove-controller",
                        "--controller-id",
                        String.valueOf(removed),
                        "--controller-directory-id",
                        directoryId.toString());
        assertThat(out).contains("Removed");
        Await.until(
                "it copies the metadata",
                DEADLINE,
                () ->
                        !voters().containsKey(removed)
                                && quorum().observers().stream()
                                        .anyMatch(o -> o.replicaId() == removed),
                cluster::output);
        create(cluster.bootstrap(), "of-two");

        Path properties = directory.resolve("node.properties");
        Files.writeString(
                properties,
                """
                process.roles=broker,controller
                node.id=%d
                log.dirs=%s
                controller.listener.names=CONTROLLER
                listeners=PLAINTEXT://localhost:%d,CONTROLLER://localhost:1
                """
                        .formatted(removed, directory, cluster.node(removed).port()));
        Files.writeString(
                directory.resolve("meta.properties"),
                "version=1\ncluster.id=any\nnode.id=%d\ndirectory.id=%s\n"
                        .formatted(removed, directoryId));
        assertThat(quorumTool(tools, "--command-config", properties.toString(), "add-controller"))
                .contains("Added");
        cluster.awaitVoters(1, 2, 3);
    }

    private static String quorumTool(KafkaTools tools, String... words) {
        List<String> all = new ArrayList<>();
        all.addAll(List.of("--bootstrap-server", cluster.bootstrap()));
        all.addAll(List.of(words));
        return tools.run("MetadataQuorumCommand", all.toArray(String[]::new)).all();
    }

    @Test
    @Order(4)
    void aVoterThatLostItsDiskIsReplacedSoThatTheQuorumStandsTheNextFailure() {
        int lost = leader(cluster.bootstrap()) == 3 ? 2 : 3;
        Uuid directory = Objects.requireNonNull(voters().get(lost));
        cluster.node(lost).kill();
        cluster.node(lost).deleteData();
        cluster.node(lost).start();
        Await.until(
                "it votes with its new directory",
                DEADLINE,
                () -> {
                    Map<Integer, Uuid> now = voters();
                    return now.keySet().equals(Set.of(1, 2, 3)) && !directory.equals(now.get(lost));
                },
                cluster::output);

        int leader = leader(cluster.bootstrap());
        cluster.node(leader).kill();

        create(others(leader), "last");
        cluster.awaitTopic(lost, "before");
    }

    @Test
    @Order(5)
    void aNodeAloneLoadsNothingOfTheQuorumsEngine(@TempDir Path directory) throws IOException {
        Path loaded = directory.resolve("loaded");
        // What a class cache holds is loaded at once, and that of the nodes of a cluster is given
        // here.
        BrokerProcess.Options options =
                BrokerProcess.Options.of()
                        .withJvm("-XX:AOTMode=off", "-Xlog:class+load:file=" + loaded);
        try (BrokerProcess alone = BrokerProcess.start(options)) {
            create(alone.bootstrap(), "alone");

            assertThat(Files.readString(loaded))
                    .contains("dev.ottla.quorum.local.LocalMetadataLog")
                    .doesNotContain("org.apache.ratis");
        }
    }

    /// The addresses of all nodes but one.
    private static String others(int without) {
        return cluster.ids().stream()
                .filter(id -> id != without)
                .map(id -> cluster.node(id).bootstrap())
                .collect(Collectors.joining(","));
    }

    private static void create(String bootstrap, String topic) {
        create(bootstrap, new NewTopic(topic, Optional.of(1), Optional.of((short) 1)));
    }

    private static void createOfThree(String bootstrap, String topic) {
        create(
                bootstrap,
                new NewTopic(topic, Optional.of(PARTITIONS), Optional.of((short) 3))
                        .configs(Map.of("min.insync.replicas", "2")));
    }

    /// By a client that soon gives up who does not answer, and then may find its work done.
    private static void create(String bootstrap, NewTopic wanted) {
        Map<String, Object> impatient =
                Map.of(
                        AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        5_000);
        try (Admin admin = Admin.create(impatient)) {
            Clients.get(admin.createTopics(List.of(wanted)).all());
        } catch (RuntimeException | AssertionError e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof TopicExistsException) return;
            }
            throw new AssertionError(wanted.name() + " was not created\n" + output(), e);
        }
    }

    private static String output() {
        return cluster == null ? "" : cluster.output();
    }

    private static QuorumInfo quorum() {
        return ClusterProcesses.quorum(cluster.bootstrap());
    }

    /// The directories of the voters.
    private static Map<Integer, Uuid> voters() {
        return ClusterProcesses.voters(cluster.bootstrap());
    }

    private static int leader(String bootstrap) {
        return ClusterProcesses.quorum(bootstrap).leaderId();
    }
}

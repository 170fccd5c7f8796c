package dev.ottla.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/// Three nodes that all vote, with a topic of three partitions, of which each node leads one and
/// follows the others, under load. A round begins with a new topic, so that what is remembered of
/// it stays small. Owned by one test.
final class LoadedCluster implements AutoCloseable {
    private static final int NODES = 3;
    private static final int PROGRESS = 500;

    /// Three nodes and their clients share the machine with other tests.
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    final ClusterProcesses nodes;
    private final Clients clients;
    private final Admin admin;
    private final long seed;
    private String topic = "";
    private @Nullable Load load;

    /// @param nodes just started
    LoadedCluster(ClusterProcesses nodes, long seed) {
        this.nodes = nodes;
        this.seed = seed;
        clients = new Clients(nodes.bootstrap());
        // It may ask a node that stands still, which is to be given up soon.
        admin =
                Admin.create(
                        Map.of(
                                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                                nodes.bootstrap(),
                                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                                1_000));
        await("all nodes vote", () -> voters().size() == NODES);
    }

    /// From here on there is load on a new topic.
    void beginRound() {
        topic = Clients.name("topic");
        NewTopic wanted =
                new NewTopic(topic, Optional.of(NODES), Optional.of((short) NODES))
                        .configs(Map.of("min.insync.replicas", "2"));
        Clients.get(admin.createTopics(List.of(wanted)).all());
        awaitAllInSync();
        load = new Load(nodes.bootstrap(), topic, NODES, Map.of("request.timeout.ms", 3_000));
        awaitProgress();
    }

    /// The active controller.
    int controller() {
        int[] found = {-1};
        await(
                "there is a controller",
                () -> {
                    found[0] =
                            admin.describeMetadataQuorum()
                                    .quorumInfo()
                                    .get(10, TimeUnit.SECONDS)
                                    .leaderId();
                    return found[0] > 0;
                });
        return found[0];
    }

    /// The directory with which a node votes.
    Uuid voteOf(int node) {
        return Objects.requireNonNull(ClusterProcesses.voters(nodes.bootstrap()).get(node));
    }

    /// The node has lost its directory, and votes with the new one.
    void awaitVoteInPlaceOf(int node, Uuid lost) {
        await(
                "node " + node + " votes anew",
                () ->
                        admin
                                .describeMetadataQuorum()
                                .quorumInfo()
                                .get(10, TimeUnit.SECONDS)
                                .voters()
                                .stream()
                                .anyMatch(voter ->
                                        voter.replicaId() == node
                                                && !voter.replicaDirectoryId().equals(lost)));
    }

    /// The others, ascending.
    List<Integer> except(int node) {
        return IntStream.rangeClosed(1, NODES).filter(id -> id != node).boxed().toList();
    }

    /// Every partition takes writes.
    void awaitProgress() {
        Load present = load();
        List<Integer> targets =
                IntStream.range(0, NODES)
                        .mapToObj(partition -> present.acknowledged(partition).size() + PROGRESS)
                        .toList();
        await(
                "all partitions are written",
                () ->
                        IntStream.range(0, NODES)
                                .allMatch(partition ->
                                        present.acknowledged(partition).size()
                                                >= targets.get(partition)));
    }

    void awaitAllInSync() {
        await(
                "all replicas are in sync",
                () ->
                        partitions().stream()
                                .allMatch(partition -> ids(partition.isr()).size() == NODES));
    }

    /// The node leads nothing and is in no ISR.
    void awaitNobodyNeeds(int node) {
        await(
                "nobody needs node " + node,
                () ->
                        partitions().stream()
                                .allMatch(partition -> !ids(partition.isr()).contains(node)));
    }

    /// Ends the load: what was acknowledged is there, once and in order.
    void endRound() {
        Load ended = load();
        ended.stop();
        assertThat(ended.failed()).as("failed sends (seed %d)", seed).isZero();
        StoredRecords.assertIntact(clients, topic, NODES, ended, seed);
        load = null;
        Clients.get(admin.deleteTopics(List.of(topic)).all());
    }

    private Load load() {
        return Objects.requireNonNull(load);
    }

    private Set<Integer> voters() throws Exception {
        return admin
                .describeMetadataQuorum()
                .quorumInfo()
                .get(10, TimeUnit.SECONDS)
                .voters()
                .stream()
                .map(QuorumInfo.ReplicaState::replicaId)
                .collect(Collectors.toSet());
    }

    private List<TopicPartitionInfo> partitions() throws Exception {
        TopicDescription description =
                admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get(10, TimeUnit.SECONDS)
                        .get(topic);
        return description == null ? List.of() : description.partitions();
    }

    private static Set<Integer> ids(List<Node> nodes) {
        return nodes.stream().map(Node::id).collect(Collectors.toSet());
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void await(String what, Condition condition) {
        Await.until(
                what,
                DEADLINE,
                () -> {
                    try {
                        return condition.holds();
                    } catch (ExecutionException | TimeoutException e) {
                        return false; // It is asked again.
                    } catch (Exception e) {
                        throw new AssertionError(what, e);
                    }
                },
                nodes::output);
    }

    @Override
    public void close() {
        if (load != null) {
            load.close();
        }
        admin.close();
        clients.close();
    }
}

package dev.ottla.acceptance;

import dev.ottla.testkit.Await;
import dev.ottla.testkit.BrokerProcess;
import dev.ottla.testkit.RawConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;

/// A cluster as its users start it: a process for each node, node 1 first, which the others join.
/// Nodes can be stopped, killed and started again. Owned by one test.
final class ClusterProcesses implements AutoCloseable {
    /// Three of them share the machine with a test and its clients.
    private static final String[] JVM = {"-Xmx192m", "-XX:TieredStopAtLevel=1"};

    private final List<String> settings;
    private final IntFunction<BrokerProcess.Place> places;
    private final Map<Integer, BrokerProcess> nodes = new TreeMap<>();

    private ClusterProcesses(List<String> settings, IntFunction<BrokerProcess.Place> places) {
        this.settings = List.copyOf(settings);
        this.places = places;
    }

    /// Starts nodes 1 to `count` and returns when all of them serve.
    ///
    /// @param settings `key=value`, for all of them
    static ClusterProcesses start(int count, String... settings) {
        return start(count, _ -> BrokerProcess.Place.HERE, settings);
    }

    /// The same with each node at a place of its own.
    static ClusterProcesses start(
            int count, IntFunction<BrokerProcess.Place> places, String... settings) {
        ClusterProcesses cluster = new ClusterProcesses(List.of(settings), places);
        try {
            cluster.add(1);
            for (int id = 2; id <= count; id++) {
                cluster.launch(id);
            }
            cluster.nodes.values().forEach(BrokerProcess::awaitReady);
            return cluster;
        } catch (Throwable e) {
            cluster.close();
            throw e;
        }
    }

    /// Without a node yet.
    static ClusterProcesses of(String... settings) {
        return new ClusterProcesses(List.of(settings), _ -> BrokerProcess.Place.HERE);
    }

    /// Starts one more node and returns when it serves.
    ///
    /// @param own `key=value`, for this one
    BrokerProcess add(int id, String... own) {
        BrokerProcess node = launch(id, own);
        node.awaitReady();
        return node;
    }

    /// Deletes what a node that does not run has, and returns when it serves again.
    ///
    /// @param member of the cluster that it joins: without one, node 1 would begin another cluster
    void startWithoutData(int id, int member) {
        node(id).deleteData();
        node(id).launch(List.of("controller.quorum.bootstrap.servers=" + node(member).bootstrap()));
        node(id).awaitReady();
    }

    /// Starts one more node without waiting for it.
    BrokerProcess launch(int id, String... own) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(List.of(own));
        all.add("node.id=" + id);
        if (!nodes.isEmpty()) {
            all.add("controller.quorum.bootstrap.servers=" + node(1).bootstrap());
        }
        BrokerProcess node =
                BrokerProcess.launch(
                        BrokerProcess.Options.of(all.toArray(String[]::new))
                                .withJvm(JVM)
                                .at(places.apply(id)));
        nodes.put(id, node);
        return node;
    }

    BrokerProcess node(int id) {
        BrokerProcess node = nodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("no node " + id);
        }
        return node;
    }

    List<Integer> ids() {
        return List.copyOf(nodes.keySet());
    }

    /// The addresses of all nodes.
    String bootstrap() {
        return nodes.values().stream()
                .map(BrokerProcess::bootstrap)
                .collect(Collectors.joining(","));
    }

    /// Waits until these nodes vote on the metadata, and no others.
    void awaitVoters(int... ids) {
        Set<Integer> wanted = Arrays.stream(ids).boxed().collect(Collectors.toSet());
        Await.until(
                "nodes " + wanted + " vote",
                Duration.ofSeconds(60),
                () -> voters(bootstrap()).keySet().equals(wanted),
                this::output);
    }

    /// Waits until a node itself knows a topic, whoever created it.
    void awaitTopic(int nodeId, String topic) {
        Await.until(
                "node %d knows topic %s".formatted(nodeId, topic),
                Await.DEADLINE,
                () -> {
                    try (RawConnection node = RawConnection.open(node(nodeId).address())) {
                        return node
                                .request(
                                        MetadataRequest.Builder.allTopics().build(),
                                        MetadataResponse.class)
                                .topicMetadata()
                                .stream()
                                .anyMatch(found -> found.topic().equals(topic));
                    }
                },
                this::output);
    }

    /// The directories of the voters, each of which must be named once.
    static Map<Integer, Uuid> voters(String bootstrap) {
        return quorum(bootstrap).voters().stream()
                .collect(
                        Collectors.toMap(
                                QuorumInfo.ReplicaState::replicaId,
                                QuorumInfo.ReplicaState::replicaDirectoryId,
                                (one, other) -> Uuid.ZERO_UUID));
    }

    static QuorumInfo quorum(String bootstrap) {
        try (Clients clients = new Clients(bootstrap)) {
            return Clients.get(clients.admin().describeMetadataQuorum().quorumInfo());
        }
    }

    /// What all nodes printed, for the message of a failed test.
    String output() {
        return nodes.entrySet().stream()
                .map(e -> "--- node " + e.getKey() + "\n" + e.getValue().output())
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        nodes.values().forEach(BrokerProcess::close);
    }
}

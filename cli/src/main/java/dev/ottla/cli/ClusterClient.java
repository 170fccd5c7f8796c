package dev.ottla.cli;

import dev.ottla.cli.ClusterView.Node;
import dev.ottla.cli.ClusterView.Partition;
import dev.ottla.cli.ClusterView.State;
import dev.ottla.cli.ClusterView.Voter;
import dev.ottla.config.HostPort;
import dev.ottla.wire.ApiMessage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import dev.ottla.wire.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import dev.ottla.wire.message.AlterPartitionReassignmentsResponse;
import dev.ottla.wire.message.DescribeClusterRequest;
import dev.ottla.wire.message.DescribeClusterResponse;
import dev.ottla.wire.message.DescribeConfigsRequest;
import dev.ottla.wire.message.DescribeConfigsResponse;
import dev.ottla.wire.message.DescribeLogDirsRequest;
import dev.ottla.wire.message.DescribeLogDirsResponse;
import dev.ottla.wire.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import dev.ottla.wire.message.DescribeQuorumRequest;
import dev.ottla.wire.message.DescribeQuorumResponse;
import dev.ottla.wire.message.DescribeQuorumResponse.PartitionData;
import dev.ottla.wire.message.DescribeQuorumResponse.ReplicaState;
import dev.ottla.wire.message.ElectLeadersRequest;
import dev.ottla.wire.message.ElectLeadersResponse;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterableConfig;
import dev.ottla.wire.message.IncrementalAlterConfigsResponse;
import dev.ottla.wire.message.ListPartitionReassignmentsRequest;
import dev.ottla.wire.message.ListPartitionReassignmentsResponse;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataResponse;
import dev.ottla.wire.message.RemoveRaftVoterRequest;
import dev.ottla.wire.message.RemoveRaftVoterResponse;
import dev.ottla.wire.message.UnregisterBrokerRequest;
import dev.ottla.wire.message.UnregisterBrokerResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Asks a running cluster through one of its brokers, in Kafka's protocol. Owned by one thread.
final class ClusterClient implements AutoCloseable {
    private static final int BATCH = 500;
    private static final int ELECTION_MS = 20_000;

    /// Voters without a leader stand for election every two seconds.
    private static final long HEARD_MS = 5_000;

    private static final byte BROKER = 4;
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final DescribeQuorumRequest QUORUM =
            DescribeQuorumRequest.builder()
                    .topics(
                            List.of(
                                    DescribeQuorumRequest.TopicData.builder()
                                            .topicName("__cluster_metadata")
                                            .partitions(
                                                    List.of(
                                                            DescribeQuorumRequest.PartitionData
                                                                    .builder()
                                                                    .build()))
                                            .build()))
                    .build();

    /// With less a voter whose disk had no room does not vote again.
    private static final long FULL_BYTES = 4 << 20;

    private static final String ROLES = "process.roles";
    private static final String CORDONED = "cordoned.log.dirs";

    private final HostPort address;
    private final PlainConnection connection;

    private ClusterClient(HostPort address, PlainConnection connection) {
        this.address = address;
        this.connection = connection;
    }

    /// Connects to the first of `bootstrap` that answers.
    static ClusterClient open(List<HostPort> bootstrap) {
        List<String> failures = new ArrayList<>();
        for (HostPort address : bootstrap) {
            try {
                return new ClusterClient(address, connect(address.host(), address.port()));
            } catch (IOException e) {
                failures.add("%s:%d (%s)".formatted(address.host(), address.port(), reason(e)));
            }
        }
        throw new ClusterFailure(
                "no broker answers at %s. Start one, or name the address of one with --bootstrap HOST:PORT"
                        .formatted(String.join(", ", failures)));
    }

    private static PlainConnection connect(String host, int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) throw new IOException("there is no host of that name");
        PlainConnection made = new PlainConnection(address);
        try {
            made.greet();
        } catch (IOException e) {
            made.close();
            throw e;
        }
        return made;
    }

    private static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    private <R extends ApiMessage> R ask(ApiMessage request, Class<R> response) {
        try {
            return response.cast(connection.ask(request));
        } catch (IOException e) {
            throw new ClusterFailure(
                    "the broker at %s:%d does not answer any more (%s). Ask another with --bootstrap HOST:PORT"
                            .formatted(address.host(), address.port(), reason(e)));
        }
    }

    /// Whom it asks.
    HostPort address() {
        return address;
    }

    /// Everything that the commands go by.
    ClusterView view() {
        DescribeClusterResponse cluster =
                ask(
                        DescribeClusterRequest.builder().includeFencedBrokers(true).build(),
                        DescribeClusterResponse.class);
        check(cluster.errorCode(), cluster.errorMessage());
        MetadataResponse metadata =
                ask(MetadataRequest.builder().topics(null).build(), MetadataResponse.class);
        Map<Integer, State> states = states(cluster);
        Quorum quorum = quorum(cluster, states);
        // What only a controller knows would be waited for in vain.
        Map<String, Map<Integer, List<Integer>>> targets =
                quorum.leader() < 0 ? Map.of() : targets();
        List<Node> nodes = new ArrayList<>();
        for (DescribeClusterResponse.DescribeClusterBroker broker : cluster.brokers()) {
            nodes.add(
                    new Node(
                            broker.brokerId(),
                            broker.host(),
                            broker.port(),
                            Optional.ofNullable(broker.rack()),
                            states.getOrDefault(broker.brokerId(), State.SILENT)));
        }
        List<Partition> partitions = new ArrayList<>();
        for (MetadataResponse.MetadataResponseTopic topic : metadata.topics()) {
            String name = topic.name();
            if (name == null) continue;
            for (MetadataResponse.MetadataResponsePartition partition : topic.partitions()) {
                Optional<List<Integer>> target =
                        Optional.ofNullable(
                                targets.getOrDefault(name, Map.of())
                                        .get(partition.partitionIndex()));
                partitions.add(
                        new Partition(
                                name,
                                partition.partitionIndex(),
                                topic.isInternal(),
                                target.orElse(partition.replicaNodes()),
                                partition.isrNodes(),
                                partition.leaderId(),
                                target.isPresent()));
            }
        }
        return new ClusterView(
                cluster.clusterId(),
                quorum.leader(),
                quorum.voters(),
                quorum.answering(),
                nodes,
                partitions);
    }

    /// @param leader -1 when there is none
    /// @param answering ids of voters that take part; only found out when there is no leader
    private record Quorum(int leader, List<Voter> voters, List<Integer> answering) {}

    /// Who votes and who of them answers. The broker that is asked tells what it knows when no
    /// leader answers; where it is no voter, that is only who led last, so others are asked too.
    private Quorum quorum(DescribeClusterResponse cluster, Map<Integer, State> states) {
        Optional<PartitionData> told = told(ask(QUORUM, DescribeQuorumResponse.class));
        int leader = told.map(PartitionData::leaderId).orElse(-1);
        Map<Integer, Voter> voters =
                new TreeMap<>(told.map(ClusterClient::voters).orElse(Map.of()));
        if (leader >= 0) {
            return new Quorum(leader, List.copyOf(voters.values()), List.of());
        }
        Set<Integer> answering = new TreeSet<>(told.map(ClusterClient::heard).orElse(Set.of()));
        if (!answering.isEmpty()) {
            return new Quorum(-1, List.copyOf(voters.values()), List.copyOf(answering));
        }
        for (DescribeClusterResponse.DescribeClusterBroker each : cluster.brokers()) {
            if (!states.getOrDefault(each.brokerId(), State.SILENT).answers()) continue;
            answering.add(each.brokerId());
            if (voters.size() >= 2) continue;
            try (PlainConnection broker = connect(each.host(), each.port())) {
                told((DescribeQuorumResponse) broker.ask(QUORUM))
                        .ifPresent(known -> voters.putAll(voters(known)));
            } catch (IOException e) {
                // It has just died: another one may know.
            }
        }
        return new Quorum(
                -1,
                List.copyOf(voters.values()),
                voters.keySet().stream().filter(answering::contains).toList());
    }

    private static Optional<PartitionData> told(DescribeQuorumResponse quorum) {
        return quorum.topics().stream().flatMap(topic -> topic.partitions().stream()).findFirst();
    }

    /// Voters that the one who is asked hears, itself included; none where that is no voter. A node
    /// may answer and not be the voter of its id any more, for it has lost its directory.
    private static Set<Integer> heard(PartitionData quorum) {
        long newestMs =
                quorum.currentVoters().stream()
                        .mapToLong(ReplicaState::lastFetchTimestamp)
                        .max()
                        .orElse(-1);
        if (newestMs < 0) return Set.of();
        return quorum.currentVoters().stream()
                .filter(voter -> voter.lastFetchTimestamp() >= newestMs - HEARD_MS)
                .map(ReplicaState::replicaId)
                .collect(Collectors.toSet());
    }

    private static Map<Integer, Voter> voters(PartitionData quorum) {
        Map<Integer, Voter> voters = new HashMap<>();
        quorum.currentVoters()
                .forEach(voter ->
                        voters.put(
                                voter.replicaId(),
                                new Voter(voter.replicaId(), voter.replicaDirectoryId())));
        return voters;
    }

    /// Takes a vote on the metadata from a node; a controller hands over first, then this is to be
    /// asked again.
    void removeVoter(String clusterId, ClusterView.Voter voter) {
        RemoveRaftVoterResponse answer =
                ask(
                        RemoveRaftVoterRequest.builder()
                                .clusterId(clusterId)
                                .voterId(voter.nodeId())
                                .voterDirectoryId(voter.directoryId())
                                .build(),
                        RemoveRaftVoterResponse.class);
        if (answer.errorCode() == ErrorCode.VOTER_NOT_FOUND.code()
                || answer.errorCode() == ErrorCode.NOT_CONTROLLER.code()) {
            return;
        }
        check(answer.errorCode(), answer.errorMessage());
    }

    /// What all nodes do; they are asked at once, because some may stand still.
    private static Map<Integer, State> states(DescribeClusterResponse cluster) {
        Map<Integer, State> states = new ConcurrentHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (DescribeClusterResponse.DescribeClusterBroker node : cluster.brokers()) {
                threads.execute(
                        () -> states.put(node.brokerId(), state(node, cluster.clusterId())));
            }
        }
        return states;
    }

    /// A node that the cluster keeps out and that answers is a controller alone, about to be let
    /// in, or cut off from the controller.
    private static State state(
            DescribeClusterResponse.DescribeClusterBroker node, String clusterId) {
        try (PlainConnection broker = connect(node.host(), node.port())) {
            DescribeClusterResponse own =
                    (DescribeClusterResponse) broker.ask(DescribeClusterRequest.builder().build());
            if (!own.clusterId().equals(clusterId)) return State.OTHER_CLUSTER;
            if (node.isFenced()) {
                return isController(broker, node.brokerId()) ? State.CONTROLLER : State.KEPT_OUT;
            }
            List<DescribeLogDirsResult> directories = directories(broker);
            if (isCordoned(directories)) return State.DRAINED;
            return directories.stream().anyMatch(ClusterClient::isFull)
                    ? State.FULL
                    : State.RUNNING;
        } catch (IOException e) {
            return node.isFenced() ? State.STOPPED : State.SILENT;
        }
    }

    private static List<DescribeLogDirsResult> directories(PlainConnection broker)
            throws IOException {
        return ((DescribeLogDirsResponse)
                        broker.ask(DescribeLogDirsRequest.builder().topics(List.of()).build()))
                .results();
    }

    private static boolean isCordoned(List<DescribeLogDirsResult> directories) {
        return !directories.isEmpty()
                && directories.stream().allMatch(DescribeLogDirsResult::isCordoned);
    }

    private static boolean isFull(DescribeLogDirsResult directory) {
        return directory.usableBytes() >= 0 && directory.usableBytes() < FULL_BYTES;
    }

    /// Whether its roles are that of a controller alone.
    private static boolean isController(PlainConnection node, int id) throws IOException {
        DescribeConfigsRequest request =
                DescribeConfigsRequest.builder()
                        .resources(
                                List.of(
                                        DescribeConfigsRequest.DescribeConfigsResource.builder()
                                                .resourceType(BROKER)
                                                .resourceName(Integer.toString(id))
                                                .configurationKeys(List.of(ROLES))
                                                .build()))
                        .build();
        return ((DescribeConfigsResponse) node.ask(request))
                .results().stream()
                        .flatMap(result -> result.configs().stream())
                        .anyMatch(config -> "controller".equals(config.value()));
    }

    /// Where partitions that are being reassigned are going, by topic and number.
    private Map<String, Map<Integer, List<Integer>>> targets() {
        Map<String, Map<Integer, List<Integer>>> targets = new HashMap<>();
        for (ListPartitionReassignmentsResponse.OngoingTopicReassignment topic : ongoing()) {
            Map<Integer, List<Integer>> own = new HashMap<>();
            topic.partitions()
                    .forEach(partition -> {
                        List<Integer> target = new ArrayList<>(partition.replicas());
                        target.removeAll(partition.removingReplicas());
                        own.put(partition.partitionIndex(), target);
                    });
            targets.put(topic.name(), own);
        }
        return targets;
    }

    private List<ListPartitionReassignmentsResponse.OngoingTopicReassignment> ongoing() {
        ListPartitionReassignmentsResponse answer =
                ask(
                        ListPartitionReassignmentsRequest.builder().topics(null).build(),
                        ListPartitionReassignmentsResponse.class);
        check(answer.errorCode(), answer.errorMessage());
        return answer.topics();
    }

    /// Names of the partitions that are being reassigned, in order.
    Set<String> moving() {
        Set<String> names = new TreeSet<>();
        ongoing()
                .forEach(topic ->
                        topic.partitions()
                                .forEach(p -> names.add(topic.name() + "-" + p.partitionIndex())));
        return names;
    }

    /// Begins the moves of a plan.
    void reassign(List<ReplicaPlan.Move> moves) {
        for (int from = 0; from < moves.size(); from += BATCH) {
            List<ReplicaPlan.Move> part = moves.subList(from, Math.min(moves.size(), from + BATCH));
            AlterPartitionReassignmentsResponse answer =
                    ask(request(part), AlterPartitionReassignmentsResponse.class);
            check(answer.errorCode(), answer.errorMessage());
            for (AlterPartitionReassignmentsResponse.ReassignableTopicResponse topic :
                    answer.responses()) {
                topic.partitions().forEach(p -> check(p.errorCode(), p.errorMessage()));
            }
        }
    }

    private static AlterPartitionReassignmentsRequest request(List<ReplicaPlan.Move> moves) {
        Map<String, List<ReassignablePartition>> byTopic = new LinkedHashMap<>();
        for (ReplicaPlan.Move move : moves) {
            byTopic.computeIfAbsent(move.partition().topic(), _ -> new ArrayList<>())
                    .add(
                            ReassignablePartition.builder()
                                    .partitionIndex(move.partition().number())
                                    .replicas(move.replicas())
                                    .build());
        }
        List<ReassignableTopic> topics = new ArrayList<>();
        byTopic.forEach((name, partitions) ->
                topics.add(ReassignableTopic.builder().name(name).partitions(partitions).build()));
        return AlterPartitionReassignmentsRequest.builder().topics(topics).build();
    }

    /// Lets the first replicas of these partitions lead where they are in sync.
    void electPreferred(List<Partition> partitions) {
        Map<String, List<Integer>> byTopic = new LinkedHashMap<>();
        for (Partition partition : partitions) {
            byTopic.computeIfAbsent(partition.topic(), _ -> new ArrayList<>())
                    .add(partition.number());
        }
        List<ElectLeadersRequest.TopicPartitions> topics = new ArrayList<>();
        byTopic.forEach((name, numbers) ->
                topics.add(
                        ElectLeadersRequest.TopicPartitions.builder()
                                .topic(name)
                                .partitions(numbers)
                                .build()));
        ElectLeadersResponse answer =
                ask(
                        ElectLeadersRequest.builder()
                                .topicPartitions(topics)
                                .timeoutMs(ELECTION_MS)
                                .build(),
                        ElectLeadersResponse.class);
        check(answer.errorCode(), null);
    }

    /// Says whether a broker gets new replicas; kept when it restarts.
    void cordon(int nodeId, boolean cordoned) {
        IncrementalAlterConfigsResponse answer =
                ask(
                        IncrementalAlterConfigsRequest.builder()
                                .resources(
                                        List.of(
                                                AlterConfigsResource.builder()
                                                        .resourceType(BROKER)
                                                        .resourceName(Integer.toString(nodeId))
                                                        .configs(
                                                                List.of(
                                                                        AlterableConfig.builder()
                                                                                .name(CORDONED)
                                                                                .configOperation(
                                                                                        cordoned
                                                                                                ? SET
                                                                                                : DELETE)
                                                                                .value(
                                                                                        cordoned
                                                                                                ? "*"
                                                                                                : null)
                                                                                .build()))
                                                        .build()))
                                .build(),
                        IncrementalAlterConfigsResponse.class);
        answer.responses()
                .forEach(resource -> check(resource.errorCode(), resource.errorMessage()));
    }

    void unregister(int nodeId) {
        UnregisterBrokerResponse answer =
                ask(
                        UnregisterBrokerRequest.builder().brokerId(nodeId).build(),
                        UnregisterBrokerResponse.class);
        check(answer.errorCode(), answer.errorMessage());
    }

    private static void check(short code, @Nullable String message) {
        if (code == ErrorCode.NONE.code()) return;
        String name = ErrorCode.forCode(code).map(ErrorCode::name).orElse("error " + code);
        throw new ClusterFailure(
                message == null || message.isEmpty()
                        ? "the cluster refused with %s".formatted(name)
                        : message);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            // Nothing is lost with a connection that is not needed any more.
        }
    }
}

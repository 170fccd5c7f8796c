package dev.ottla.bench.client;

import dev.ottla.wire.message.DescribeQuorumRequest;
import dev.ottla.wire.message.DescribeQuorumRequest.PartitionData;
import dev.ottla.wire.message.DescribeQuorumRequest.TopicData;
import dev.ottla.wire.message.DescribeQuorumResponse;
import dev.ottla.wire.message.ElectLeadersRequest;
import dev.ottla.wire.message.MetadataRequest;
import dev.ottla.wire.message.MetadataRequest.MetadataRequestTopic;
import dev.ottla.wire.message.MetadataResponse;
import dev.ottla.wire.message.MetadataResponse.MetadataResponseBroker;
import dev.ottla.wire.message.MetadataResponse.MetadataResponsePartition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a broker says about the cluster and one topic. Immutable.
public final class ClusterState {
    /// No such broker: a partition without a leader.
    public static final int NO_LEADER = -1;

    private static final byte PREFERRED = 0;
    private static final int TIMEOUT_MS = 30_000;
    private static final String METADATA_TOPIC = "__cluster_metadata";

    private final Map<Integer, InetSocketAddress> brokers = new HashMap<>();
    private final Map<Integer, MetadataResponsePartition> partitions = new HashMap<>();

    private ClusterState(MetadataResponse answer) {
        for (MetadataResponseBroker broker : answer.brokers()) {
            brokers.put(broker.nodeId(), new InetSocketAddress(broker.host(), broker.port()));
        }
        for (var topic : answer.topics()) {
            for (MetadataResponsePartition partition : topic.partitions()) {
                partitions.put(partition.partitionIndex(), partition);
            }
        }
    }

    /// As the broker at the other end of `client` sees it.
    public static ClusterState ask(WireClient client, String topic) throws IOException {
        return new ClusterState(
                (MetadataResponse)
                        client.ask(
                                MetadataRequest.builder()
                                        .topics(
                                                List.of(
                                                        MetadataRequestTopic.builder()
                                                                .name(topic)
                                                                .build()))
                                        .allowAutoTopicCreation(false)
                                        .build()));
    }

    /// The id of the active controller, or -1 while there is none.
    public static int controller(WireClient client) throws IOException {
        return quorum(client).leaderId();
    }

    /// The epoch of the controller, which grows with each election.
    public static int controllerEpoch(WireClient client) throws IOException {
        return quorum(client).leaderEpoch();
    }

    /// How many nodes vote on the metadata.
    public static int voters(WireClient client) throws IOException {
        return quorum(client).currentVoters().size();
    }

    private static DescribeQuorumResponse.PartitionData quorum(WireClient client)
            throws IOException {
        DescribeQuorumResponse answer =
                (DescribeQuorumResponse)
                        client.ask(
                                DescribeQuorumRequest.builder()
                                        .topics(
                                                List.of(
                                                        TopicData.builder()
                                                                .topicName(METADATA_TOPIC)
                                                                .partitions(
                                                                        List.of(
                                                                                PartitionData
                                                                                        .builder()
                                                                                        .build()))
                                                                .build()))
                                        .build());
        Topics.require(answer.errorCode(), "the quorum cannot be described");
        return answer.topics().getFirst().partitions().getFirst();
    }

    /// Has every partition be led by its first replica again, where that one is in sync.
    public static void electPreferredLeaders(WireClient client) throws IOException {
        client.ask(
                ElectLeadersRequest.builder()
                        .electionType(PREFERRED)
                        .topicPartitions(null)
                        .timeoutMs(TIMEOUT_MS)
                        .build());
    }

    public int brokerCount() {
        return brokers.size();
    }

    /// The address of the partition's leader, which must be known.
    public InetSocketAddress leader(int partition) {
        InetSocketAddress address = brokers.get(leaderId(partition));
        if (address == null) {
            throw new IllegalStateException("partition " + partition + " has no leader");
        }
        return address;
    }

    /// A broker id, or [#NO_LEADER].
    public int leaderId(int partition) {
        MetadataResponsePartition state = partitions.get(partition);
        return state == null || !brokers.containsKey(state.leaderId())
                ? NO_LEADER
                : state.leaderId();
    }

    /// Whether each of `count` partitions has a leader and `replicas` replicas in sync.
    public boolean isComplete(int count, int replicas) {
        for (int partition = 0; partition < count; partition++) {
            MetadataResponsePartition state = partitions.get(partition);
            if (state == null
                    || leaderId(partition) == NO_LEADER
                    || state.isrNodes().size() < replicas) {
                return false;
            }
        }
        return true;
    }
}

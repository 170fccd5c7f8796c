package dev.ottla.bench.scenario;

import dev.ottla.bench.client.ClusterState;
import dev.ottla.bench.client.Topic;
import dev.ottla.bench.client.Topics;
import dev.ottla.bench.client.WireClient;
import dev.ottla.bench.load.BatchShape;
import dev.ottla.bench.side.RunningBroker;
import dev.ottla.bench.side.RunningCluster;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.BufferRecords;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ProduceRequest;
import dev.ottla.wire.message.ProduceRequest.PartitionProduceData;
import dev.ottla.wire.message.ProduceRequest.TopicProduceData;
import dev.ottla.wire.message.ProduceResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Waits for brokers, asking again and again at short distances.
final class Readiness {
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final Duration ANSWER_LIMIT = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration SETTLE_PAUSE = Duration.ofMillis(50);
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(30);
    private static final int TIMEOUT_MS = 10_000;

    private Readiness() {}

    /// A connection to a broker that was just started, as soon as it takes one.
    static WireClient connect(RunningBroker broker) throws IOException, InterruptedException {
        while (true) {
            try {
                return new WireClient(broker.address(), ANSWER_LIMIT);
            } catch (IOException e) {
                pause(broker);
            }
        }
    }

    /// Creates a topic and writes one record with `acks=all`; returns when it is acknowledged.
    static void firstRecord(RunningBroker broker) throws IOException, InterruptedException {
        try (WireClient client = connect(broker)) {
            Topic topic = firstTopic(broker, client);
            while (!write(client, topic, 0)) pause(broker);
        }
    }

    /// Returns once every partition of the topics answers where it ends; gives those ends, topic by
    /// topic. A broker that starts or stops may close the connection: then it is asked again.
    static List<long[]> untilAllServe(RunningBroker broker, List<Topic> topics)
            throws InterruptedException, IOException {
        List<long[]> ends = new ArrayList<>();
        while (ends.size() < topics.size()) {
            try (WireClient client = connect(broker)) {
                while (ends.size() < topics.size()) {
                    long[] found = new Topics(client).endOffsets(topics.get(ends.size()));
                    if (Topics.allServe(found)) {
                        ends.add(found);
                    } else {
                        pause(broker);
                    }
                }
            } catch (IOException e) {
                pause(broker);
            }
        }
        return ends;
    }

    /// Returns once every broker of the cluster knows all of them.
    static void allRegistered(RunningCluster cluster) throws IOException, InterruptedException {
        for (int id = 1; id <= cluster.size(); id++) {
            RunningBroker broker = cluster.broker(id);
            while (!knowsAll(broker, cluster.size())) pause(broker);
        }
    }

    /// Returns once every broker of the cluster says that all of them vote on the metadata, so that
    /// those left after a failure can choose a controller, and that all replicas of the topics are
    /// in sync on all of them.
    ///
    /// @throws IOException when they do not within `limit`
    static void untilSettled(RunningCluster cluster, List<Topic> topics, Duration limit)
            throws IOException, InterruptedException {
        long beganNs = System.nanoTime();
        for (int id = 1; id <= cluster.size(); id++) {
            while (!isSettled(cluster, id, topics)) {
                if (System.nanoTime() - beganNs > limit.toNanos()) {
                    throw new IOException(
                            "broker %d does not see all vote and all replicas in sync after %s"
                                    .formatted(id, limit));
                }
                Thread.sleep(SETTLE_PAUSE);
            }
        }
    }

    private static boolean isSettled(RunningCluster cluster, int id, List<Topic> topics) {
        try (WireClient client = new WireClient(cluster.broker(id).address(), SETTLE_LIMIT)) {
            if (ClusterState.voters(client) < cluster.size()) return false;
            for (Topic topic : topics) {
                ClusterState state = ClusterState.ask(client, topic.name());
                if (!state.isComplete(topic.partitions(), cluster.size())) return false;
            }
            return true;
        } catch (IOException e) {
            return false; // It is starting.
        }
    }

    private static boolean knowsAll(RunningBroker broker, int count) {
        try (WireClient client = new WireClient(broker.address(), ANSWER_LIMIT)) {
            return ClusterState.ask(client, "none").brokerCount() == count;
        } catch (IOException e) {
            return false; // It is starting.
        }
    }

    private static Topic firstTopic(RunningBroker broker, WireClient client)
            throws InterruptedException {
        while (true) {
            try {
                return new Topics(client).request("first", 1, 1, Map.of());
            } catch (IOException e) {
                // The broker listens before it can do this.
                pause(broker);
            }
        }
    }

    /// Whether one record was acknowledged with `acks=all`.
    static boolean write(WireClient client, Topic topic, int partitionIndex) throws IOException {
        ByteBuffer value = ByteBuffer.wrap(new byte[BatchShape.MIN_VALUE_BYTES]);
        ByteBuffer batch = new BatchBuilder().append(BatchShape.EPOCH_MS, null, value).build();
        PartitionProduceData partition =
                PartitionProduceData.builder()
                        .index(partitionIndex)
                        .records(new BufferRecords(batch))
                        .build();
        ProduceResponse response =
                (ProduceResponse)
                        client.ask(
                                ProduceRequest.builder()
                                        .acks((short) -1)
                                        .timeoutMs(TIMEOUT_MS)
                                        .topicData(
                                                List.of(
                                                        TopicProduceData.builder()
                                                                .topicId(topic.id())
                                                                .partitionData(List.of(partition))
                                                                .build()))
                                        .build());
        short error = response.responses().getFirst().partitionResponses().getFirst().errorCode();
        return error == ErrorCode.NONE.code();
    }

    private static void pause(RunningBroker broker) throws InterruptedException {
        if (!broker.isAlive()) {
            throw new IllegalStateException(broker.side().name() + " ended; see its log");
        }
        if (System.nanoTime() - broker.execNs() > LIMIT.toNanos()) {
            throw new IllegalStateException(broker.side().name() + " is not ready after " + LIMIT);
        }
        Thread.sleep(PAUSE);
    }
}

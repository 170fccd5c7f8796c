package dev.ottla.bench.client;

import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.CreateTopicsRequest;
import dev.ottla.wire.message.CreateTopicsRequest.CreatableTopic;
import dev.ottla.wire.message.CreateTopicsRequest.CreatableTopicConfig;
import dev.ottla.wire.message.CreateTopicsResponse;
import dev.ottla.wire.message.DeleteTopicsRequest;
import dev.ottla.wire.message.DeleteTopicsRequest.DeleteTopicState;
import dev.ottla.wire.message.DeleteTopicsResponse;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import dev.ottla.wire.message.IncrementalAlterConfigsRequest.AlterableConfig;
import dev.ottla.wire.message.IncrementalAlterConfigsResponse;
import dev.ottla.wire.message.ListOffsetsRequest;
import dev.ottla.wire.message.ListOffsetsRequest.ListOffsetsPartition;
import dev.ottla.wire.message.ListOffsetsRequest.ListOffsetsTopic;
import dev.ottla.wire.message.ListOffsetsResponse;
import dev.ottla.wire.message.ListOffsetsResponse.ListOffsetsPartitionResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Creates and deletes topics, and looks where their partitions end.
public final class Topics {
    /// No such offset: the partition did not answer.
    public static final long NOT_SERVED = -1;

    private static final long LATEST = -1;
    private static final byte TOPIC_RESOURCE = 2;
    private static final byte SET = 0;
    private static final byte DELETE = 1;
    private static final int TIMEOUT_MS = 300_000;
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final WireClient client;

    public Topics(WireClient client) {
        this.client = client;
    }

    /// Creates a topic and returns once every partition serves.
    public Topic create(String name, int partitions, Map<String, String> config)
            throws IOException, InterruptedException {
        Topic topic = request(name, partitions, 1, config);
        while (!allServe(endOffsets(topic))) Thread.sleep(PAUSE);
        return topic;
    }

    /// Creates a topic and returns as soon as the broker answers, which may be before its
    /// partitions can be used.
    public Topic request(String name, int partitions, int replicas, Map<String, String> config)
            throws IOException {
        List<CreatableTopicConfig> configs =
                config.entrySet().stream()
                        .map(entry ->
                                CreatableTopicConfig.builder()
                                        .name(entry.getKey())
                                        .value(entry.getValue())
                                        .build())
                        .toList();
        CreatableTopic creatable =
                CreatableTopic.builder()
                        .name(name)
                        .numPartitions(partitions)
                        .replicationFactor((short) replicas)
                        .configs(configs)
                        .build();
        CreateTopicsResponse response =
                (CreateTopicsResponse)
                        client.ask(
                                CreateTopicsRequest.builder()
                                        .topics(List.of(creatable))
                                        .timeoutMs(TIMEOUT_MS)
                                        .build());
        var result = response.topics().getFirst();
        require(result.errorCode(), "topic " + name + " cannot be created");
        return new Topic(name, result.topicId(), partitions);
    }

    public void delete(Topic topic) throws IOException {
        DeleteTopicsResponse response =
                (DeleteTopicsResponse)
                        client.ask(
                                DeleteTopicsRequest.builder()
                                        .topics(
                                                List.of(
                                                        DeleteTopicState.builder()
                                                                .name(null)
                                                                .topicId(topic.id())
                                                                .build()))
                                        .timeoutMs(TIMEOUT_MS)
                                        .build());
        require(
                response.responses().getFirst().errorCode(),
                "topic " + topic.name() + " cannot be deleted");
    }

    /// Sets keys of a topic's configuration.
    public void configure(String topic, Map<String, String> config) throws IOException {
        alter(
                topic,
                config.entrySet().stream()
                        .map(entry ->
                                AlterableConfig.builder()
                                        .name(entry.getKey())
                                        .configOperation(SET)
                                        .value(entry.getValue())
                                        .build())
                        .toList());
    }

    /// Takes back what [#configure] set.
    public void unconfigure(String topic, Set<String> keys) throws IOException {
        alter(
                topic,
                keys.stream()
                        .map(key ->
                                AlterableConfig.builder()
                                        .name(key)
                                        .configOperation(DELETE)
                                        .value(null)
                                        .build())
                        .toList());
    }

    private void alter(String topic, List<AlterableConfig> configs) throws IOException {
        if (configs.isEmpty()) return;
        AlterConfigsResource resource =
                AlterConfigsResource.builder()
                        .resourceType(TOPIC_RESOURCE)
                        .resourceName(topic)
                        .configs(configs)
                        .build();
        IncrementalAlterConfigsResponse response =
                (IncrementalAlterConfigsResponse)
                        client.ask(
                                IncrementalAlterConfigsRequest.builder()
                                        .resources(List.of(resource))
                                        .build());
        require(
                response.responses().getFirst().errorCode(),
                "topic " + topic + " cannot be configured");
    }

    /// The log end offset of each partition, or [#NOT_SERVED] where the broker does not serve it
    /// (yet).
    public long[] endOffsets(Topic topic) throws IOException {
        return endOffsets(topic.name(), topic.partitions());
    }

    public long[] endOffsets(String topic, int partitions) throws IOException {
        List<ListOffsetsPartition> asked =
                IntStream.range(0, partitions)
                        .mapToObj(partition ->
                                ListOffsetsPartition.builder()
                                        .partitionIndex(partition)
                                        .timestamp(LATEST)
                                        .build())
                        .toList();
        ListOffsetsResponse response =
                (ListOffsetsResponse)
                        client.ask(
                                ListOffsetsRequest.builder()
                                        .topics(
                                                List.of(
                                                        ListOffsetsTopic.builder()
                                                                .name(topic)
                                                                .partitions(asked)
                                                                .build()))
                                        .build());
        long[] ends = new long[partitions];
        Arrays.fill(ends, NOT_SERVED);
        for (ListOffsetsPartitionResponse partition : response.topics().getFirst().partitions()) {
            if (partition.errorCode() == ErrorCode.NONE.code()) {
                ends[partition.partitionIndex()] = partition.offset();
            }
        }
        return ends;
    }

    public static boolean allServe(long[] endOffsets) {
        return Arrays.stream(endOffsets).allMatch(end -> end != NOT_SERVED);
    }

    /// Fails with `what` unless the code says that there was no error.
    public static void require(short errorCode, String what) throws IOException {
        if (errorCode != ErrorCode.NONE.code()) {
            throw new IOException(what + ": " + ErrorCode.forCode(errorCode));
        }
    }
}

package dev.ottla.broker.handler.directory;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.ReplicaQueries;
import dev.ottla.broker.partition.ReplicaReport;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.log.DataDirectory;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.DescribeLogDirsRequest;
import dev.ottla.wire.message.DescribeLogDirsRequest.DescribableLogDirTopic;
import dev.ottla.wire.message.DescribeLogDirsResponse;
import dev.ottla.wire.message.DescribeLogDirsResponse.DescribeLogDirsPartition;
import dev.ottla.wire.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import dev.ottla.wire.message.DescribeLogDirsResponse.DescribeLogDirsTopic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// DescribeLogDirs: what is in each data directory of this broker, and how much room there is
/// (KIP-113, KIP-827, KIP-1066). Partitions that are not here are left out. One that was never
/// written has no log yet and shows with size 0.
///
/// Error per directory: KAFKA_STORAGE_ERROR.
public final class DescribeLogDirsHandler implements ApiHandler<DescribeLogDirsRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(DescribeLogDirsHandler.class);

    private final LocalDirectories directories;
    private final Supplier<ClusterImage> image;
    private final ReplicaQueries replicas;
    private final Executor background;

    /// @param background may ask file systems
    public DescribeLogDirsHandler(
            LocalDirectories directories,
            Supplier<ClusterImage> image,
            ReplicaQueries replicas,
            Executor background) {
        this.directories = directories;
        this.image = image;
        this.replicas = replicas;
        this.background = background;
    }

    @Override
    public ApiKey api() {
        return ApiKey.DESCRIBE_LOG_DIRS;
    }

    @Override
    public void handle(
            RequestContext context, DescribeLogDirsRequest request, Responder responder) {
        ClusterImage now = image.get();
        Set<PartitionKey> keys = new LinkedHashSet<>();
        List<DescribableLogDirTopic> topics = request.topics();
        if (topics == null) {
            now.topics().forEach(topic -> addAll(topic, keys));
        } else {
            for (DescribableLogDirTopic asked : topics) {
                now.topic(asked.topic())
                        .ifPresent(topic ->
                                asked.partitions().forEach(number -> add(topic, number, keys)));
            }
        }
        replicas.describe(
                keys,
                responder.guarding(reports ->
                        background.execute(
                                responder.guarded(
                                        () -> responder.respond(answer(now, keys, reports))))));
    }

    private void addAll(TopicState topic, Set<PartitionKey> keys) {
        for (int number = 0; number < topic.partitionCount(); number++) {
            add(topic, number, keys);
        }
    }

    private void add(TopicState topic, int number, Set<PartitionKey> keys) {
        if (topic.partition(number).filter(this::isHere).isPresent()) {
            keys.add(new PartitionKey(topic.id(), number));
        }
    }

    private boolean isHere(PartitionState partition) {
        return partition.replicas().has(directories.nodeId());
    }

    private DescribeLogDirsResponse answer(
            ClusterImage now, Set<PartitionKey> keys, List<ReplicaReport> reports) {
        Map<Uuid, Map<String, List<DescribeLogDirsPartition>>> contents = new HashMap<>();
        Set<PartitionKey> unopened = new LinkedHashSet<>(keys);
        for (ReplicaReport report : reports) {
            put(now, contents, report);
            unopened.remove(report.key());
        }
        for (PartitionKey key : unopened) {
            now.partition(key.topicId(), key.partition())
                    .map(state -> state.directoryOf(directories.nodeId()))
                    .ifPresent(directory ->
                            put(now, contents, new ReplicaReport(key, directory, 0, 0, false)));
        }
        List<DescribeLogDirsResult> results = new ArrayList<>();
        for (DataDirectory directory : directories.all()) {
            results.add(describe(now, directory, contents.getOrDefault(directory.id(), Map.of())));
        }
        return DescribeLogDirsResponse.builder().results(results).build();
    }

    private static void put(
            ClusterImage now,
            Map<Uuid, Map<String, List<DescribeLogDirsPartition>>> contents,
            ReplicaReport report) {
        Optional<String> topic = now.topic(report.key().topicId()).map(TopicState::name);
        if (topic.isEmpty()) {
            return;
        }
        contents.computeIfAbsent(report.directory(), _ -> new TreeMap<>())
                .computeIfAbsent(topic.get(), _ -> new ArrayList<>())
                .add(
                        DescribeLogDirsPartition.builder()
                                .partitionIndex(report.key().partition())
                                .partitionSize(report.sizeBytes())
                                .offsetLag(report.offsetLag())
                                .isFutureKey(report.isCopy())
                                .build());
    }

    private DescribeLogDirsResult describe(
            ClusterImage now,
            DataDirectory directory,
            Map<String, List<DescribeLogDirsPartition>> contents) {
        DescribeLogDirsResult.Builder result =
                DescribeLogDirsResult.builder()
                        .logDir(LocalDirectories.absolute(directory).toString());
        Optional<DataDirectory.Room> room = room(directory);
        if (room.isEmpty()) {
            return result.errorCode(ErrorCode.KAFKA_STORAGE_ERROR.code()).build();
        }
        List<DescribeLogDirsTopic> topics = new ArrayList<>();
        contents.forEach((topic, partitions) ->
                topics.add(
                        DescribeLogDirsTopic.builder().name(topic).partitions(partitions).build()));
        return result.topics(topics)
                .totalBytes(room.get().totalBytes())
                .usableBytes(room.get().usableBytes())
                .isCordoned(directories.isCordoned(directory, now))
                .build();
    }

    private static Optional<DataDirectory.Room> room(DataDirectory directory) {
        if (directory.offlineReason().isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(directory.room());
        } catch (IOException e) {
            LOG.warn("The room of data directory {} is not known: {}.", directory, e.getMessage());
            return Optional.empty();
        }
    }
}

package dev.ottla.broker.handler.directory;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.ReplicaQueries;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.log.DataDirectory;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.AlterReplicaLogDirsRequest;
import dev.ottla.wire.message.AlterReplicaLogDirsRequest.AlterReplicaLogDir;
import dev.ottla.wire.message.AlterReplicaLogDirsResponse;
import dev.ottla.wire.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirPartitionResult;
import dev.ottla.wire.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirTopicResult;
import dev.ottla.wire.message.ApiKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// AlterReplicaLogDirs: moves partitions to other data directories of this broker (KIP-113). The
/// answer comes when the moves have begun; DescribeLogDirs shows how far they are. Of a partition
/// that is named twice the last directory counts.
///
/// Errors per partition: LOG_DIR_NOT_FOUND, INVALID_REPLICA_ASSIGNMENT (the directory is cordoned),
/// KAFKA_STORAGE_ERROR, UNKNOWN_TOPIC_OR_PARTITION, REPLICA_NOT_AVAILABLE, INVALID_TOPIC_EXCEPTION
/// (the name is too long).
public final class AlterReplicaLogDirsHandler implements ApiHandler<AlterReplicaLogDirsRequest> {
    private final LocalDirectories directories;
    private final Supplier<ClusterImage> image;
    private final ReplicaQueries replicas;

    public AlterReplicaLogDirsHandler(
            LocalDirectories directories, Supplier<ClusterImage> image, ReplicaQueries replicas) {
        this.directories = directories;
        this.image = image;
        this.replicas = replicas;
    }

    private record NamedPartition(String topic, int partition) {}

    @Override
    public ApiKey api() {
        return ApiKey.ALTER_REPLICA_LOG_DIRS;
    }

    @Override
    public void handle(
            RequestContext context, AlterReplicaLogDirsRequest request, Responder responder) {
        ClusterImage now = image.get();
        Map<NamedPartition, String> paths = paths(request);
        Map<NamedPartition, ErrorCode> errors = new LinkedHashMap<>();
        Map<NamedPartition, PartitionKey> keys = new HashMap<>();
        Map<PartitionKey, Uuid> targets = new HashMap<>();
        paths.forEach((partition, path) -> {
            Optional<DataDirectory> directory = directories.named(path);
            ErrorCode error = check(now, partition, directory);
            errors.put(partition, error);
            if (error == ErrorCode.NONE) {
                PartitionKey key =
                        new PartitionKey(
                                now.topic(partition.topic()).orElseThrow().id(),
                                partition.partition());
                keys.put(partition, key);
                targets.put(key, directory.orElseThrow().id());
            }
        });
        replicas.move(
                targets,
                responder.guarding(moved -> {
                    keys.forEach((partition, key) ->
                            errors.put(
                                    partition,
                                    moved.getOrDefault(key, ErrorCode.UNKNOWN_SERVER_ERROR)));
                    responder.respond(answer(errors));
                }));
    }

    private static Map<NamedPartition, String> paths(AlterReplicaLogDirsRequest request) {
        Map<NamedPartition, String> paths = new LinkedHashMap<>();
        for (AlterReplicaLogDir directory : request.dirs()) {
            directory
                    .topics()
                    .forEach(topic ->
                            topic.partitions()
                                    .forEach(number ->
                                            paths.put(
                                                    new NamedPartition(topic.name(), number),
                                                    directory.path())));
        }
        return paths;
    }

    private ErrorCode check(
            ClusterImage now, NamedPartition partition, Optional<DataDirectory> directory) {
        if (directory.isEmpty()) {
            return ErrorCode.LOG_DIR_NOT_FOUND;
        }
        if (directories.isCordoned(directory.get(), now)) {
            return ErrorCode.INVALID_REPLICA_ASSIGNMENT;
        }
        if (directory.get().offlineReason().isPresent()) {
            return ErrorCode.KAFKA_STORAGE_ERROR;
        }
        Optional<PartitionState> state = now.partition(partition.topic(), partition.partition());
        if (state.isEmpty()) {
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        }
        return state.get().replicas().has(directories.nodeId())
                ? ErrorCode.NONE
                : ErrorCode.REPLICA_NOT_AVAILABLE;
    }

    private static AlterReplicaLogDirsResponse answer(Map<NamedPartition, ErrorCode> errors) {
        Map<String, List<AlterReplicaLogDirPartitionResult>> byTopic = new LinkedHashMap<>();
        errors.forEach((partition, error) ->
                byTopic.computeIfAbsent(partition.topic(), _ -> new ArrayList<>())
                        .add(
                                AlterReplicaLogDirPartitionResult.builder()
                                        .partitionIndex(partition.partition())
                                        .errorCode(error.code())
                                        .build()));
        List<AlterReplicaLogDirTopicResult> results = new ArrayList<>();
        byTopic.forEach((topic, partitions) ->
                results.add(
                        AlterReplicaLogDirTopicResult.builder()
                                .topicName(topic)
                                .partitions(partitions)
                                .build()));
        return AlterReplicaLogDirsResponse.builder().results(results).build();
    }
}

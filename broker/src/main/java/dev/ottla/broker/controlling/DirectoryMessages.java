package dev.ottla.broker.controlling;

import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.AssignDirectory;
import dev.ottla.metadata.controller.BrokerReply;
import dev.ottla.metadata.controller.PartitionId;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import dev.ottla.wire.message.AssignReplicasToDirsRequest;
import dev.ottla.wire.message.AssignReplicasToDirsResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which directory holds which replica, on the wire, both ways (KIP-858).
public final class DirectoryMessages {
    private DirectoryMessages() {}

    static AssignReplicasToDirsRequest request(
            BrokerIncarnation broker, List<AssignDirectory> assignments) {
        Map<Uuid, Map<Uuid, List<Integer>>> byDirectory = new LinkedHashMap<>();
        for (AssignDirectory assignment : assignments) {
            byDirectory
                    .computeIfAbsent(assignment.directory(), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(assignment.partition().topicId(), _ -> new ArrayList<>())
                    .add(assignment.partition().partition());
        }
        return AssignReplicasToDirsRequest.builder()
                .brokerId(broker.id())
                .brokerEpoch(broker.epoch())
                .directories(
                        byDirectory.entrySet().stream()
                                .map(directory ->
                                        AssignReplicasToDirsRequest.DirectoryData.builder()
                                                .id(directory.getKey())
                                                .topics(topics(directory.getValue()))
                                                .build())
                                .toList())
                .build();
    }

    private static List<AssignReplicasToDirsRequest.TopicData> topics(
            Map<Uuid, List<Integer>> partitions) {
        return partitions.entrySet().stream()
                .map(topic ->
                        AssignReplicasToDirsRequest.TopicData.builder()
                                .topicId(topic.getKey())
                                .partitions(
                                        topic.getValue().stream()
                                                .map(index ->
                                                        AssignReplicasToDirsRequest.PartitionData
                                                                .builder()
                                                                .partitionIndex(index)
                                                                .build())
                                                .toList())
                                .build())
                .toList();
    }

    public static List<AssignDirectory> read(AssignReplicasToDirsRequest request) {
        List<AssignDirectory> assignments = new ArrayList<>();
        for (AssignReplicasToDirsRequest.DirectoryData directory : request.directories()) {
            for (AssignReplicasToDirsRequest.TopicData topic : directory.topics()) {
                for (AssignReplicasToDirsRequest.PartitionData partition : topic.partitions()) {
                    assignments.add(
                            new AssignDirectory(
                                    new PartitionId(topic.topicId(), partition.partitionIndex()),
                                    directory.id()));
                }
            }
        }
        return assignments;
    }

    /// The answer to a request.
    ///
    /// @param asked what [#read] made of the request
    /// @param reply in the same order
    public static AssignReplicasToDirsResponse response(
            List<AssignDirectory> asked, BrokerReply<ApiError> reply) {
        if (!reply.error().isNone()) {
            return AssignReplicasToDirsResponse.builder()
                    .errorCode(reply.error().code().code())
                    .build();
        }
        Map<Uuid, Map<Uuid, List<AssignReplicasToDirsResponse.PartitionData>>> byDirectory =
                new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            AssignDirectory assignment = asked.get(i);
            byDirectory
                    .computeIfAbsent(assignment.directory(), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(assignment.partition().topicId(), _ -> new ArrayList<>())
                    .add(
                            AssignReplicasToDirsResponse.PartitionData.builder()
                                    .partitionIndex(assignment.partition().partition())
                                    .errorCode(reply.parts().get(i).code().code())
                                    .build());
        }
        List<AssignReplicasToDirsResponse.DirectoryData> directories = new ArrayList<>();
        byDirectory.forEach((directory, topics) ->
                directories.add(
                        AssignReplicasToDirsResponse.DirectoryData.builder()
                                .id(directory)
                                .topics(
                                        topics.entrySet().stream()
                                                .map(topic ->
                                                        AssignReplicasToDirsResponse.TopicData
                                                                .builder()
                                                                .topicId(topic.getKey())
                                                                .partitions(topic.getValue())
                                                                .build())
                                                .toList())
                                .build()));
        return AssignReplicasToDirsResponse.builder().directories(directories).build();
    }

    /// In the order of `asked`, whatever the order of the answer.
    static List<ApiError> read(AssignReplicasToDirsResponse response, List<AssignDirectory> asked) {
        Map<AssignDirectory, ErrorCode> found = new HashMap<>();
        for (AssignReplicasToDirsResponse.DirectoryData directory : response.directories()) {
            for (AssignReplicasToDirsResponse.TopicData topic : directory.topics()) {
                for (AssignReplicasToDirsResponse.PartitionData partition : topic.partitions()) {
                    found.put(
                            new AssignDirectory(
                                    new PartitionId(topic.topicId(), partition.partitionIndex()),
                                    directory.id()),
                            code(partition.errorCode()));
                }
            }
        }
        ErrorCode whole = code(response.errorCode());
        ErrorCode missing = whole == ErrorCode.NONE ? ErrorCode.UNKNOWN_SERVER_ERROR : whole;
        return asked.stream()
                .map(assignment -> error(assignment, found.getOrDefault(assignment, missing)))
                .toList();
    }

    private static ApiError error(AssignDirectory assignment, ErrorCode code) {
        if (code == ErrorCode.NONE) return ApiError.NONE;
        return ApiError.of(
                code,
                "Partition %d of topic %s cannot be in directory %s: %s",
                assignment.partition().partition(),
                assignment.partition().topicId(),
                assignment.directory(),
                code.message());
    }

    private static ErrorCode code(short code) {
        return ErrorCode.forCode(code).orElse(ErrorCode.UNKNOWN_SERVER_ERROR);
    }
}

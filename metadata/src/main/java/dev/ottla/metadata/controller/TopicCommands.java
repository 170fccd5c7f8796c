package dev.ottla.metadata.controller;

import dev.ottla.metadata.BrokerIds;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Creation and deletion of topics and partitions.
final class TopicCommands {
    private static final String METADATA_TOPIC = "__cluster_metadata";
    private static final int DEFAULT = -1;

    private final Context context;

    TopicCommands(Context context) {
        this.context = context;
    }

    Outcome<List<CreatedTopic>> create(List<CreateTopic> topics, boolean validateOnly) {
        ClusterImage image = context.image();
        NewPartitions partitions = new NewPartitions(image, context.settings().maxPartitions());
        Set<String> repeated = repeated(topics.stream().map(CreateTopic::name).toList());
        Map<String, String> names = new HashMap<>();
        List<MetadataRecord> records = new ArrayList<>();
        List<CreatedTopic> results = new ArrayList<>(topics.size());
        for (CreateTopic topic : topics) {
            try {
                if (repeated.contains(topic.name())) throw repeatedName(topic.name());
                checkName(image, topic.name(), names);
                results.add(create(image, topic, partitions, records, validateOnly));
            } catch (Refusal refusal) {
                results.add(CreatedTopic.refused(topic.name(), refusal.error()));
            }
        }
        if (!validateOnly) records.addAll(withoutRoom(image, List.copyOf(records)));
        return new Outcome<>(validateOnly ? List.of() : records, results);
    }

    /// Replicas that have no room for records and hold up new partitions leave the ISR at once.
    private List<MetadataRecord> withoutRoom(ClusterImage image, List<MetadataRecord> created) {
        boolean allRoomy =
                image.brokers().values().stream()
                        .allMatch(broker -> broker.fullDirectories().isEmpty());
        if (allRoomy) return List.of();
        ImageDelta delta = new ImageDelta(image);
        delta.replayAll(created);
        ClusterImage after = delta.apply(image.version());
        PartitionSweep sweep = new PartitionSweep(context, after);
        List<MetadataRecord> changes = new ArrayList<>();
        for (MetadataRecord record : created) {
            if (record instanceof MetadataRecord.Partition partition) {
                TopicState topic = after.topic(partition.topicId()).orElseThrow();
                PartitionState state = topic.partition(partition.partition()).orElseThrow();
                sweep.view(topic)
                        .update(partition.partition(), state, false)
                        .build()
                        .ifPresent(changes::add);
            }
        }
        return changes;
    }

    private CreatedTopic create(
            ClusterImage image,
            CreateTopic topic,
            NewPartitions partitions,
            List<MetadataRecord> records,
            boolean validateOnly)
            throws Refusal {
        Uuid id = validateOnly ? Uuid.ZERO : freshTopicId(image);
        List<MetadataRecord> own = new ArrayList<>();
        own.add(new MetadataRecord.Topic(topic.name(), id));
        int factor;
        int count;
        if (topic.assignments().isEmpty()) {
            factor = replicationFactor(image, topic, partitions);
            count = partitionCount(image, topic);
            partitions.checkReplicationFactor(topic.name(), factor);
            partitions.reserve(topic.name(), count);
            if (!validateOnly) {
                for (int i = 0; i < count; i++) own.add(partitions.place(id, i, factor));
            }
        } else {
            List<BrokerIds> assignments = assignments(topic, partitions);
            factor = assignments.getFirst().size();
            count = assignments.size();
            for (int i = 0; i < count; i++) own.add(partitions.assigned(id, i, assignments.get(i)));
        }
        own.addAll(configs(topic, factor));
        records.addAll(own);
        return new CreatedTopic(topic.name(), ApiError.NONE, id, count, factor);
    }

    private Uuid freshTopicId(ClusterImage image) {
        Uuid id = context.freshId();
        while (id.isReserved() || image.topic(id).isPresent()) id = context.freshId();
        return id;
    }

    /// @param names of topics that the same command creates, by their compared form
    private static void checkName(ClusterImage image, String name, Map<String, String> names)
            throws Refusal {
        if (name.equals(METADATA_TOPIC)) {
            throw Refusal.of(
                    ErrorCode.INVALID_REQUEST,
                    "The topic %s is kept by the cluster itself: choose another name.",
                    name);
        }
        Optional<String> problem = TopicNames.problem(name);
        if (problem.isPresent()) {
            throw new Refusal(new ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, problem.get()));
        }
        if (image.topic(name).isPresent()) {
            throw Refusal.of(
                    ErrorCode.TOPIC_ALREADY_EXISTS,
                    "Topic '%s' already exists: choose another name or delete it first.",
                    name);
        }
        String earlier = names.putIfAbsent(name.replace('_', '.'), name);
        Optional<String> colliding =
                earlier == null ? image.collidingTopic(name) : Optional.of(earlier);
        if (colliding.isPresent()) {
            throw Refusal.of(
                    ErrorCode.INVALID_TOPIC_EXCEPTION,
                    "Topic '%s' collides with the topic '%s': names must differ in more than dots"
                            + " and underscores.",
                    name,
                    colliding.get());
        }
    }

    private List<MetadataRecord> configs(CreateTopic topic, int factor) throws Refusal {
        Map<String, String> values = new TreeMap<>();
        for (var config : topic.configs().entrySet()) {
            if (config.getValue().isEmpty()) {
                throw Refusal.of(
                        ErrorCode.INVALID_CONFIG,
                        "%s of topic %s has no value: give one, or leave the key out.",
                        config.getKey(),
                        topic.name());
            }
            values.put(config.getKey(), config.getValue().get());
        }
        new ConfigRules(context).checkNewTopic(values, factor);
        ConfigResource resource = ConfigResource.topic(topic.name());
        List<MetadataRecord> records = new ArrayList<>();
        values.forEach((key, value) ->
                records.add(new MetadataRecord.Config(resource, key, Optional.of(value))));
        return records;
    }

    /// By default what the settings say; when they say nothing, no more than brokers take replicas,
    /// so that topics are created while a broker is drained.
    private int replicationFactor(ClusterImage image, CreateTopic topic, NewPartitions partitions) {
        if (topic.replicationFactor() != DEFAULT) return topic.replicationFactor();
        int factor = context.settings().defaultReplicationFactor(image);
        return context.settings().isReplicationFactorSet(image)
                ? factor
                : Math.clamp(partitions.brokerCount(), 1, factor);
    }

    private int partitionCount(ClusterImage image, CreateTopic topic) throws Refusal {
        if (topic.partitionCount() == DEFAULT) return context.settings().defaultPartitions(image);
        if (topic.partitionCount() <= 0) {
            throw Refusal.of(
                    ErrorCode.INVALID_PARTITIONS,
                    "Topic %s cannot have %d partitions: use 1 or more, or -1 for the default.",
                    topic.name(),
                    topic.partitionCount());
        }
        return topic.partitionCount();
    }

    private static List<BrokerIds> assignments(CreateTopic topic, NewPartitions partitions)
            throws Refusal {
        if (topic.replicationFactor() != DEFAULT || topic.partitionCount() != DEFAULT) {
            throw Refusal.of(
                    ErrorCode.INVALID_REQUEST,
                    "Topic %s has an assignment, so its partition count and replication factor must"
                            + " be -1, not %d and %d.",
                    topic.name(),
                    topic.partitionCount(),
                    topic.replicationFactor());
        }
        partitions.reserve(topic.name(), topic.assignments().size());
        List<BrokerIds> result = new ArrayList<>();
        int factor = -1;
        for (int i = 0; i < topic.assignments().size(); i++) {
            List<Integer> replicas = topic.assignments().get(i);
            if (replicas == null) {
                throw Refusal.of(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        "The assignment of topic %s names the partitions %s: they must be numbered"
                                + " from 0 without gaps.",
                        topic.name(),
                        new TreeMap<>(topic.assignments()).keySet());
            }
            if (i == 0) factor = replicas.size();
            partitions.checkAssignment(topic.name(), i, replicas, factor);
            result.add(BrokerIds.copyOf(replicas));
        }
        return result;
    }

    Outcome<List<TopicResult>> delete(List<String> names, List<Uuid> ids) {
        ClusterImage image = context.image();
        boolean enabled = context.settings().deleteTopicEnabled(image);
        Set<String> repeated = repeated(names);
        Set<Uuid> doomed = new HashSet<>();
        List<MetadataRecord> records = new ArrayList<>();
        List<TopicResult> results = new ArrayList<>();
        for (String name : names) {
            Optional<TopicState> topic = image.topic(name);
            Uuid id = topic.map(TopicState::id).orElse(Uuid.ZERO);
            if (repeated.contains(name)) {
                results.add(new TopicResult(name, id, repeatedName(name).error()));
            } else if (topic.isEmpty()) {
                results.add(new TopicResult(name, id, unknown(name)));
            } else {
                results.add(delete(topic.get(), enabled, doomed, records));
            }
        }
        for (Uuid id : ids) {
            results.add(
                    image.topic(id)
                            .map(topic -> delete(topic, enabled, doomed, records))
                            .orElseGet(() -> new TopicResult("", id, unknown(id))));
        }
        return new Outcome<>(records, results);
    }

    private static TopicResult delete(
            TopicState topic, boolean enabled, Set<Uuid> doomed, List<MetadataRecord> records) {
        ApiError error = ApiError.NONE;
        if (!enabled) {
            error =
                    ApiError.of(
                            ErrorCode.TOPIC_DELETION_DISABLED,
                            "Topic %s is kept: delete.topic.enable is false.",
                            topic.name());
        } else if (!doomed.add(topic.id())) {
            error = repeatedName(topic.name()).error();
        } else {
            records.add(new MetadataRecord.RemoveTopic(topic.id()));
        }
        return new TopicResult(topic.name(), topic.id(), error);
    }

    Outcome<List<TopicResult>> createPartitions(
            List<CreatePartitions> requests, boolean validateOnly) {
        ClusterImage image = context.image();
        NewPartitions partitions = new NewPartitions(image, context.settings().maxPartitions());
        Set<String> repeated = repeated(requests.stream().map(CreatePartitions::topic).toList());
        List<MetadataRecord> records = new ArrayList<>();
        List<TopicResult> results = new ArrayList<>();
        for (CreatePartitions request : requests) {
            Optional<TopicState> topic = image.topic(request.topic());
            ApiError error = ApiError.NONE;
            try {
                if (repeated.contains(request.topic())) throw repeatedName(request.topic());
                if (topic.isEmpty()) throw new Refusal(unknown(request.topic()));
                records.addAll(grow(topic.get(), request, partitions));
            } catch (Refusal refusal) {
                error = refusal.error();
            }
            Uuid id = topic.map(TopicState::id).orElse(Uuid.ZERO);
            results.add(new TopicResult(request.topic(), id, error));
        }
        if (!validateOnly) records.addAll(withoutRoom(image, List.copyOf(records)));
        return new Outcome<>(validateOnly ? List.of() : records, results);
    }

    private static List<MetadataRecord> grow(
            TopicState topic, CreatePartitions request, NewPartitions partitions) throws Refusal {
        int before = topic.partitionCount();
        int added = request.totalCount() - before;
        if (added <= 0) {
            throw Refusal.of(
                    ErrorCode.INVALID_PARTITIONS,
                    "Topic %s has %d partition(s) and cannot get %d: ask for more than it has.",
                    topic.name(),
                    before,
                    request.totalCount());
        }
        if (!request.assignments().isEmpty() && request.assignments().size() != added) {
            throw Refusal.of(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    "Topic %s would get %d new partition(s), but %d are assigned: assign each new"
                            + " one.",
                    topic.name(),
                    added,
                    request.assignments().size());
        }
        partitions.reserve(topic.name(), added);
        int factor = topic.targetReplicationFactor();
        List<MetadataRecord> records = new ArrayList<>(added);
        if (request.assignments().isEmpty()) {
            partitions.checkReplicationFactor(topic.name(), factor);
            for (int i = 0; i < added; i++) {
                records.add(partitions.place(topic.id(), before + i, factor));
            }
        } else {
            for (int i = 0; i < added; i++) {
                List<Integer> replicas = request.assignments().get(i);
                partitions.checkAssignment(topic.name(), before + i, replicas, factor);
                records.add(
                        partitions.assigned(topic.id(), before + i, BrokerIds.copyOf(replicas)));
            }
        }
        return records;
    }

    private static Set<String> repeated(List<String> names) {
        Set<String> seen = new HashSet<>();
        Set<String> repeated = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) repeated.add(name);
        }
        return repeated;
    }

    private static Refusal repeatedName(String name) {
        return Refusal.of(
                ErrorCode.INVALID_REQUEST, "Topic %s is named more than once: name it once.", name);
    }

    private static ApiError unknown(String name) {
        return ApiError.of(
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                "There is no topic '%s': check the name.",
                name);
    }

    private static ApiError unknown(Uuid id) {
        return ApiError.of(
                ErrorCode.UNKNOWN_TOPIC_ID, "There is no topic with id %s: check the id.", id);
    }
}

package dev.ottla.chaos.cluster;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;

/// What an admin client sees and does. It asks nodes that may be dead: an empty answer says that
/// there was none in time. Used by one thread at a time.
public final class ClusterState implements AutoCloseable {
    /// What took longer may have been asked twice.
    public static final int REQUEST_TIMEOUT_MS = 1_500;

    private static final int CALL_TIMEOUT_MS = 5_000;

    private final Admin admin;

    /// One partition as the cluster sees it. `leader` is -1 when it has none.
    public record Partition(
            TopicPartition name, int leader, List<Integer> replicas, Set<Integer> isr) {
        public Partition {
            replicas = List.copyOf(replicas);
            isr = Set.copyOf(isr);
        }

        public boolean isInSync() {
            return leader >= 0 && isr.size() == replicas.size();
        }
    }

    /// A node with a directory: one that lost it votes no longer, and again with a new one.
    public record Voter(int node, Uuid directory) {}

    public ClusterState(String bootstrap) {
        admin =
                Admin.create(
                        Map.of(
                                "bootstrap.servers",
                                bootstrap,
                                "request.timeout.ms",
                                REQUEST_TIMEOUT_MS,
                                "default.api.timeout.ms",
                                CALL_TIMEOUT_MS,
                                "reconnect.backoff.max.ms",
                                200,
                                "client.id",
                                "chaos-admin"));
    }

    /// Whether the topics are there now; they are to be asked for again when not.
    public boolean createTopics(List<NewTopic> topics) {
        Set<String> there = answer(admin.listTopics().names()).orElse(Set.of());
        List<NewTopic> missing =
                topics.stream().filter(topic -> !there.contains(topic.name())).toList();
        return missing.isEmpty() || done(admin.createTopics(missing).all());
    }

    /// Of all topics, internal ones too; empty when nobody answers.
    public Set<String> topicNames() {
        ListTopicsOptions all = new ListTopicsOptions().listInternal(true);
        return answer(admin.listTopics(all).names()).orElse(Set.of());
    }

    /// Whether it is certain that the topic was created.
    public boolean create(NewTopic topic) {
        return done(admin.createTopics(List.of(topic)).all());
    }

    /// Whether it is certain that the topic has the setting.
    public boolean set(String topic, String key, long value) {
        AlterConfigOp set =
                new AlterConfigOp(
                        new ConfigEntry(key, String.valueOf(value)), AlterConfigOp.OpType.SET);
        return done(admin.incrementalAlterConfigs(Map.of(resource(topic), List.of(set))).all());
    }

    /// Whether it is certain that the topic was deleted.
    public boolean delete(String topic) {
        return done(admin.deleteTopics(List.of(topic)).all());
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    /// A setting of all topics whose names begin so; empty when nobody answers.
    public Optional<Map<String, Long>> settings(String prefix, String key) {
        Optional<Set<String>> names = answer(admin.listTopics().names());
        if (names.isEmpty()) {
            return Optional.empty();
        }
        Map<String, ConfigResource> resources = new HashMap<>();
        names.get().stream()
                .filter(name -> name.startsWith(prefix))
                .forEach(name -> resources.put(name, resource(name)));
        return answer(admin.describeConfigs(resources.values()).all())
                .map(configs -> {
                    Map<String, Long> settings = new HashMap<>();
                    resources.forEach((name, resource) -> {
                        Config config = configs.get(resource);
                        if (config != null) {
                            settings.put(name, Long.parseLong(config.get(key).value()));
                        }
                    });
                    return settings;
                });
    }

    /// The active controller.
    public Optional<Integer> controller() {
        return quorum().map(QuorumInfo::leaderId).filter(id -> id >= 0);
    }

    /// Who votes on the metadata; empty when nobody answers.
    public Set<Voter> voters() {
        Set<Voter> voters = new HashSet<>();
        quorum().ifPresent(quorum ->
                quorum.voters()
                        .forEach(voter ->
                                voters.add(
                                        new Voter(voter.replicaId(), voter.replicaDirectoryId()))));
        return voters;
    }

    private Optional<QuorumInfo> quorum() {
        return answer(admin.describeMetadataQuorum().quorumInfo());
    }

    /// Brokers that may lead; empty when nobody answers.
    public Set<Integer> active() {
        return answer(admin.describeCluster().nodes())
                .map(nodes -> nodes.stream().map(Node::id).collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    /// Brokers that may lead, by their addresses for clients; empty when nobody answers.
    public Map<Integer, InetSocketAddress> brokers() {
        Map<Integer, InetSocketAddress> brokers = new HashMap<>();
        answer(admin.describeCluster().nodes())
                .ifPresent(nodes ->
                        nodes.forEach(node ->
                                brokers.put(
                                        node.id(),
                                        new InetSocketAddress(node.host(), node.port()))));
        return brokers;
    }

    /// Why the cluster would not create the topics; empty when it would.
    public Optional<String> refusal(List<NewTopic> topics) {
        try {
            admin.createTopics(topics, new CreateTopicsOptions().validateOnly(true))
                    .all()
                    .get(CALL_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /// Of all groups; empty when nobody answers.
    public Set<String> groupNames() {
        return answer(admin.listGroups().all())
                .map(groups ->
                        groups.stream().map(GroupListing::groupId).collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    /// Whether it is certain that the groups were deleted.
    public boolean deleteGroups(Set<String> groups) {
        return done(admin.deleteConsumerGroups(groups).all());
    }

    /// The node that coordinates a group.
    public Optional<Integer> coordinator(String group) {
        return answer(admin.describeConsumerGroups(List.of(group)).all())
                .map(groups -> groups.get(group))
                .map(description -> description.coordinator().id());
    }

    public List<Partition> partitions(Set<String> topics) {
        Map<String, TopicDescription> found =
                answer(admin.describeTopics(topics).allTopicNames()).orElse(Map.of());
        List<Partition> partitions = new ArrayList<>();
        found.forEach((topic, description) -> {
            for (TopicPartitionInfo info : description.partitions()) {
                Set<Integer> isr = new HashSet<>();
                info.isr().forEach(node -> isr.add(node.id()));
                Node leader = info.leader();
                partitions.add(
                        new Partition(
                                new TopicPartition(topic, info.partition()),
                                leader == null ? -1 : leader.id(),
                                info.replicas().stream().map(Node::id).toList(),
                                isr));
            }
        });
        return partitions;
    }

    /// Offsets of those partitions that answer.
    public Map<String, Long> offsets(Set<TopicPartition> partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, spec));
        var result = admin.listOffsets(asked);
        Map<String, Long> found = new HashMap<>();
        for (TopicPartition partition : partitions) {
            answer(result.partitionResult(partition))
                    .ifPresent(info -> found.put(partition.toString(), info.offset()));
        }
        return found;
    }

    /// What a group has committed; empty when nobody answers.
    public Optional<Map<String, Long>> committed(String group) {
        return answer(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .map(found -> {
                    Map<String, Long> offsets = new HashMap<>();
                    found.forEach((partition, offset) -> {
                        if (offset != null) {
                            offsets.put(partition.toString(), offset.offset());
                        }
                    });
                    return offsets;
                });
    }

    /// Asks for other replicas; false when that is refused.
    public boolean reassign(Map<TopicPartition, List<Integer>> replicas) {
        Map<TopicPartition, Optional<NewPartitionReassignment>> wanted = new HashMap<>();
        replicas.forEach((partition, ids) ->
                wanted.put(partition, Optional.of(new NewPartitionReassignment(ids))));
        return done(admin.alterPartitionReassignments(wanted).all());
    }

    /// Whether no partition of these topics moves; false too when nobody answers.
    public boolean movesAreDone(Set<String> topics) {
        return answer(admin.listPartitionReassignments().reassignments())
                .map(moves ->
                        moves.keySet().stream()
                                .noneMatch(partition -> topics.contains(partition.topic())))
                .orElse(false);
    }

    /// Asks that preferred replicas lead. Whether they do, [#partitions] tells.
    public void electPreferred(Set<TopicPartition> partitions) {
        done(admin.electLeaders(ElectionType.PREFERRED, partitions).all());
    }

    private static boolean done(KafkaFuture<Void> future) {
        try {
            future.get(CALL_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static <T> Optional<T> answer(Future<T> future) {
        try {
            return Optional.ofNullable(future.get(CALL_TIMEOUT_MS, TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty(); // It is asked again.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        admin.close(java.time.Duration.ofSeconds(1));
    }
}

package dev.ottla.metadata.controller;

import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.ServerKeys;
import dev.ottla.config.Surroundings;
import dev.ottla.config.TopicKeys;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import java.util.Map;

/// The settings that commands depend on, as an image and the controller's own file make them.
/// Settings of the broker that happens to be the controller do not count: the next controller must
/// decide the same.
final class Settings {
    private static final String FSYNC = "fsync";

    private final Map<String, String> fromFile;
    private final Machine machine;
    private Map<String, String> resolvedFrom = Map.of();
    private int resolvedBrokers;
    private ConfigResolver resolver;

    Settings(Map<String, String> fromFile, Machine machine) {
        this.fromFile = Map.copyOf(fromFile);
        this.machine = machine;
        this.resolver = resolve(Map.of(), 1);
    }

    /// Resolves again only when something changed that the values depend on.
    ConfigResolver resolver(ClusterImage image) {
        Map<String, String> forCluster = image.config(ConfigResource.CLUSTER);
        int brokers = Math.max(1, image.brokers().size());
        if (brokers != resolvedBrokers || !forCluster.equals(resolvedFrom)) {
            resolver = resolve(forCluster, brokers);
        }
        return resolver;
    }

    private ConfigResolver resolve(Map<String, String> forCluster, int brokers) {
        resolvedFrom = forCluster;
        resolvedBrokers = brokers;
        return new ConfigResolver(
                BrokerLayers.of(fromFile).withForCluster(forCluster),
                Surroundings.of(brokers, machine.processors()));
    }

    int maxPartitions() {
        return machine.maxPartitions();
    }

    int defaultPartitions(ClusterImage image) {
        return resolver(image).broker().value(ServerKeys.NUM_PARTITIONS);
    }

    int defaultReplicationFactor(ClusterImage image) {
        return resolver(image).broker().value(ServerKeys.DEFAULT_REPLICATION_FACTOR);
    }

    boolean isReplicationFactorSet(ClusterImage image) {
        return resolver(image).broker().isSet(ServerKeys.DEFAULT_REPLICATION_FACTOR);
    }

    boolean deleteTopicEnabled(ClusterImage image) {
        return resolver(image).broker().value(ServerKeys.DELETE_TOPIC_ENABLE);
    }

    /// Values of a topic, whether it exists or not.
    ConfigValues topic(ClusterImage image, String topic, int replicationFactor) {
        return resolver(image).topic(image.config(ConfigResource.topic(topic)), replicationFactor);
    }

    /// In-sync replicas without which nothing of a partition with so many replicas is committed.
    static int minInsyncReplicas(ConfigValues topic, int replicationFactor) {
        int wanted =
                topic.withReplicationFactor(replicationFactor).value(TopicKeys.MIN_INSYNC_REPLICAS);
        return Math.min(wanted, replicationFactor);
    }

    static boolean uncleanElectionEnabled(ConfigValues topic) {
        return topic.value(TopicKeys.UNCLEAN_LEADER_ELECTION_ENABLE);
    }

    /// Whether everything acknowledged is on disk, so that an unclean stop loses nothing.
    static boolean isFsync(ConfigValues topic) {
        return topic.value(TopicKeys.FLUSH_POLICY).equals(FSYNC);
    }
}

package dev.ottla.metadata.image;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.wire.Uuid;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/// The whole cluster at one metadata offset. Immutable; consecutive images share what did not
/// change. Made by [ImageDelta].
public final class ClusterImage {
    public static final ClusterImage EMPTY = new ClusterImage();

    private final ImageVersion version;
    private final Optional<Uuid> clusterId;
    private final Topics topics;
    final TreePMap<Integer, BrokerState> brokers;
    final PMap<ConfigResource, PMap<String, String>> configs;
    final TreePMap<String, Short> features;
    private final long nextProducerId;

    /// The topics, found by name, by id, and by the name with dots for underscores.
    ///
    /// @param byComparedName only names with a dot or an underscore: two that differ in these alone
    ///   would collide in the names of metrics
    record Topics(
            PMap<String, TopicState> byName,
            PMap<Uuid, TopicState> byId,
            PMap<String, String> byComparedName,
            int partitionCount) {
        static final Topics NONE =
                new Topics(HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty(), 0);
    }

    private ClusterImage() {
        this(
                ImageVersion.NONE,
                Optional.empty(),
                Topics.NONE,
                TreePMap.empty(),
                HashTreePMap.empty(),
                TreePMap.empty(),
                0);
    }

    ClusterImage(
            ImageVersion version,
            Optional<Uuid> clusterId,
            Topics topics,
            TreePMap<Integer, BrokerState> brokers,
            PMap<ConfigResource, PMap<String, String>> configs,
            TreePMap<String, Short> features,
            long nextProducerId) {
        this.version = version;
        this.clusterId = clusterId;
        this.topics = topics;
        this.brokers = brokers;
        this.configs = configs;
        this.features = features;
        this.nextProducerId = nextProducerId;
    }

    public ImageVersion version() {
        return version;
    }

    /// Empty only before the first records of a new cluster.
    public Optional<Uuid> clusterId() {
        return clusterId;
    }

    /// Registered brokers by id, ascending.
    public SortedMap<Integer, BrokerState> brokers() {
        return brokers;
    }

    public Optional<BrokerState> broker(int id) {
        return Optional.ofNullable(brokers.get(id));
    }

    /// All topics, in no order.
    public Collection<TopicState> topics() {
        return topics.byId().values();
    }

    public int topicCount() {
        return topics.byId().size();
    }

    /// Partitions of all topics together.
    public int partitionCount() {
        return topics.partitionCount();
    }

    public Optional<TopicState> topic(String name) {
        return Optional.ofNullable(topics.byName().get(name));
    }

    public Optional<TopicState> topic(Uuid id) {
        return Optional.ofNullable(topics.byId().get(id));
    }

    public Optional<PartitionState> partition(Uuid topicId, int partition) {
        return topic(topicId).flatMap(topic -> topic.partition(partition));
    }

    public Optional<PartitionState> partition(String topic, int partition) {
        return topic(topic).flatMap(found -> found.partition(partition));
    }

    /// The topic whose name differs from `name` only in dots and underscores, if there is one.
    public Optional<String> collidingTopic(String name) {
        if (!isCompared(name)) return Optional.empty();
        return Optional.ofNullable(topics.byComparedName().get(comparedName(name)))
                .filter(other -> !other.equals(name));
    }

    /// What is set on a resource itself; empty when nothing is.
    public Map<String, String> config(ConfigResource resource) {
        Map<String, String> set = configs.get(resource);
        return set == null ? Map.of() : set;
    }

    /// All resources on which something is set.
    public Collection<ConfigResource> configuredResources() {
        return configs.keySet();
    }

    /// Finalised features and their levels, by name.
    public SortedMap<String, Short> features() {
        return features;
    }

    /// The finalised level of a feature; 0 when it is off.
    public short featureLevel(String name) {
        return features.getOrDefault(name, (short) 0);
    }

    /// The first producer id that no block contains.
    public long nextProducerId() {
        return nextProducerId;
    }

    /// The records that make this image from the empty one. Made while iterating, so a large image
    /// can be written by another thread.
    public Iterable<MetadataRecord> records() {
        return () -> ImageRecords.of(this).iterator();
    }

    Topics topicMaps() {
        return topics;
    }

    static boolean isCompared(String name) {
        return name.indexOf('.') >= 0 || name.indexOf('_') >= 0;
    }

    static String comparedName(String name) {
        return name.replace('_', '.');
    }

    /// Equal content; the version does not count.
    public boolean sameContent(ClusterImage other) {
        return clusterId.equals(other.clusterId)
                && topics.equals(other.topics)
                && brokers.equals(other.brokers)
                && configs.equals(other.configs)
                && features.equals(other.features)
                && nextProducerId == other.nextProducerId;
    }

    @Override
    public String toString() {
        return "image at %d, epoch %d: %d brokers, %d topics, %d partitions"
                .formatted(
                        version.offset(),
                        version.epoch(),
                        brokers.size(),
                        topicCount(),
                        partitionCount());
    }
}

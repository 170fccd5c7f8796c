package dev.ottla.metadata.image;

import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.wire.Check;
import dev.ottla.wire.Uuid;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/// What records change in an image. This is the only code that says what a record means: the
/// controller's own state, recovery and every broker's image come from [#replay]. A record that
/// does not fit the image is a broken invariant and fails.
///
/// Owned by whoever made it until [#apply], then read only. Transaction records are dealt with
/// above: they change no image.
public final class ImageDelta {
    private final ClusterImage base;
    private final Sharing sharing = new Sharing();
    private final Map<Uuid, TopicDelta> topics = new LinkedHashMap<>();
    private final Map<String, TopicDelta> createdByName = new HashMap<>();
    private final Map<Uuid, TopicState> deleted = new LinkedHashMap<>();
    private final Set<Integer> changedBrokers = new TreeSet<>();
    private final Set<ConfigResource> changedConfigs = new LinkedHashSet<>();
    private Optional<Uuid> clusterId;
    private TreePMap<Integer, BrokerState> brokers;
    private PMap<ConfigResource, PMap<String, String>> configs;
    private TreePMap<String, Short> features;
    private long nextProducerId;

    public ImageDelta(ClusterImage base) {
        this.base = base;
        this.clusterId = base.clusterId();
        this.brokers = base.brokers;
        this.configs = base.configs;
        this.features = base.features;
        this.nextProducerId = base.nextProducerId();
    }

    /// What leads from one image to any other. [#replay] is not for its result.
    public static ImageDelta between(ClusterImage before, ClusterImage after) {
        ImageDelta delta = new ImageDelta(before);
        ImageDifference.collect(before, after, delta);
        return delta;
    }

    void created(TopicState topic) {
        topics.put(topic.id(), TopicDelta.createdAs(topic));
    }

    void changed(TopicState before, TopicState after) {
        topics.put(after.id(), TopicDelta.changedTo(before, after));
    }

    void deleted(TopicState topic) {
        deleted.put(topic.id(), topic);
    }

    void rest(ClusterImage after, Set<Integer> brokerIds, Set<ConfigResource> resources) {
        changedBrokers.addAll(brokerIds);
        changedConfigs.addAll(resources);
        clusterId = after.clusterId();
        brokers = after.brokers;
        configs = after.configs;
        features = after.features;
        nextProducerId = after.nextProducerId();
    }

    /// The image before.
    public ClusterImage base() {
        return base;
    }

    public void replayAll(Iterable<MetadataRecord> records) {
        for (MetadataRecord record : records) replay(record);
    }

    public void replay(MetadataRecord record) {
        switch (record) {
            case MetadataRecord.ClusterId r -> replay(r);
            case MetadataRecord.RegisterBroker r -> put(BrokerState.from(r));
            case MetadataRecord.UnregisterBroker r -> replay(r);
            case MetadataRecord.BrokerChange r ->
                    put(registered(r.brokerId(), r.brokerEpoch()).with(r));
            case MetadataRecord.FullDirectories r ->
                    put(registered(r.brokerId(), r.brokerEpoch()).withFull(r.directories()));
            case MetadataRecord.Topic r -> replay(r);
            case MetadataRecord.RemoveTopic r -> replay(r);
            case MetadataRecord.Partition r ->
                    topic(r.topicId()).add(r.partition(), PartitionState.from(r, sharing));
            case MetadataRecord.PartitionChange r -> replay(r);
            case MetadataRecord.ClearElr r -> replay(r);
            case MetadataRecord.Config r -> replay(r);
            case MetadataRecord.FeatureLevel r -> replay(r);
            case MetadataRecord.ProducerIds r -> replay(r);
            case MetadataRecord.NoOp _ -> {}
            case MetadataRecord.TransactionMarker _ ->
                    throw new IllegalStateException(
                            "a transaction record is no change of an image: " + record);
        }
    }

    private void replay(MetadataRecord.ClusterId record) {
        Check.check(
                clusterId.isEmpty() || clusterId.get().equals(record.id()),
                "cluster %s is renamed to %s",
                clusterId,
                record.id());
        clusterId = Optional.of(record.id());
    }

    private void replay(MetadataRecord.UnregisterBroker record) {
        registered(record.brokerId(), record.brokerEpoch());
        brokers = brokers.minus(record.brokerId());
        changedBrokers.add(record.brokerId());
    }

    private void replay(MetadataRecord.Topic record) {
        Check.check(!exists(record.topicId()), "topic %s exists already", record);
        TopicDelta topic = TopicDelta.created(TopicState.named(record.name(), record.topicId()));
        topics.put(record.topicId(), topic);
        createdByName.put(record.name(), topic);
    }

    private void replay(MetadataRecord.RemoveTopic record) {
        TopicDelta topic = topic(record.topicId());
        topics.remove(record.topicId());
        createdByName.remove(topic.name(), topic);
        topic.before().ifPresent(before -> deleted.put(before.id(), before));
        ConfigResource resource = ConfigResource.topic(topic.name());
        if (configs.containsKey(resource)) {
            configs = configs.minus(resource);
            changedConfigs.add(resource);
        }
    }

    private void replay(MetadataRecord.PartitionChange record) {
        TopicDelta topic = topic(record.topicId());
        PartitionState before = topic.current(record.partition());
        topic.replace(record.partition(), before.with(record, sharing));
    }

    private void replay(MetadataRecord.ClearElr record) {
        if (!record.topicName().isEmpty()) {
            TopicDelta created = createdByName.get(record.topicName());
            clearElr(
                    created != null
                            ? created
                            : topic(base.topic(record.topicName()).orElseThrow().id()));
            return;
        }
        for (TopicState topic : base.topics()) {
            if (!deleted.containsKey(topic.id()) && hasElr(topic)) topic(topic.id());
        }
        topics.values().forEach(ImageDelta::clearElr);
    }

    private static void clearElr(TopicDelta topic) {
        for (int i = 0; i < topic.partitionCount(); i++) {
            PartitionState state = topic.current(i);
            if (hasElr(state)) topic.replace(i, state.withoutElr());
        }
    }

    private static boolean hasElr(TopicState topic) {
        return topic.partitions().stream().anyMatch(ImageDelta::hasElr);
    }

    private static boolean hasElr(PartitionState state) {
        return !state.elr().isEmpty() || !state.lastKnownElr().isEmpty();
    }

    private void replay(MetadataRecord.Config record) {
        PMap<String, String> before = configs.getOrDefault(record.resource(), HashTreePMap.empty());
        PMap<String, String> after =
                record.value().isPresent()
                        ? before.plus(record.name(), record.value().get())
                        : before.minus(record.name());
        configs =
                after.isEmpty()
                        ? configs.minus(record.resource())
                        : configs.plus(record.resource(), after);
        changedConfigs.add(record.resource());
    }

    private void replay(MetadataRecord.FeatureLevel record) {
        features =
                record.level() == 0
                        ? features.minus(record.name())
                        : features.plus(record.name(), record.level());
    }

    private void replay(MetadataRecord.ProducerIds record) {
        Check.check(
                record.nextProducerId() >= nextProducerId,
                "producer ids go back from %d to %d",
                nextProducerId,
                record.nextProducerId());
        nextProducerId = record.nextProducerId();
    }

    private void put(BrokerState broker) {
        brokers = brokers.plus(broker.id(), broker);
        changedBrokers.add(broker.id());
    }

    private BrokerState registered(int id, long epoch) {
        BrokerState broker = brokers.get(id);
        Check.check(broker != null, "broker %d is not registered", id);
        if (broker == null || broker.epoch() != epoch) {
            throw new IllegalStateException(
                    "broker %d has another epoch than %d: %s".formatted(id, epoch, broker));
        }
        return broker;
    }

    private boolean exists(Uuid topicId) {
        return topics.containsKey(topicId)
                || (!deleted.containsKey(topicId) && base.topic(topicId).isPresent());
    }

    private TopicDelta topic(Uuid id) {
        TopicDelta delta = topics.get(id);
        if (delta != null) return delta;
        Check.check(!deleted.containsKey(id), "topic %s was deleted", id);
        TopicState before =
                base.topic(id)
                        .orElseThrow(() -> new IllegalStateException("there is no topic " + id));
        TopicDelta changed = TopicDelta.changed(before);
        topics.put(id, changed);
        return changed;
    }

    /// The image after all records that were replayed.
    public ClusterImage apply(ImageVersion version) {
        return new ClusterImage(
                version, clusterId, applyTopics(), brokers, configs, features, nextProducerId);
    }

    private ClusterImage.Topics applyTopics() {
        ClusterImage.Topics maps = base.topicMaps();
        if (topics.isEmpty() && deleted.isEmpty()) return maps;
        PMap<String, TopicState> byName = maps.byName();
        PMap<Uuid, TopicState> byId = maps.byId();
        PMap<String, String> compared = maps.byComparedName();
        int partitionCount = maps.partitionCount();
        for (TopicState gone : deleted.values()) {
            byName = byName.minus(gone.name());
            byId = byId.minus(gone.id());
            compared = compared.minus(ClusterImage.comparedName(gone.name()));
            partitionCount -= gone.partitionCount();
        }
        for (TopicDelta delta : topics.values()) {
            TopicState now = delta.apply();
            byName = byName.plus(now.name(), now);
            byId = byId.plus(now.id(), now);
            if (delta.isCreated() && ClusterImage.isCompared(now.name())) {
                compared = compared.plus(ClusterImage.comparedName(now.name()), now.name());
            }
            partitionCount +=
                    now.partitionCount() - delta.before().map(TopicState::partitionCount).orElse(0);
        }
        return new ClusterImage.Topics(byName, byId, compared, partitionCount);
    }

    /// Topics that were created or in which partitions changed.
    public Map<Uuid, TopicDelta> changedTopics() {
        return Collections.unmodifiableMap(topics);
    }

    /// Topics of the base that are gone, as they were. A name may have been used again since.
    public Map<Uuid, TopicState> deletedTopics() {
        return Collections.unmodifiableMap(deleted);
    }

    /// Brokers that registered, changed or left.
    public Set<Integer> changedBrokers() {
        return Collections.unmodifiableSet(changedBrokers);
    }

    /// Resources on which settings changed; those of deleted topics included.
    public Set<ConfigResource> changedConfigs() {
        return Collections.unmodifiableSet(changedConfigs);
    }

    public boolean featuresChanged() {
        return !features.equals(base.features);
    }

    public boolean isEmpty() {
        return topics.isEmpty()
                && deleted.isEmpty()
                && changedBrokers.isEmpty()
                && changedConfigs.isEmpty()
                && !featuresChanged()
                && clusterId.equals(base.clusterId())
                && nextProducerId == base.nextProducerId();
    }
}

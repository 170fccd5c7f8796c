package dev.ottla.broker.settings;

import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigNotes;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.Scope;
import dev.ottla.config.Surroundings;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.TopicState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The broker's configuration with everything that was changed at run time. Read by any thread; the
/// metadata thread brings the changes.
public final class BrokerConfig {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerConfig.class);

    private record CachedTopic(
            ConfigResolver resolver,
            Map<String, String> overrides,
            int replicas,
            TopicSettings settings) {}

    private static final ConfigResource FOR_ALL =
            new ConfigResource(ConfigResource.Type.BROKER, "");

    private final int brokerId;

    /// Replaced as a whole by the metadata thread, read by all; a reader may use the one before for
    /// a moment.
    private volatile ConfigResolver resolver;

    /// By topic name. Whoever misses computes; an entry is used only for the very settings that it
    /// was made of, so nobody has to remove it when they change. Entries of deleted topics are
    /// removed by the metadata thread.
    private final Map<String, CachedTopic> topics = new ConcurrentHashMap<>();

    private final List<Consumer<ConfigResolver>> listeners = new CopyOnWriteArrayList<>();

    /// @param fromFile what the broker was started with
    public BrokerConfig(int brokerId, ConfigResolver fromFile) {
        this.brokerId = brokerId;
        this.resolver = fromFile;
    }

    /// All layers in force now.
    public ConfigResolver resolver() {
        return resolver;
    }

    /// The broker's values in force now.
    public ConfigValues broker() {
        return resolver.broker();
    }

    /// `listener` hears of every change of the broker's values, on the metadata thread, and of the
    /// present ones at once.
    public void onChange(Consumer<ConfigResolver> listener) {
        listeners.add(listener);
        listener.accept(resolver);
    }

    /// The settings of `topic` in `image`.
    public TopicSettings topic(TopicState topic, ClusterImage image) {
        Map<String, String> overrides = image.config(ConfigResource.topic(topic.name()));
        int replicas = topic.replicationFactor();
        ConfigResolver current = resolver;
        CachedTopic cached = topics.get(topic.name());
        if (cached != null
                && cached.resolver == current
                && cached.replicas == replicas
                && cached.overrides.equals(overrides)) {
            return cached.settings;
        }
        TopicSettings settings =
                TopicSettings.of(
                        topic.name(), current.topic(overrides, replicas), current.broker());
        topics.put(topic.name(), new CachedTopic(current, overrides, replicas, settings));
        return settings;
    }

    /// Takes over what `image` says. Before anything else reads.
    public void begin(ClusterImage image) {
        reload(image);
    }

    /// Whether `delta` changes the broker's own values. On the metadata thread, before the image is
    /// published.
    public boolean onImage(ImageDelta delta, ClusterImage image) {
        delta.deletedTopics().values().forEach(topic -> topics.remove(topic.name()));
        boolean changed =
                delta.changedConfigs().contains(FOR_ALL)
                        || delta.changedConfigs().contains(ConfigResource.broker(brokerId))
                        || Math.max(1, image.brokers().size()) != resolver.surroundings().brokers();
        if (changed) {
            BrokerLayers before = resolver.layers();
            reload(image);
            noteNewKeys(before.forCluster(), resolver.layers().forCluster());
            noteNewKeys(before.forBroker(), resolver.layers().forBroker());
        }
        return changed;
    }

    /// Kafka takes any broker key at run time, also a mistyped one; the log is where it shows.
    private static void noteNewKeys(Map<String, String> before, Map<String, String> now) {
        Map<String, String> added = new HashMap<>(now);
        added.keySet().removeAll(before.keySet());
        ConfigNotes.on(Scope.BROKER, added).forEach(LOG::warn);
    }

    private void reload(ClusterImage image) {
        ConfigResolver before = resolver;
        resolver =
                new ConfigResolver(
                        before.layers()
                                .withForCluster(image.config(FOR_ALL))
                                .withForBroker(image.config(ConfigResource.broker(brokerId))),
                        Surroundings.of(
                                Math.max(1, image.brokers().size()),
                                before.surroundings().processors()));
        ConfigResolver now = resolver;
        listeners.forEach(listener -> listener.accept(now));
    }
}

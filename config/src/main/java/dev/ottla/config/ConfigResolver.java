package dev.ottla.config;

import dev.ottla.config.BrokerLayers.Layer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// Layers settings over defaults with Kafka's precedence: what the topic, group or listener sets
/// itself, then this broker's dynamic settings, those for all brokers, the file, the defaults.
/// Within one layer a key comes before its synonyms. A stored value that its key does not take is
/// passed over and reported by [#problems].
///
/// Immutable: a change of any layer or of the surroundings makes a new one, at the cost of one pass
/// over the table.
public final class ConfigResolver {
    private final ConfigTable table = ConfigTable.table();
    private final BrokerLayers layers;
    private final Surroundings surroundings;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final ConfigValues broker;
    private final Map<Scope, Map<ConfigKey<?>, Setting>> shared = new HashMap<>();

    public ConfigResolver(BrokerLayers layers, Surroundings surroundings) {
        this.layers = layers;
        for (Scope scope : Scope.values()) {
            shared.put(scope, resolveAll(scope));
        }
        int replicas =
                new ConfigValues(shared(Scope.BROKER), Map.of(), surroundings)
                        .value(ServerKeys.DEFAULT_REPLICATION_FACTOR);
        this.surroundings = surroundings.withReplicationFactor(Math.max(1, replicas));
        this.broker = new ConfigValues(shared(Scope.BROKER), Map.of(), this.surroundings);
    }

    public BrokerLayers layers() {
        return layers;
    }

    public Surroundings surroundings() {
        return surroundings;
    }

    /// Settings of the broker that were passed over because their keys do not take them.
    public List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    /// The broker's own values.
    public ConfigValues broker() {
        return broker;
    }

    /// The node id that the operator chose, by either of its two names.
    public OptionalInt nodeId() {
        int brokerId = broker.value(ServerKeys.BROKER_ID);
        Optional<Integer> nodeId = broker.optional(ServerKeys.NODE_ID);
        return nodeId.isEmpty() && brokerId < 0
                ? OptionalInt.empty()
                : OptionalInt.of(nodeId.orElse(brokerId));
    }

    /// The broker's values as `listener.name.LISTENER.` overrides them for one listener, its name
    /// in any case.
    public ConfigValues listener(String listenerName) {
        String prefix = "listener.name." + listenerName.toLowerCase(Locale.ROOT) + ".";
        Map<String, String> own = new HashMap<>();
        for (Layer layer : layers.descending().reversed()) {
            layer.settings()
                    .forEach((name, text) -> {
                        if (name.startsWith(prefix)) {
                            own.put(name.substring(prefix.length()), text);
                        }
                    });
        }
        return overridden(Scope.BROKER, own, ConfigSource.STATIC_BROKER, surroundings);
    }

    /// Values of a topic with what it sets itself.
    ///
    /// @param replicationFactor of the topic; some defaults depend on it
    public ConfigValues topic(Map<String, String> overrides, int replicationFactor) {
        return overridden(
                Scope.TOPIC,
                overrides,
                ConfigSource.TOPIC,
                surroundings.withReplicationFactor(Math.max(1, replicationFactor)));
    }

    /// Values of a group with what it sets itself, moved into the bounds that the broker sets.
    public ConfigValues group(Map<String, String> overrides) {
        Map<ConfigKey<?>, Setting> own = parsed(Scope.GROUP, overrides, ConfigSource.GROUP);
        return new ConfigValues(
                shared(Scope.GROUP),
                GroupLimits.clamp(own, groupAsSet(overrides), broker),
                surroundings);
    }

    /// The same before they are moved into the bounds.
    ConfigValues groupAsSet(Map<String, String> overrides) {
        return overridden(Scope.GROUP, overrides, ConfigSource.GROUP, surroundings);
    }

    /// Values of a subscription to client metrics.
    public ConfigValues clientMetrics(Map<String, String> overrides) {
        return overridden(
                Scope.CLIENT_METRICS, overrides, ConfigSource.CLIENT_METRICS, surroundings);
    }

    private ConfigValues overridden(
            Scope scope, Map<String, String> overrides, ConfigSource source, Surroundings around) {
        return new ConfigValues(shared(scope), parsed(scope, overrides, source), around);
    }

    private Map<ConfigKey<?>, Setting> parsed(
            Scope scope, Map<String, String> overrides, ConfigSource source) {
        Map<ConfigKey<?>, Setting> settings = new HashMap<>();
        overrides.forEach((name, text) ->
                table.find(scope, name)
                        .ifPresent(key ->
                                key.parse(text)
                                        .ifPresent(value ->
                                                settings.put(
                                                        key,
                                                        new Setting(
                                                                new Value.Fixed<>(value),
                                                                source)))));
        return settings.isEmpty() ? Map.of() : settings;
    }

    private Map<ConfigKey<?>, Setting> shared(Scope scope) {
        return shared.getOrDefault(scope, Map.of());
    }

    private Map<ConfigKey<?>, Setting> resolveAll(Scope scope) {
        Map<ConfigKey<?>, Setting> settings = new HashMap<>();
        for (ConfigKey<?> key : table.keys(scope)) {
            settings.put(key, resolve(key));
        }
        return settings;
    }

    private <T> Setting resolve(ConfigKey<T> key) {
        for (Layer layer : layers.descending()) {
            Optional<T> value = fromLayer(key, layer.settings());
            if (value.isPresent()) {
                return new Setting(new Value.Fixed<>(value.get()), layer.source());
            }
        }
        return new Setting(fallback(key), ConfigSource.DEFAULT);
    }

    private <T> Optional<T> fromLayer(ConfigKey<T> key, Map<String, String> settings) {
        if (key.scope() == Scope.BROKER) {
            String text = settings.get(key.name());
            if (text != null) {
                key.check(text).ifPresent(problems::add);
                Optional<T> value = key.parse(text);
                if (value.isPresent()) {
                    return value;
                }
            }
        }
        for (Synonym<?, T> synonym : key.synonyms()) {
            Optional<T> value =
                    Optional.ofNullable(settings.get(synonym.key().name())).flatMap(synonym::parse);
            if (value.isPresent()) {
                return value;
            }
        }
        return Optional.empty();
    }

    private static <T> Value<T> fallback(ConfigKey<T> key) {
        if (!(key.defaultValue() instanceof Value.Absent<T>)) {
            return key.defaultValue();
        }
        for (Synonym<?, T> synonym : key.synonyms()) {
            if (!(synonym.fallback() instanceof Value.Absent<T>)) {
                return synonym.fallback();
            }
        }
        return key.defaultValue();
    }
}

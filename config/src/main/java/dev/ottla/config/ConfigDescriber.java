package dev.ottla.config;

import dev.ottla.config.BrokerLayers.Layer;
import dev.ottla.config.ConfigEntry.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/// Lists the keys of a resource as DescribeConfigs answers them: value, source, and every place
/// that sets it. Internal keys appear only when set. Immutable.
///
/// Kafka leaves out synonyms unless the key itself is set somewhere; here they are always listed,
/// so that a retention that comes from `log.retention.hours` says so.
public final class ConfigDescriber {
    private final ConfigTable table = ConfigTable.table();
    private final ConfigResolver resolver;
    private final OptionalInt nodeId;
    private final List<ConfigKey<?>> finestUnits;

    public ConfigDescriber(ConfigResolver resolver) {
        this(resolver, OptionalInt.empty());
    }

    /// @param nodeId of the broker that is described; shown where the operator left it out
    public ConfigDescriber(ConfigResolver resolver, int nodeId) {
        this(resolver, OptionalInt.of(nodeId));
    }

    private ConfigDescriber(ConfigResolver resolver, OptionalInt nodeId) {
        this.resolver = resolver;
        this.nodeId = nodeId;
        this.finestUnits =
                table.keys(Scope.BROKER).stream().filter(key -> !key.synonyms().isEmpty()).toList();
    }

    /// All keys of the broker, and those it sets for single listeners.
    public List<ConfigEntry> broker() {
        Map<String, ConfigEntry> entries = new TreeMap<>();
        table.keys(Scope.BROKER).forEach(key -> addBrokerEntry(entries, key, key.name()));
        for (Layer layer : resolver.layers().descending()) {
            for (String name : layer.settings().keySet()) {
                table.findForListener(name).ifPresent(key -> addBrokerEntry(entries, key, name));
            }
        }
        return List.copyOf(entries.values());
    }

    /// What is set at run time for all brokers, and nothing else.
    public List<ConfigEntry> cluster() {
        Map<String, ConfigEntry> entries = new TreeMap<>();
        resolver.layers()
                .forCluster()
                .forEach((name, text) ->
                        table.findForListener(name)
                                .ifPresent(key -> {
                                    ConfigSource source = ConfigSource.DYNAMIC_DEFAULT_BROKER;
                                    Origin origin = new Origin(name, shown(key, text), source);
                                    entries.put(
                                            name,
                                            new ConfigEntry(
                                                    name,
                                                    key,
                                                    origin.value(),
                                                    source,
                                                    readOnly(key),
                                                    List.of(origin)));
                                }));
        return List.copyOf(entries.values());
    }

    /// All keys of a topic.
    ///
    /// @param overrides what the topic sets itself
    public List<ConfigEntry> topic(Map<String, String> overrides, int replicationFactor) {
        return entries(
                Scope.TOPIC,
                overrides,
                ConfigSource.TOPIC,
                resolver.topic(overrides, replicationFactor));
    }

    /// All keys of a group.
    ///
    /// @param overrides what the group sets itself
    public List<ConfigEntry> group(Map<String, String> overrides) {
        return entries(Scope.GROUP, overrides, ConfigSource.GROUP, resolver.group(overrides));
    }

    /// All keys of a subscription.
    ///
    /// @param overrides what the subscription sets itself
    public List<ConfigEntry> clientMetrics(Map<String, String> overrides) {
        return entries(
                Scope.CLIENT_METRICS,
                overrides,
                ConfigSource.CLIENT_METRICS,
                resolver.clientMetrics(overrides));
    }

    private void addBrokerEntry(Map<String, ConfigEntry> entries, ConfigKey<?> key, String name) {
        List<String> names = new ArrayList<>(List.of(name));
        if (!name.equals(key.name())) {
            names.add(key.name());
        }
        family(key).forEach(other -> names.add(other.name()));
        List<Origin> origins = origins(names);
        Optional<String> value =
                origins.stream()
                        .filter(o -> o.name().equals(name))
                        .findFirst()
                        .flatMap(Origin::value);
        ConfigSource source =
                origins.isEmpty() ? ConfigSource.DEFAULT : origins.getFirst().source();
        if (source == ConfigSource.DEFAULT
                && nodeId.isPresent()
                && (key == ServerKeys.NODE_ID || key == ServerKeys.BROKER_ID)) {
            value = Optional.of(Integer.toString(nodeId.getAsInt()));
        }
        if (!key.internal() || source != ConfigSource.DEFAULT) {
            entries.put(name, new ConfigEntry(name, key, value, source, readOnly(key), origins));
        }
    }

    private List<ConfigEntry> entries(
            Scope scope, Map<String, String> overrides, ConfigSource source, ConfigValues values) {
        List<ConfigEntry> entries = new ArrayList<>();
        for (ConfigKey<?> key : table.keys(scope)) {
            List<Origin> origins = new ArrayList<>();
            Optional.ofNullable(overrides.get(key.name()))
                    .ifPresent(
                            text -> origins.add(new Origin(key.name(), shown(key, text), source)));
            origins.addAll(
                    origins(key.synonyms().stream().map(synonym -> synonym.key().name()).toList()));
            if (key.synonyms().isEmpty()) {
                defaultText(key)
                        .ifPresent(text ->
                                origins.add(
                                        new Origin(
                                                key.name(),
                                                Optional.of(text),
                                                ConfigSource.DEFAULT)));
            }
            if (!key.internal() || overrides.containsKey(key.name())) {
                Optional<String> value = values.text(key).flatMap(text -> shown(key, text));
                entries.add(
                        new ConfigEntry(
                                key.name(), key, value, values.source(key), false, origins));
            }
        }
        return List.copyOf(entries);
    }

    /// Every setting of the broker keys of these names, highest precedence first, then their
    /// defaults.
    private List<Origin> origins(List<String> names) {
        List<Origin> origins = new ArrayList<>();
        for (Layer layer : resolver.layers().descending()) {
            for (String name : names) {
                String text = layer.settings().get(name);
                Optional<ConfigKey<?>> key = table.findForListener(name);
                if (text != null && key.isPresent() && key.get().check(text).isEmpty()) {
                    origins.add(new Origin(name, shown(key.get(), text), layer.source()));
                }
            }
        }
        for (String name : names) {
            table.find(Scope.BROKER, name)
                    .flatMap(this::defaultText)
                    .ifPresent(text ->
                            origins.add(new Origin(name, Optional.of(text), ConfigSource.DEFAULT)));
        }
        return origins;
    }

    /// The other keys that set the same thing in another unit, finest unit first.
    private List<ConfigKey<?>> family(ConfigKey<?> key) {
        List<ConfigKey<?>> family = new ArrayList<>();
        for (ConfigKey<?> head : finestUnits) {
            List<ConfigKey<?>> members = new ArrayList<>(List.of(head));
            head.synonyms().forEach(synonym -> members.add(synonym.key()));
            if (members.remove(key)) {
                family.addAll(members);
            }
        }
        return family;
    }

    private <T> Optional<String> defaultText(ConfigKey<T> key) {
        return key.defaultIn(resolver.surroundings())
                .map(key.type()::format)
                .flatMap(text -> shown(key, text));
    }

    private static boolean readOnly(ConfigKey<?> key) {
        return key.dynamicMode() == DynamicMode.READ_ONLY;
    }

    private static Optional<String> shown(ConfigKey<?> key, String text) {
        return key.sensitive() ? Optional.empty() : Optional.of(text);
    }
}

package dev.ottla.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Every key that Ottla knows, by scope and name. Immutable.
public final class ConfigTable {
    private static final ConfigTable KEYS = new ConfigTable(areas());
    static final String LISTENER_PREFIX = "listener.name.";

    private final Map<Scope, Map<String, ConfigKey<?>>> byScope = new EnumMap<>(Scope.class);
    private final List<KeyArea> areas;

    private ConfigTable(List<KeyArea> areas) {
        this.areas = areas;
        for (Scope scope : Scope.values()) {
            byScope.put(scope, new TreeMap<>());
        }
        for (KeyArea area : areas) {
            for (ConfigKey<?> key : area.keys()) {
                if (byName(area.scope()).put(key.name(), key) != null) {
                    throw new IllegalStateException(
                            "%s key %s is declared twice".formatted(area.scope(), key));
                }
            }
        }
    }

    /// The one table.
    public static ConfigTable table() {
        return KEYS;
    }

    /// Keys of a scope in the order of their names.
    public Collection<ConfigKey<?>> keys(Scope scope) {
        return Collections.unmodifiableCollection(byName(scope).values());
    }

    /// The key of that exact name.
    public Optional<ConfigKey<?>> find(Scope scope, String name) {
        return Optional.ofNullable(byName(scope).get(name));
    }

    /// The broker key that `name` sets: the key itself, or the one behind
    /// `listener.name.LISTENER.`, with or without a SASL mechanism between.
    public Optional<ConfigKey<?>> findForListener(String name) {
        Optional<ConfigKey<?>> exact = find(Scope.BROKER, name);
        if (exact.isPresent() || !name.startsWith(LISTENER_PREFIX)) {
            return exact;
        }
        int afterListener = name.indexOf('.', LISTENER_PREFIX.length());
        if (afterListener < 0) {
            return Optional.empty();
        }
        Optional<ConfigKey<?>> key = find(Scope.BROKER, name.substring(afterListener + 1));
        int afterMechanism = name.indexOf('.', afterListener + 1);
        return key.isPresent() || afterMechanism < 0
                ? key
                : find(Scope.BROKER, name.substring(afterMechanism + 1));
    }

    /// The known name that `name` was most likely meant to be: the same setting has other names for
    /// a topic and for the broker's default.
    public Optional<String> nearestName(Scope scope, String name) {
        return nameElsewhere(scope, name).or(() -> nearestSpelling(scope, name));
    }

    private Optional<String> nameElsewhere(Scope scope, String name) {
        if (scope == Scope.BROKER) {
            return find(Scope.TOPIC, name)
                    .or(() -> find(Scope.GROUP, name))
                    .flatMap(key -> key.synonyms().stream().findFirst())
                    .map(synonym -> synonym.key().name());
        }
        return keys(scope).stream()
                .filter(key -> key.synonyms().stream().anyMatch(s -> s.key().name().equals(name)))
                .map(ConfigKey::name)
                .findFirst();
    }

    private Optional<String> nearestSpelling(Scope scope, String name) {
        return NearestName.among(byName(scope).keySet(), name);
    }

    /// A sentence on a key that nobody knows, with the nearest name if one is near.
    public String unknownKey(Scope scope, String name) {
        String unknown = "%s is no key of a %s and has no effect".formatted(name, scope.words());
        return nearestName(scope, name)
                .map(near -> "%s; did you mean %s?".formatted(unknown, near))
                .orElse(unknown + ".");
    }

    /// What is wrong with one setting by itself: an unknown name or a value out of range.
    public Optional<ConfigProblem> check(Scope scope, String name, String value) {
        Optional<ConfigKey<?>> key =
                scope == Scope.BROKER ? findForListener(name) : find(scope, name);
        return key.isPresent() ? key.get().check(value) : Optional.of(unknown(scope, name, value));
    }

    private ConfigProblem unknown(Scope scope, String name, String value) {
        return new ConfigProblem(
                name,
                value,
                "a known key of a " + scope.words(),
                nearestName(scope, name)
                        .map(near -> "perhaps %s was meant".formatted(near))
                        .orElse("docs/reference/config.md has the known ones"));
    }

    /// Keys by area, in the order of the reference page.
    Map<String, List<ConfigKey<?>>> byArea() {
        Map<String, List<ConfigKey<?>>> result = new LinkedHashMap<>();
        for (KeyArea area : areas) {
            result.computeIfAbsent(area.title(), _ -> new ArrayList<>()).addAll(area.keys());
        }
        return result;
    }

    private Map<String, ConfigKey<?>> byName(Scope scope) {
        return byScope.getOrDefault(scope, Map.of());
    }

    private static List<KeyArea> areas() {
        return List.of(
                ServerKeys.KEYS,
                NetworkKeys.KEYS,
                LogKeys.KEYS,
                RetentionKeys.KEYS,
                GroupKeys.KEYS,
                QuorumKeys.KEYS,
                MetricsKeys.KEYS,
                ReplicationKeys.KEYS,
                TransactionKeys.KEYS,
                QuotaKeys.KEYS,
                TlsKeys.KEYS,
                SaslKeys.KEYS,
                AccessKeys.KEYS,
                ShareGroupKeys.KEYS,
                StreamsGroupKeys.KEYS,
                TieredStorageKeys.KEYS,
                TopicKeys.KEYS,
                GroupOverrideKeys.KEYS,
                ClientMetricsKeys.KEYS);
    }
}

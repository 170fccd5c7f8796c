package dev.ottla.config;

import java.util.Map;
import java.util.Optional;

/// The values in force for one broker, listener, topic, group or client metrics subscription.
/// Reading is a map look-up: everything was parsed when the values were resolved. Immutable.
public final class ConfigValues {
    private final Map<ConfigKey<?>, Setting> shared;
    private final Map<ConfigKey<?>, Setting> overrides;
    private final Surroundings surroundings;

    /// What all resources of a kind share, and what one of them sets itself.
    ///
    /// @param shared a setting for every key of the scope, the same object for all its resources
    /// @param overrides what this resource sets itself
    ConfigValues(
            Map<ConfigKey<?>, Setting> shared,
            Map<ConfigKey<?>, Setting> overrides,
            Surroundings surroundings) {
        this.shared = shared;
        this.overrides = overrides;
        this.surroundings = surroundings;
    }

    /// The value of a key that always has one.
    public <T> T value(ConfigKey<T> key) {
        if (setting(key).value() instanceof Value.Fixed<?> fixed) {
            return key.type().cast(fixed.value()); // the common case, without an Optional
        }
        return optional(key)
                .orElseThrow(() ->
                        new IllegalStateException(
                                key + " is not set and has no default: read it as optional"));
    }

    /// The value of a key that may have none.
    public <T> Optional<T> optional(ConfigKey<T> key) {
        return setting(key).value().in(surroundings).map(key.type()::cast);
    }

    /// The same values for a partition with so many replicas, on which some defaults depend.
    public ConfigValues withReplicationFactor(int replicas) {
        return replicas == surroundings.replicationFactor()
                ? this
                : new ConfigValues(shared, overrides, surroundings.withReplicationFactor(replicas));
    }

    /// Where the value comes from.
    public ConfigSource source(ConfigKey<?> key) {
        return setting(key).source();
    }

    /// Whether anyone set the key or one of its synonyms.
    public boolean isSet(ConfigKey<?> key) {
        return source(key) != ConfigSource.DEFAULT;
    }

    /// The value as text, secrets in the clear; empty when absent.
    Optional<String> text(ConfigKey<?> key) {
        return textOf(key);
    }

    private <T> Optional<String> textOf(ConfigKey<T> key) {
        return optional(key).map(key.type()::format);
    }

    private Setting setting(ConfigKey<?> key) {
        Setting own = overrides.isEmpty() ? null : overrides.get(key);
        Setting setting = own != null ? own : shared.get(key);
        if (setting == null) {
            throw new IllegalArgumentException(
                    "%s is a key of a %s, which these values are not"
                            .formatted(key, key.scope().words()));
        }
        return setting;
    }
}

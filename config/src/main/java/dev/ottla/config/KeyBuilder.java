package dev.ottla.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// Declares one key; [#doc] ends the declaration. A key is honoured, read-only on brokers and takes
/// every value of its type unless it says otherwise.
final class KeyBuilder<T> {
    final KeyArea area;
    final ConfigType<T> type;
    final String name;
    final Importance importance;
    final List<Synonym<?, T>> synonyms = new ArrayList<>();
    Value<T> defaultValue = new Value.Absent<>();
    Constraint<? super T> constraint = Constraint.any();
    DynamicMode dynamicMode;
    Unit unit;
    Standing standing = new Standing.Honoured();
    Optional<Difference> difference = Optional.empty();
    boolean internal;
    boolean own;

    KeyBuilder(KeyArea area, ConfigType<T> type, String name, Importance importance) {
        this.area = area;
        this.type = type;
        this.name = name;
        this.importance = importance;
        this.unit = Unit.ofName(name);
        this.dynamicMode =
                area.scope() == Scope.BROKER ? DynamicMode.READ_ONLY : DynamicMode.CLUSTER_WIDE;
    }

    /// Ends the declaration: one sentence on what the key does.
    ConfigKey<T> doc(String sentence) {
        ConfigKey<T> key = new ConfigKey<>(this, sentence);
        area.add(key);
        return key;
    }

    KeyBuilder<T> fixed(T value) {
        defaultValue = new Value.Fixed<>(value);
        return this;
    }

    /// The default follows the surroundings; `rule` says how.
    KeyBuilder<T> derived(String rule, Function<Surroundings, T> function) {
        defaultValue = new Value.Derived<>(rule, function);
        return this;
    }

    /// The default differs from Kafka's on purpose.
    KeyBuilder<T> insteadOf(String kafkaDefault, String reason) {
        difference = Optional.of(new Difference(Optional.of(kafkaDefault), reason));
        return this;
    }

    /// Kafka has no default here and demands a value, Ottla does not.
    KeyBuilder<T> insteadOfDemanding(String reason) {
        difference = Optional.of(new Difference(Optional.empty(), reason));
        return this;
    }

    KeyBuilder<T> perBroker() {
        dynamicMode = DynamicMode.PER_BROKER;
        return this;
    }

    KeyBuilder<T> clusterWide() {
        dynamicMode = DynamicMode.CLUSTER_WIDE;
        return this;
    }

    KeyBuilder<T> noEffect(String reason) {
        standing = new Standing.NoEffect(reason);
        return this;
    }

    KeyBuilder<T> later(Feature feature) {
        standing = new Standing.Later(feature);
        return this;
    }

    KeyBuilder<T> internal() {
        internal = true;
        return this;
    }

    KeyBuilder<T> own() {
        own = true;
        return this;
    }

    KeyBuilder<T> unit(Unit value) {
        unit = value;
        return this;
    }

    /// When the key is not set, the other one's value holds; earlier synonyms win over later ones.
    KeyBuilder<T> from(ConfigKey<T> other) {
        return from(other, value -> value);
    }

    <S> KeyBuilder<T> from(ConfigKey<S> other, Function<S, T> conversion) {
        synonyms.add(new Synonym<>(other, conversion));
        return this;
    }

    KeyBuilder<T> allowing(Constraint<? super T> values) {
        constraint = values;
        return this;
    }

    KeyBuilder<T> allowing(String words, Predicate<? super T> values) {
        return allowing(new Constraint.Matching<>(words, values));
    }
}

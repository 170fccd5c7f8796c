package dev.ottla.config;

import java.util.Optional;
import java.util.function.Function;

/// What a key stands at, by default or because someone set it.
sealed interface Value<T> {
    /// No value at all.
    record Absent<T>() implements Value<T> {}

    record Fixed<T>(T value) implements Value<T> {}

    /// Follows the surroundings.
    ///
    /// @param rule in words, for the reference page
    record Derived<T>(String rule, Function<Surroundings, T> function) implements Value<T> {}

    default Optional<T> in(Surroundings surroundings) {
        return switch (this) {
            case Absent<T> _ -> Optional.empty();
            case Fixed<T> fixed -> Optional.of(fixed.value());
            case Derived<T> derived -> Optional.of(derived.function().apply(surroundings));
        };
    }

    default <R> Value<R> map(Function<T, R> conversion) {
        return switch (this) {
            case Absent<T> _ -> new Absent<>();
            case Fixed<T> fixed -> new Fixed<>(conversion.apply(fixed.value()));
            case Derived<T> derived ->
                    new Derived<>(derived.rule(), derived.function().andThen(conversion));
        };
    }
}

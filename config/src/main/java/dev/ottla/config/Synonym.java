package dev.ottla.config;

import java.util.Optional;
import java.util.function.Function;

/// Another key that a value is taken from when its own is not set.
///
/// @param <S> type of the other key
/// @param <T> type of the key that has the synonym
record Synonym<S, T>(ConfigKey<S> key, Function<S, T> conversion) {
    /// The value that the other key's text stands for, if it takes that text.
    Optional<T> parse(String text) {
        return key.parse(text).map(conversion);
    }

    Value<T> fallback() {
        return key.defaultValue().map(conversion);
    }
}

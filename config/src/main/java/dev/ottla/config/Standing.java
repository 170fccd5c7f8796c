package dev.ottla.config;

import java.util.Optional;

/// What Ottla does with a key that it accepts.
public sealed interface Standing {
    /// Changing the value changes behaviour, and a test shows it.
    record Honoured() implements Standing {}

    /// Accepted so that Kafka's files and tools keep working, but nothing here depends on it.
    ///
    /// @param reason why, as the end of the sentence "It has no effect: …"
    record NoEffect(String reason) implements Standing {}

    /// Accepted now, honoured once the feature is there.
    record Later(Feature feature) implements Standing {}

    /// Why the key changes nothing, as the end of a sentence about it; empty when it is honoured.
    default Optional<String> note() {
        return switch (this) {
            case Honoured _ -> Optional.empty();
            case NoEffect noEffect -> Optional.of("has no effect: " + noEffect.reason());
            case Later later ->
                    Optional.of("has no effect yet: it comes with " + later.feature().words());
        };
    }

    /// A few words for the reference page.
    default String words() {
        return switch (this) {
            case Honoured _ -> "honoured";
            case NoEffect noEffect -> "no effect: " + noEffect.reason();
            case Later later -> "later, with " + later.feature().words();
        };
    }
}

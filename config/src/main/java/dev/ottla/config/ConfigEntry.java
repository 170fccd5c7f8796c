package dev.ottla.config;

import java.util.List;
import java.util.Optional;

/// One line of what DescribeConfigs answers.
///
/// @param name of the key, with its prefix when set for one listener
/// @param value in force, as text; empty when absent or secret
/// @param synonyms every place that sets the value, highest precedence first, the texts as they
///   were set
public record ConfigEntry(
        String name,
        ConfigKey<?> key,
        Optional<String> value,
        ConfigSource source,
        boolean readOnly,
        List<Origin> synonyms) {
    public ConfigEntry {
        synonyms = List.copyOf(synonyms);
    }

    /// A place that sets a value.
    ///
    /// @param value as it was set; empty when secret
    public record Origin(String name, Optional<String> value, ConfigSource source) {}
}

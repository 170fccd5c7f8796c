package dev.ottla.metadata.controller;

import java.util.Optional;

/// One step of an incremental change of a resource's configuration.
///
/// @param value missing for DELETE
public record ConfigOp(String key, Kind kind, Optional<String> value) {
    /// APPEND and SUBTRACT change the elements of a list.
    public enum Kind {
        SET,
        DELETE,
        APPEND,
        SUBTRACT
    }

    public static ConfigOp set(String key, String value) {
        return new ConfigOp(key, Kind.SET, Optional.of(value));
    }

    public static ConfigOp delete(String key) {
        return new ConfigOp(key, Kind.DELETE, Optional.empty());
    }

    public static ConfigOp append(String key, String value) {
        return new ConfigOp(key, Kind.APPEND, Optional.of(value));
    }

    public static ConfigOp subtract(String key, String value) {
        return new ConfigOp(key, Kind.SUBTRACT, Optional.of(value));
    }
}

package dev.ottla.config;

/// A key's value in force and where it comes from.
record Setting(Value<?> value, ConfigSource source) {}

package dev.ottla.config;

/// How likely an operator is to care, as Kafka ranks its keys.
public enum Importance {
    HIGH,
    MEDIUM,
    LOW
}

package dev.ottla.config;

import java.util.Optional;

/// A default in which Ottla differs from Kafka on purpose.
///
/// @param kafkaDefault what Kafka has instead; empty when it has none
/// @param reason why Ottla differs
public record Difference(Optional<String> kafkaDefault, String reason) {}

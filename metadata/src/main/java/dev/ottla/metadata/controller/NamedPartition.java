package dev.ottla.metadata.controller;

/// A partition by the name of its topic, either of which may not exist.
public record NamedPartition(String topic, int partition) {}

package dev.ottla.metadata.controller;

/// What became of a wish to reassign a partition.
public record ReassignedPartition(NamedPartition partition, ApiError error) {}

package dev.ottla.metadata.controller;

/// What became of the election in one partition.
///
/// @param topic as the request names it
public record ElectedPartition(String topic, int partition, ApiError error) {}

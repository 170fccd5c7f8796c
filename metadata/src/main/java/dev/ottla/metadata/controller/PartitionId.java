package dev.ottla.metadata.controller;

import dev.ottla.wire.Uuid;

/// A partition by the id of its topic.
public record PartitionId(Uuid topicId, int partition) {}

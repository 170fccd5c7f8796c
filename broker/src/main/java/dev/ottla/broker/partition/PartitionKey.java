package dev.ottla.broker.partition;

import dev.ottla.wire.Uuid;

/// A partition of one incarnation of a topic.
public record PartitionKey(Uuid topicId, int partition) {}

package dev.ottla.group.offset;

/// A partition by the name of its topic.
public record TopicPartition(String topic, int partition) {}

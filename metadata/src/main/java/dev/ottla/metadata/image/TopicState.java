package dev.ottla.metadata.image;

import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A topic and its partitions, numbered from 0 without gaps. Immutable.
public final class TopicState {
    private final String name;
    private final Uuid id;
    private final PartitionList partitions;

    private TopicState(String name, Uuid id, PartitionList partitions) {
        this.name = name;
        this.id = id;
        this.partitions = partitions;
    }

    static TopicState named(String name, Uuid id) {
        return new TopicState(name, id, PartitionList.NONE);
    }

    TopicState with(Map<Integer, PartitionState> changes) {
        return new TopicState(name, id, partitions.with(changes));
    }

    public String name() {
        return name;
    }

    public Uuid id() {
        return id;
    }

    public int partitionCount() {
        return partitions.size();
    }

    /// That of its first partition.
    public int replicationFactor() {
        return partitions.isEmpty() ? 1 : partitions.getFirst().replicationFactor();
    }

    /// Replicas that new partitions get: as many as the first one shall have.
    public int targetReplicationFactor() {
        return partitions.isEmpty() ? 1 : partitions.getFirst().targetReplicas().size();
    }

    /// Partition by number.
    public List<PartitionState> partitions() {
        return partitions;
    }

    public Optional<PartitionState> partition(int number) {
        return number >= 0 && number < partitions.size()
                ? Optional.of(partitions.get(number))
                : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) return true; // most topics of two images are the same objects
        return other instanceof TopicState topic
                && name.equals(topic.name)
                && id.equals(topic.id)
                && partitions.equals(topic.partitions);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "topic %s (%s) with %d partitions".formatted(name, id, partitions.size());
    }
}

package dev.ottla.broker.partition;

/// What a shard found under a partition's key.
public sealed interface Lookup {
    /// This broker leads the partition and its log is open.
    record Found(HostedPartition partition) implements Lookup {}

    record Failed(PartitionError error) implements Lookup {}
}

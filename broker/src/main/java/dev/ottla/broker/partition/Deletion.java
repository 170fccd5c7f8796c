package dev.ottla.broker.partition;

/// Somebody who waits until records are deleted on every living replica. On the partition's shard
/// thread.
public interface Deletion {
    /// The log start that every replica must have reached.
    long offset();

    /// All have.
    void onDeleted();

    /// The partition cannot be used through this broker any more: it says why.
    void onUnavailable();
}

package dev.ottla.broker.partition;

/// What a leader with followers needs of its shard. Owned by the shard's thread.
interface LeaderSurroundings {
    /// As in [dev.ottla.replication.ActiveBrokers].
    long epochOf(int brokerId);

    /// As in [dev.ottla.replication.ActiveBrokers].
    long registeredEpochOf(int brokerId);

    /// Whether the replica of `partition` on that broker has room for records.
    boolean hasRoom(PartitionKey partition, int brokerId);

    /// Whether this broker's session with the controller must be over.
    boolean isOutOfTouch();

    /// As in [dev.ottla.replication.ActiveBrokers].
    boolean isBlind();

    /// As in [dev.ottla.replication.ActiveBrokers].
    boolean isConfirmed();

    /// Monotonic.
    long nowMs();

    /// `replica.lag.time.max.ms`.
    long maxLagMs();

    /// As in [dev.ottla.replication.LeaderStart].
    long certainMs();

    /// `partition` leads, and others hold replicas of it: its members' lag is looked at from time
    /// to time until it does not lead any more.
    void onLeadingOthers(HostedPartition partition);

    /// The log of `partition` is damaged; its data directory is not.
    void onDamaged(HostedPartition partition);

    /// There is a proposal of `partition` that the controller must hear of.
    void onProposal(HostedPartition partition);
}

package dev.ottla.broker.replica;

import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.shard.Timer;
import dev.ottla.replication.FetchPosition;
import dev.ottla.replication.FollowerReplica;
import org.jspecify.annotations.Nullable;

/// One partition that a fetcher asks for, under one leader epoch. Owned by the shard's thread.
final class FollowedPartition {
    final PartitionKey key;
    final int leaderId;

    /// Which of the fetchers of its leader has it.
    final int fetcherIndex;

    final int leaderEpoch;
    FollowerReplica core;

    /// Empty while the partition takes no place here.
    @Nullable HostedPartition hosted;

    /// What the leader was last asked; the session remembers it.
    @Nullable FetchPosition asked;

    /// Whether the session has it.
    boolean inSession;

    /// Whether its last records are not safe yet.
    boolean settling;

    /// Whether it is left out for a while, after an error.
    @Nullable Timer pause;

    int failures;
    boolean over;

    FollowedPartition(PartitionKey key, int leaderId, int fetcherIndex, int leaderEpoch) {
        this.key = key;
        this.leaderId = leaderId;
        this.fetcherIndex = fetcherIndex;
        this.leaderEpoch = leaderEpoch;
        core = new FollowerReplica(leaderEpoch, EmptyLog.INSTANCE, 0);
    }

    boolean isPaused() {
        return pause != null;
    }

    @Override
    public String toString() {
        HostedPartition present = hosted;
        return present == null ? key.toString() : present.toString();
    }
}

package dev.ottla.broker.replica;

import dev.ottla.broker.partition.CopyThrottle;
import dev.ottla.broker.partition.HostedPartition;
import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.shard.Shard;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.ReplicationKeys;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicDelta;
import dev.ottla.metadata.image.TopicState;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/// The partitions that one shard follows, and `num.replica.fetchers` fetchers for each broker that
/// leads some of them. Owned by the shard's thread. Costs nothing on a broker that follows none.
public final class Followers implements PartitionManager.Listener {
    private final PartitionManager partitions;
    private final LeaderConnection.Connector connector;
    private final LongSupplier brokerEpoch;
    private final FetcherSettings settings;
    private final LostDirectories lostDirectories;
    private final CopyThrottle throttle;
    private final Map<PartitionKey, FollowedPartition> followed = new HashMap<>();
    private final Map<FetcherId, ReplicaFetcher> fetchers = new HashMap<>();
    private final Set<ReplicaFetcher> sending = new LinkedHashSet<>();
    private boolean closed;

    private record FetcherId(int leaderId, int index) {}

    /// @param connector gives connections to leaders
    /// @param assignments of directories to replicas
    /// @param brokerEpoch of this broker's present registration
    public Followers(
            PartitionManager partitions,
            LeaderConnection.Connector connector,
            DirectoryAssignments assignments,
            LongSupplier brokerEpoch,
            ConfigValues broker) {
        this.partitions = partitions;
        this.connector = connector;
        this.brokerEpoch = brokerEpoch;
        this.settings = FetcherSettings.of(broker);
        this.lostDirectories = new LostDirectories(partitions, assignments);
        this.throttle = CopyThrottle.ofFollowers(partitions);
    }

    /// Follows what the manager's image says. Called once, when the manager has begun.
    public void begin() {
        for (TopicState topic : partitions.image().topics()) {
            for (int number = 0; number < topic.partitionCount(); number++) {
                onState(new PartitionKey(topic.id(), number), topic.partition(number));
            }
        }
        for (HostedPartition partition : partitions.partitions()) {
            if (partition.isDamaged()) {
                onDamaged(partition);
            }
        }
    }

    // What the manager tells.

    @Override
    public void onImage(ImageDelta delta, ClusterImage image) {
        for (TopicState topic : delta.deletedTopics().values()) {
            for (int number = 0; number < topic.partitionCount(); number++) {
                onState(new PartitionKey(topic.id(), number), Optional.empty());
            }
        }
        for (TopicDelta topic : delta.changedTopics().values()) {
            topic.changedPartitions()
                    .forEach((number, state) ->
                            onState(new PartitionKey(topic.id(), number), Optional.of(state)));
        }
    }

    @Override
    public void onFollowing(HostedPartition partition, PartitionState state) {
        follow(partition.key(), state);
    }

    @Override
    public void onDamaged(HostedPartition partition) {
        if (!closed) {
            lostDirectories.replace(partition.key());
        }
    }

    @Override
    public void onClosing() {
        closed = true;
        fetchers.values().forEach(ReplicaFetcher::close);
        fetchers.clear();
        followed.clear();
    }

    private void onState(PartitionKey key, Optional<PartitionState> state) {
        // There may be another copy now.
        partitions.hosted(key).filter(HostedPartition::isDamaged).ifPresent(this::onDamaged);
        if (state.isPresent() && partitions.isFollowed(state.get())) {
            if (partitions.owns(key)) {
                follow(key, state.get());
            }
        } else {
            FollowedPartition former = followed.get(key);
            if (former != null) {
                forget(former);
            }
        }
    }

    private void follow(PartitionKey key, PartitionState state) {
        if (closed) {
            return;
        }
        if (lostDirectories.isLost(state)) {
            lostDirectories.replace(key);
            return;
        }
        Optional<HostedPartition> hosted = partitions.hosted(key);
        FollowedPartition former = followed.get(key);
        if (former != null) {
            boolean same =
                    former.leaderId == state.leader() && former.leaderEpoch == state.leaderEpoch();
            if (same) {
                // It may have been opened just now, by its fetcher, which knows.
                return;
            }
            forget(former);
        }
        boolean ready =
                hosted.map(open -> open.isFollowing() && open.leaderEpoch() == state.leaderEpoch())
                        .orElse(true);
        if (!ready) {
            return; // The manager tells when its log is open; offline, it is not fetched.
        }
        int fetcherIndex =
                Math.floorMod(
                        key.hashCode(),
                        partitions.config().broker().value(ReplicationKeys.NUM_REPLICA_FETCHERS));
        FollowedPartition partition =
                new FollowedPartition(key, state.leader(), fetcherIndex, state.leaderEpoch());
        ReplicaFetcher fetcher =
                fetchers.computeIfAbsent(
                        new FetcherId(state.leader(), fetcherIndex),
                        id -> new ReplicaFetcher(this, id.leaderId(), settings));
        hosted.ifPresent(open -> fetcher.attach(partition, open));
        followed.put(key, partition);
        fetcher.add(partition);
    }

    /// The partition is not followed any more, or under another epoch.
    void forget(FollowedPartition partition) {
        followed.remove(partition.key, partition);
        ReplicaFetcher fetcher =
                fetchers.get(new FetcherId(partition.leaderId, partition.fetcherIndex));
        if (fetcher != null) {
            fetcher.remove(partition);
            if (fetcher.isEmpty()) {
                sendSoon(fetcher); // It closes then, unless something has come by that time.
            }
        }
    }

    // What fetchers ask for.

    PartitionManager partitions() {
        return partitions;
    }

    CopyThrottle throttle() {
        return throttle;
    }

    Shard shard() {
        return partitions.shard();
    }

    /// Monotonic.
    long nowMs() {
        return shard().nowNs() / 1_000_000;
    }

    int brokerId() {
        return partitions.brokerId();
    }

    long brokerEpoch() {
        return brokerEpoch.getAsLong();
    }

    LeaderConnection connect(int leaderId) {
        return connector.connect(leaderId, shard().index());
    }

    /// With all else that this turn brings.
    void sendSoon(ReplicaFetcher fetcher) {
        if (sending.isEmpty()) {
            shard().execute(this::sendNow);
        }
        sending.add(fetcher);
    }

    private void sendNow() {
        List<ReplicaFetcher> due = List.copyOf(sending);
        sending.clear();
        for (ReplicaFetcher fetcher : due) {
            if (fetcher.isEmpty()) {
                fetcher.close();
                fetchers.values().remove(fetcher);
            } else {
                fetcher.send();
            }
        }
    }
}

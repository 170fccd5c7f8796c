package dev.ottla.broker.partition;

import dev.ottla.config.ConfigKey;
import dev.ottla.config.ReplicationKeys;
import dev.ottla.config.TopicKeys;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.replication.ReplicationThrottle;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Slows the copying of those partitions of one shard whose topic says so to the shard's share of
/// the broker's rate, on the side of the follower (`follower.replication.throttled.replicas` and
/// `…rate`) or of the leader (`leader.…`). Replicas that are in sync are never slowed: they would
/// hold up who writes (KIP-73). Owned by the shard's thread.
public final class CopyThrottle {
    private static final String ALL = "*";

    private final PartitionManager partitions;
    private final ConfigKey<Long> rateKey;
    private final ConfigKey<List<String>> replicasKey;
    private final ReplicationThrottle throttle = new ReplicationThrottle();
    private long rate = ReplicationThrottle.UNLIMITED;

    private CopyThrottle(
            PartitionManager partitions,
            ConfigKey<Long> rateKey,
            ConfigKey<List<String>> replicasKey) {
        this.partitions = partitions;
        this.rateKey = rateKey;
        this.replicasKey = replicasKey;
    }

    /// Of what this broker copies.
    public static CopyThrottle ofFollowers(PartitionManager partitions) {
        return new CopyThrottle(
                partitions,
                ReplicationKeys.FOLLOWER_REPLICATION_THROTTLED_RATE,
                TopicKeys.FOLLOWER_REPLICATION_THROTTLED_REPLICAS);
    }

    /// Of what others copy from this broker.
    public static CopyThrottle ofLeaders(PartitionManager partitions) {
        return new CopyThrottle(
                partitions,
                ReplicationKeys.LEADER_REPLICATION_THROTTLED_RATE,
                TopicKeys.LEADER_REPLICATION_THROTTLED_REPLICAS);
    }

    /// How long broker `copier` is to get nothing of the partition; 0 when it may.
    public long waitMs(PartitionKey key, int copier) {
        followSettings();
        if (rate == ReplicationThrottle.UNLIMITED || !isThrottled(key, copier)) return 0;
        return throttle.waitMs(partitions.shard().nowNs());
    }

    /// Broker `copier` got so many bytes of the partition.
    public void taken(PartitionKey key, int copier, int bytes) {
        followSettings();
        if (rate != ReplicationThrottle.UNLIMITED && isThrottled(key, copier)) {
            throttle.taken(bytes, partitions.shard().nowNs());
        }
    }

    private void followSettings() {
        long wanted = partitions.config().broker().value(rateKey);
        if (wanted == rate) return;
        rate = wanted;
        throttle.limit(
                wanted == ReplicationThrottle.UNLIMITED || wanted == 0
                        ? wanted
                        : Math.max(1, wanted / partitions.shardCount()),
                partitions.shard().nowNs());
    }

    /// The list of the topic names the replica on this broker, whichever side it is.
    private boolean isThrottled(PartitionKey key, int copier) {
        ClusterImage image = partitions.image();
        Optional<TopicState> topic = image.topic(key.topicId());
        if (topic.isEmpty()) return false;
        String replicas =
                image.config(ConfigResource.topic(topic.get().name()))
                        .getOrDefault(replicasKey.name(), "");
        if (!names(replicas, key.partition(), partitions.brokerId())) return false;
        Optional<PartitionState> state = topic.get().partition(key.partition());
        return state.isPresent() && !state.get().isr().has(copier);
    }

    /// Whether a list such as `0:1,0:2` names the replica; `*` names all.
    static boolean names(String replicas, int partition, int brokerId) {
        if (replicas.isEmpty()) return false;
        String replica = partition + ":" + brokerId;
        return Arrays.stream(replicas.split(",", -1))
                .map(String::strip)
                .anyMatch(entry -> entry.equals(replica) || entry.equals(ALL));
    }
}

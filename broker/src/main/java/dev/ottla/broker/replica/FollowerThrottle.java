package dev.ottla.broker.replica;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.config.ReplicationKeys;
import dev.ottla.config.TopicKeys;
import dev.ottla.metadata.ConfigResource;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.PartitionState;
import dev.ottla.metadata.image.TopicState;
import dev.ottla.replication.ReplicationThrottle;
import java.util.Arrays;
import java.util.Optional;

/// Slows the copying of those partitions of one shard whose topic says so
/// (`follower.replication.throttled.replicas`) to the shard's share of
/// `follower.replication.throttled.rate`. Replicas that are in sync are never slowed: they would
/// hold up who writes (KIP-73). Owned by the shard's thread.
final class FollowerThrottle {
    private static final String ALL = "*";

    private final PartitionManager partitions;
    private final ReplicationThrottle throttle = new ReplicationThrottle();
    private long rate = ReplicationThrottle.UNLIMITED;

    FollowerThrottle(PartitionManager partitions) {
        this.partitions = partitions;
    }

    /// How long the partition is not to be asked for; 0 when it may be.
    long waitMs(PartitionKey key) {
        followSettings();
        if (rate == ReplicationThrottle.UNLIMITED || !isThrottled(key)) return 0;
        return throttle.waitMs(partitions.shard().nowNs());
    }

    /// So many bytes of the partition came.
    void taken(PartitionKey key, int bytes) {
        followSettings();
        if (rate != ReplicationThrottle.UNLIMITED && isThrottled(key)) {
            throttle.taken(bytes, partitions.shard().nowNs());
        }
    }

    private void followSettings() {
        long wanted =
                partitions
                        .config()
                        .broker()
                        .value(ReplicationKeys.FOLLOWER_REPLICATION_THROTTLED_RATE);
        if (wanted == rate) return;
        rate = wanted;
        throttle.limit(
                wanted == ReplicationThrottle.UNLIMITED || wanted == 0
                        ? wanted
                        : Math.max(1, wanted / partitions.shardCount()),
                partitions.shard().nowNs());
    }

    private boolean isThrottled(PartitionKey key) {
        ClusterImage image = partitions.image();
        Optional<TopicState> topic = image.topic(key.topicId());
        if (topic.isEmpty()) return false;
        String replicas =
                image.config(ConfigResource.topic(topic.get().name()))
                        .getOrDefault(TopicKeys.FOLLOWER_REPLICATION_THROTTLED_REPLICAS.name(), "");
        if (!names(replicas, key.partition(), partitions.brokerId())) return false;
        Optional<PartitionState> state = topic.get().partition(key.partition());
        return state.isPresent() && !state.get().isr().has(partitions.brokerId());
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

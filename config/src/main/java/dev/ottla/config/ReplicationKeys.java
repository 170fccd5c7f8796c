package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Feature.QUOTAS;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.MEDIUM;

/// Copies of partitions on several brokers, and who leads. Immutable.
public final class ReplicationKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Replication");

    public static final ConfigKey<Long> REPLICA_LAG_TIME_MAX_MS =
            KEYS.int64("replica.lag.time.max.ms", 30_000, HIGH)
                    .doc(
                            "How long a follower may stay behind before it leaves the in-sync replicas.");

    public static final ConfigKey<Integer> REPLICA_FETCH_MAX_BYTES =
            KEYS.int32("replica.fetch.max.bytes", 1_048_576, MEDIUM)
                    .allowing(atLeast(0))
                    .doc("Bytes a follower asks for per partition.");

    public static final ConfigKey<Integer> REPLICA_FETCH_RESPONSE_MAX_BYTES =
            KEYS.int32("replica.fetch.response.max.bytes", 10_485_760, MEDIUM)
                    .allowing(atLeast(0))
                    .doc("Bytes a follower asks for in one answer.");

    public static final ConfigKey<Integer> REPLICA_FETCH_MIN_BYTES =
            KEYS.int32("replica.fetch.min.bytes", 1, HIGH)
                    .doc("Bytes for which a leader lets a follower wait.");

    public static final ConfigKey<Integer> REPLICA_FETCH_WAIT_MAX_MS =
            KEYS.int32("replica.fetch.wait.max.ms", 500, HIGH)
                    .doc("How long a leader lets a follower wait for data.");

    public static final ConfigKey<Integer> REPLICA_FETCH_BACKOFF_MS =
            KEYS.int32("replica.fetch.backoff.ms", 1000, MEDIUM)
                    .allowing(atLeast(0))
                    .doc(
                            "Longest pause of a follower after failed fetches; the first ones are shorter.");

    public static final ConfigKey<Integer> REPLICA_SOCKET_TIMEOUT_MS =
            KEYS.int32("replica.socket.timeout.ms", 30_000, HIGH)
                    .doc("Time-out of a follower's connection to its leader.");

    public static final ConfigKey<Integer> REPLICA_SOCKET_RECEIVE_BUFFER_BYTES =
            KEYS.int32("replica.socket.receive.buffer.bytes", 65_536, HIGH)
                    .noEffect("the system sizes the buffers of connections between brokers")
                    .doc("Receive buffer of a follower's connection to its leader.");

    public static final ConfigKey<Long> REPLICA_HIGH_WATERMARK_CHECKPOINT_INTERVAL_MS =
            KEYS.int64("replica.high.watermark.checkpoint.interval.ms", 5000, HIGH)
                    .doc("Pause between two notes of the high watermarks.");

    public static final ConfigKey<String> REPLICA_SELECTOR_CLASS =
            KEYS.string("replica.selector.class", MEDIUM)
                    .doc(
                            "With `org.apache.kafka.common.replica.RackAwareReplicaSelector` a consumer that tells its rack is sent to an in-sync replica there; otherwise everybody reads from the leader.");

    public static final ConfigKey<Integer> NUM_REPLICA_FETCHERS =
            KEYS.int32("num.replica.fetchers", 1, HIGH)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .doc(
                            "Connections over which each shard fetches from one leader; a change counts for partitions that are followed from then on.");

    public static final ConfigKey<Integer> NUM_REPLICA_ALTER_LOG_DIRS_THREADS =
            KEYS.int32("num.replica.alter.log.dirs.threads", HIGH)
                    .noEffect(
                            "moves between data directories are read in the background and written by the shard that owns the partition")
                    .doc("Threads that move partitions between data directories.");

    public static final ConfigKey<Boolean> AUTO_LEADER_REBALANCE_ENABLE =
            KEYS.bool("auto.leader.rebalance.enable", true, HIGH)
                    .doc("Whether leaderships return to the preferred replicas by themselves.");

    public static final ConfigKey<Long> LEADER_IMBALANCE_CHECK_INTERVAL_SECONDS =
            KEYS.int64("leader.imbalance.check.interval.seconds", 300, HIGH)
                    .allowing(atLeast(1))
                    .doc("Pause between two searches for leaderships to return.");

    public static final ConfigKey<Boolean> UNCLEAN_LEADER_ELECTION_ENABLE =
            KEYS.bool("unclean.leader.election.enable", false, HIGH)
                    .clusterWide()
                    .doc(
                            "Whether a replica that may miss records can lead when no better one is left.");

    public static final ConfigKey<Long> UNCLEAN_LEADER_ELECTION_INTERVAL_MS =
            KEYS.int64("unclean.leader.election.interval.ms", 300_000, MEDIUM)
                    .allowing(atLeast(1))
                    .internal()
                    .doc(
                            "Longest pause between two searches for partitions that may be given an unclean leader; they are searched for each minute anyway.");

    public static final ConfigKey<Long> LEADER_REPLICATION_THROTTLED_RATE =
            KEYS.int64("leader.replication.throttled.rate", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("Bytes per second that this broker sends to throttled followers.");

    public static final ConfigKey<Long> FOLLOWER_REPLICATION_THROTTLED_RATE =
            KEYS.int64("follower.replication.throttled.rate", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("Bytes per second that this broker fetches for throttled replicas.");

    public static final ConfigKey<Long> REPLICA_ALTER_LOG_DIRS_IO_MAX_BYTES_PER_SECOND =
            KEYS.int64("replica.alter.log.dirs.io.max.bytes.per.second", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .later(QUOTAS)
                    .doc("Bytes per second that may move between this broker's data directories.");

    private ReplicationKeys() {}
}

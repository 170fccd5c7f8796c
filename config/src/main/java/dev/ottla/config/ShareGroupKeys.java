package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.between;
import static dev.ottla.config.Allowed.someEntries;
import static dev.ottla.config.Feature.SHARE_GROUPS;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Groups whose members share the records of a partition. Immutable.
public final class ShareGroupKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Share groups");

    public static final ConfigKey<List<String>> GROUP_SHARE_ASSIGNORS =
            KEYS.list("group.share.assignors", List.of("simple"), MEDIUM)
                    .allowing(someEntries())
                    .later(SHARE_GROUPS)
                    .doc("Server-side assignors on offer for share groups.");

    public static final ConfigKey<Integer> GROUP_SHARE_MAX_SIZE =
            KEYS.int32("group.share.max.size", 200, MEDIUM)
                    .allowing(between(1, 1000))
                    .later(SHARE_GROUPS)
                    .doc("Members that a share group takes.");

    public static final ConfigKey<Integer> GROUP_SHARE_MAX_SHARE_SESSIONS =
            KEYS.int32("group.share.max.share.sessions", 2000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Share sessions remembered at once.");

    public static final ConfigKey<Integer> GROUP_SHARE_SESSION_TIMEOUT_MS =
            KEYS.int32("group.share.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Silence after which a member of a share group is removed.");

    public static final ConfigKey<Integer> GROUP_SHARE_MIN_SESSION_TIMEOUT_MS =
            KEYS.int32("group.share.min.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Smallest session time-out that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_MAX_SESSION_TIMEOUT_MS =
            KEYS.int32("group.share.max.session.timeout.ms", 60_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Largest session time-out that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.share.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Pause between heartbeats that members of a share group are told.");

    public static final ConfigKey<Integer> GROUP_SHARE_MIN_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.share.min.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Smallest pause between heartbeats that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_MAX_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.share.max.heartbeat.interval.ms", 15_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Largest pause between heartbeats that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.share.assignment.interval.ms", 1000, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .later(SHARE_GROUPS)
                    .doc("Shortest time between two assignments of a share group.");

    public static final ConfigKey<Integer> GROUP_SHARE_MIN_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.share.min.assignment.interval.ms", 0, MEDIUM)
                    .allowing(atLeast(0))
                    .later(SHARE_GROUPS)
                    .doc("Smallest assignment interval that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_MAX_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.share.max.assignment.interval.ms", 15_000, MEDIUM)
                    .allowing(atLeast(0))
                    .later(SHARE_GROUPS)
                    .doc("Largest assignment interval that a share group may be given.");

    public static final ConfigKey<Boolean> GROUP_SHARE_ASSIGNOR_OFFLOAD_ENABLE =
            KEYS.bool("group.share.assignor.offload.enable", true, MEDIUM)
                    .clusterWide()
                    .internal()
                    .later(SHARE_GROUPS)
                    .doc(
                            "Whether assignments of share groups are computed away from the coordinator's thread.");

    public static final ConfigKey<Integer> GROUP_SHARE_DELIVERY_COUNT_LIMIT =
            KEYS.int32("group.share.delivery.count.limit", 5, MEDIUM)
                    .allowing(between(2, 10))
                    .later(SHARE_GROUPS)
                    .doc("How often a record is handed out before it is given up.");

    public static final ConfigKey<Integer> GROUP_SHARE_MIN_DELIVERY_COUNT_LIMIT =
            KEYS.int32("group.share.min.delivery.count.limit", 2, MEDIUM)
                    .allowing(between(2, 5))
                    .later(SHARE_GROUPS)
                    .doc("Smallest number of deliveries that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_MAX_DELIVERY_COUNT_LIMIT =
            KEYS.int32("group.share.max.delivery.count.limit", 10, MEDIUM)
                    .allowing(between(5, 25))
                    .later(SHARE_GROUPS)
                    .doc("Largest number of deliveries that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_RECORD_LOCK_DURATION_MS =
            KEYS.int32("group.share.record.lock.duration.ms", 30_000, MEDIUM)
                    .allowing(between(1000, 3_600_000))
                    .later(SHARE_GROUPS)
                    .doc("How long a record stays with the member it was handed to.");

    public static final ConfigKey<Integer> GROUP_SHARE_MIN_RECORD_LOCK_DURATION_MS =
            KEYS.int32("group.share.min.record.lock.duration.ms", 15_000, MEDIUM)
                    .allowing(between(1000, 30_000))
                    .later(SHARE_GROUPS)
                    .doc("Smallest lock duration that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_MAX_RECORD_LOCK_DURATION_MS =
            KEYS.int32("group.share.max.record.lock.duration.ms", 60_000, MEDIUM)
                    .allowing(between(30_000, 3_600_000))
                    .later(SHARE_GROUPS)
                    .doc("Largest lock duration that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_PARTITION_MAX_RECORD_LOCKS =
            KEYS.int32("group.share.partition.max.record.locks", 2000, MEDIUM)
                    .allowing(between(100, 10_000))
                    .later(SHARE_GROUPS)
                    .doc("Records of one partition that may be handed out at once.");

    public static final ConfigKey<Integer> GROUP_SHARE_MIN_PARTITION_MAX_RECORD_LOCKS =
            KEYS.int32("group.share.min.partition.max.record.locks", 100, MEDIUM)
                    .allowing(between(100, 2000))
                    .later(SHARE_GROUPS)
                    .doc("Smallest number of handed out records that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_MAX_PARTITION_MAX_RECORD_LOCKS =
            KEYS.int32("group.share.max.partition.max.record.locks", 4000, MEDIUM)
                    .allowing(between(2000, 10_000))
                    .later(SHARE_GROUPS)
                    .doc("Largest number of handed out records that a share group may be given.");

    public static final ConfigKey<Integer> GROUP_SHARE_INITIALIZE_RETRY_INTERVAL_MS =
            KEYS.int32("group.share.initialize.retry.interval.ms", 30_000, LOW)
                    .allowing(atLeast(1))
                    .internal()
                    .later(SHARE_GROUPS)
                    .doc(
                            "Pause before the state of a share group is set up again after a failure.");

    public static final ConfigKey<String> GROUP_SHARE_PERSISTER_CLASS_NAME =
            KEYS.string(
                            "group.share.persister.class.name",
                            "org.apache.kafka.server.share.persister.DefaultStatePersister",
                            MEDIUM)
                    .internal()
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that keeps the state of share groups.");

    public static final ConfigKey<String> GROUP_SHARE_DLQ_MANAGER_CLASS_NAME =
            KEYS.string(
                            "group.share.dlq.manager.class.name",
                            "org.apache.kafka.server.share.dlq.DefaultShareGroupDLQManager",
                            MEDIUM)
                    .internal()
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that writes records which were given up.");

    public static final ConfigKey<Boolean> ERRORS_DEADLETTERQUEUE_AUTO_CREATE_TOPICS_ENABLE =
            KEYS.bool("errors.deadletterqueue.auto.create.topics.enable", false, MEDIUM)
                    .clusterWide()
                    .later(SHARE_GROUPS)
                    .doc("Whether a missing topic for records that were given up is created.");

    public static final ConfigKey<String> ERRORS_DEADLETTERQUEUE_TOPIC_NAME_PREFIX =
            KEYS.string("errors.deadletterqueue.topic.name.prefix", "dlq.", MEDIUM)
                    .clusterWide()
                    .later(SHARE_GROUPS)
                    .doc(
                            "How names of topics for records that were given up must begin; empty allows any.");

    public static final ConfigKey<Integer> SHARE_FETCH_PURGATORY_PURGE_INTERVAL_REQUESTS =
            KEYS.int32("share.fetch.purgatory.purge.interval.requests", 1000, MEDIUM)
                    .noEffect(Reasons.PURGATORY)
                    .doc("How often finished waiting share fetches are swept up.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_THREADS =
            KEYS.int32("share.coordinator.threads", 1, MEDIUM)
                    .allowing(atLeast(1))
                    .noEffect(Reasons.SHARDS)
                    .doc(
                            "Threads of the share coordinator; each coordinator lives on the shard of its partition.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_APPEND_LINGER_MS =
            KEYS.int32("share.coordinator.append.linger.ms", -1, MEDIUM)
                    .allowing(atLeast(-1))
                    .noEffect(Reasons.LINGER)
                    .doc("How long the share coordinator gathers records before it writes them.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_CACHED_BUFFER_MAX_BYTES =
            KEYS.int32("share.coordinator.cached.buffer.max.bytes", 1_048_588, MEDIUM)
                    .allowing(atLeast(524_288))
                    .clusterWide()
                    .noEffect(Reasons.LINGER)
                    .doc("Largest buffer that the share coordinator keeps for its next write.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_WRITE_TIMEOUT_MS =
            KEYS.int32("share.coordinator.write.timeout.ms", 5000, HIGH)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc(
                            "How long a write of the share coordinator may take before its request fails.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_LOAD_BUFFER_SIZE =
            KEYS.int32("share.coordinator.load.buffer.size", 5_242_880, HIGH)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Bytes read at once while share state is loaded.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_SNAPSHOT_UPDATE_RECORDS_PER_SNAPSHOT =
            KEYS.int32("share.coordinator.snapshot.update.records.per.snapshot", 500, MEDIUM)
                    .allowing(between(0, 500))
                    .later(SHARE_GROUPS)
                    .doc("Updates of share state between two full copies.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_COLD_PARTITION_SNAPSHOT_INTERVAL_MS =
            KEYS.int32("share.coordinator.cold.partition.snapshot.interval.ms", 300_000, LOW)
                    .allowing(atLeast(1))
                    .internal()
                    .later(SHARE_GROUPS)
                    .doc(
                            "Pause after which the state of a quiet share partition is written in full.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_STATE_TOPIC_NUM_PARTITIONS =
            KEYS.int32("share.coordinator.state.topic.num.partitions", 50, HIGH)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Partitions of the topic that keeps share state.");

    public static final ConfigKey<Short> SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR =
            KEYS.int16("share.coordinator.state.topic.replication.factor", HIGH)
                    .derived("min(3, brokers)", s -> (short) s.defaultReplicationFactor())
                    .insteadOf(
                            "3", "internal topics start with what the cluster has and grow with it")
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Replicas of the topic that keeps share state.");

    public static final ConfigKey<Short> SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR =
            KEYS.int16("share.coordinator.state.topic.min.isr", HIGH)
                    .derived(
                            "a majority of the replicas from three up, else 1",
                            s -> (short) s.majorityOfDefault())
                    .insteadOf(
                            "2", "internal topics start with what the cluster has and grow with it")
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc(
                            "In-sync replicas that the topic that keeps share state needs for a write.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_STATE_TOPIC_SEGMENT_BYTES =
            KEYS.int32("share.coordinator.state.topic.segment.bytes", 104_857_600, HIGH)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .doc("Segment size of the topic that keeps share state.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_STATE_TOPIC_COMPRESSION_CODEC =
            KEYS.int32("share.coordinator.state.topic.compression.codec", 0, HIGH)
                    .later(SHARE_GROUPS)
                    .doc(
                            "Codec of the topic that keeps share state: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd.");

    public static final ConfigKey<Integer> SHARE_COORDINATOR_STATE_TOPIC_PRUNE_INTERVAL_MS =
            KEYS.int32("share.coordinator.state.topic.prune.interval.ms", 300_000, LOW)
                    .allowing(atLeast(1))
                    .internal()
                    .later(SHARE_GROUPS)
                    .doc("Pause between two deletions of share state that is no longer needed.");

    private ShareGroupKeys() {}
}

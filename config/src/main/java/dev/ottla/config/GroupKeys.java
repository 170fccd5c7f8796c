package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.oneOfIgnoringCase;
import static dev.ottla.config.Allowed.someEntries;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// The group coordinator, classic and consumer groups, and committed offsets. Immutable.
public final class GroupKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Groups and offsets");

    public static final ConfigKey<List<String>> GROUP_COORDINATOR_REBALANCE_PROTOCOLS =
            KEYS.list(
                            "group.coordinator.rebalance.protocols",
                            List.of("classic", "consumer", "streams"),
                            MEDIUM)
                    .allowing(someEntries("consumer", "classic", "share", "streams"))
                    .doc("Group protocols that this broker offers.");

    public static final ConfigKey<Integer> GROUP_COORDINATOR_THREADS =
            KEYS.int32("group.coordinator.threads", 4, HIGH)
                    .allowing(atLeast(1))
                    .noEffect(Reasons.SHARDS)
                    .doc(
                            "Threads of the group coordinator; each coordinator lives on the shard of its partition.");

    public static final ConfigKey<Integer> GROUP_COORDINATOR_BACKGROUND_THREADS =
            KEYS.int32("group.coordinator.background.threads", 2, HIGH)
                    .allowing(atLeast(1))
                    .doc(
                            "Threads for coordinator work that takes long, such as regular expressions, at most 1024.");

    public static final ConfigKey<Integer> GROUP_COORDINATOR_APPEND_LINGER_MS =
            KEYS.int32("group.coordinator.append.linger.ms", -1, MEDIUM)
                    .allowing(atLeast(-1))
                    .noEffect(Reasons.LINGER)
                    .doc("How long the coordinator gathers records before it writes them.");

    public static final ConfigKey<Integer> GROUP_COORDINATOR_CACHED_BUFFER_MAX_BYTES =
            KEYS.int32("group.coordinator.cached.buffer.max.bytes", 1_048_588, MEDIUM)
                    .allowing(atLeast(524_288))
                    .clusterWide()
                    .noEffect(Reasons.LINGER)
                    .doc("Largest buffer that the coordinator keeps for its next write.");

    public static final ConfigKey<Integer> GROUP_MIN_SESSION_TIMEOUT_MS =
            KEYS.int32("group.min.session.timeout.ms", 6000, MEDIUM)
                    .doc("Shortest session time-out that a member of a classic group may ask for.");

    public static final ConfigKey<Integer> GROUP_MAX_SESSION_TIMEOUT_MS =
            KEYS.int32("group.max.session.timeout.ms", 1_800_000, MEDIUM)
                    .doc("Longest session time-out that a member of a classic group may ask for.");

    public static final ConfigKey<Integer> GROUP_INITIAL_REBALANCE_DELAY_MS =
            KEYS.int32("group.initial.rebalance.delay.ms", 3000, MEDIUM)
                    .doc(
                            "How long a new classic group waits for more members before its first assignment.");

    public static final ConfigKey<Integer> GROUP_MAX_SIZE =
            KEYS.int32("group.max.size", Integer.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Members that a classic group takes.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_SESSION_TIMEOUT_MS =
            KEYS.int32("group.consumer.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Silence after which a member of a consumer group is removed.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS =
            KEYS.int32("group.consumer.min.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Smallest session time-out that a consumer group may be given.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_MAX_SESSION_TIMEOUT_MS =
            KEYS.int32("group.consumer.max.session.timeout.ms", 60_000, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Largest session time-out that a consumer group may be given.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.consumer.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .doc(
                            "Pause between heartbeats that members of a consumer group are told; those that wait for partitions"
                                    + " are told a fifth of it.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.consumer.min.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Smallest pause between heartbeats that a consumer group may be given.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_MAX_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.consumer.max.heartbeat.interval.ms", 15_000, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Largest pause between heartbeats that a consumer group may be given.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_MAX_SIZE =
            KEYS.int32("group.consumer.max.size", Integer.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Members that a consumer group takes.");

    public static final ConfigKey<List<String>> GROUP_CONSUMER_ASSIGNORS =
            KEYS.list("group.consumer.assignors", List.of("uniform", "range"), MEDIUM)
                    .allowing(someEntries())
                    .doc(
                            "Server-side assignors on offer, the first being the default: `uniform` and `range`; other classes cannot be loaded.");

    public static final ConfigKey<String> GROUP_CONSUMER_MIGRATION_POLICY =
            KEYS.string("group.consumer.migration.policy", "bidirectional", MEDIUM)
                    .allowing(
                            oneOfIgnoringCase("disabled", "downgrade", "upgrade", "bidirectional"))
                    .doc(
                            "In which direction groups may move between the classic and the consumer protocol while members are there.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.consumer.assignment.interval.ms", 1000, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("Shortest time between two assignments of a consumer group.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_MIN_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.consumer.min.assignment.interval.ms", 0, MEDIUM)
                    .allowing(atLeast(0))
                    .doc("Smallest assignment interval that a consumer group may be given.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_MAX_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.consumer.max.assignment.interval.ms", 15_000, MEDIUM)
                    .allowing(atLeast(0))
                    .doc("Largest assignment interval that a consumer group may be given.");

    public static final ConfigKey<Boolean> GROUP_CONSUMER_ASSIGNOR_OFFLOAD_ENABLE =
            KEYS.bool("group.consumer.assignor.offload.enable", true, MEDIUM)
                    .clusterWide()
                    .internal()
                    .noEffect(Reasons.OFFLOAD)
                    .doc("Whether assignments are computed away from the coordinator's thread.");

    public static final ConfigKey<Integer> GROUP_CONSUMER_REGEX_REFRESH_INTERVAL_MS =
            KEYS.int32("group.consumer.regex.refresh.interval.ms", 600_000, MEDIUM)
                    .allowing(atLeast(10_000))
                    .internal()
                    .doc(
                            "How often a subscribed regular expression is matched again without being asked.");

    public static final ConfigKey<Integer> OFFSET_METADATA_MAX_BYTES =
            KEYS.int32("offset.metadata.max.bytes", 4096, HIGH)
                    .doc("Largest text that may be committed beside an offset.");

    public static final ConfigKey<Integer> OFFSETS_LOAD_BUFFER_SIZE =
            KEYS.int32("offsets.load.buffer.size", 5_242_880, HIGH)
                    .allowing(atLeast(1))
                    .noEffect("offsets are loaded through the log's own read sizes")
                    .doc("Bytes read at once while offsets are loaded.");

    public static final ConfigKey<Integer> OFFSETS_COMMIT_TIMEOUT_MS =
            KEYS.int32("offsets.commit.timeout.ms", 5000, HIGH)
                    .allowing(atLeast(1))
                    .doc("How long a coordinator's write may take before its request fails.");

    public static final ConfigKey<Integer> OFFSETS_RETENTION_MINUTES =
            KEYS.int32("offsets.retention.minutes", Integer.MAX_VALUE, HIGH)
                    .insteadOf(
                            "10080",
                            "a group on holiday must not lose its place: offsets go with their topic or group, not with time")
                    .allowing(atLeast(1))
                    .doc(
                            "Time after which offsets of a group without members, or of a topic no longer subscribed, are forgotten; by default never.");

    public static final ConfigKey<Long> OFFSETS_RETENTION_CHECK_INTERVAL_MS =
            KEYS.int64("offsets.retention.check.interval.ms", 600_000, HIGH)
                    .allowing(atLeast(1))
                    .doc("Pause between two searches for offsets to forget.");

    public static final ConfigKey<Integer> OFFSETS_TOPIC_NUM_PARTITIONS =
            KEYS.int32("offsets.topic.num.partitions", 50, HIGH)
                    .allowing(atLeast(1))
                    .doc("Partitions of the topic that keeps offsets and groups.");

    public static final ConfigKey<Short> OFFSETS_TOPIC_REPLICATION_FACTOR =
            KEYS.int16("offsets.topic.replication.factor", HIGH)
                    .derived("min(3, brokers)", s -> (short) s.defaultReplicationFactor())
                    .insteadOf(
                            "3", "internal topics start with what the cluster has and grow with it")
                    .allowing(atLeast(1))
                    .doc("Replicas of the topic that keeps offsets and groups.");

    public static final ConfigKey<Integer> OFFSETS_TOPIC_SEGMENT_BYTES =
            KEYS.int32("offsets.topic.segment.bytes", 104_857_600, HIGH)
                    .allowing(atLeast(1))
                    .doc("Segment size of the topic that keeps offsets and groups.");

    public static final ConfigKey<Integer> OFFSETS_TOPIC_COMPRESSION_CODEC =
            KEYS.int32("offsets.topic.compression.codec", 0, HIGH)
                    .doc(
                            "Codec of the topic that keeps offsets and groups: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd.");

    private GroupKeys() {}
}

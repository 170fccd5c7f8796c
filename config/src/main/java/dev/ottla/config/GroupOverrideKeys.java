package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.oneOf;
import static dev.ottla.config.Feature.SHARE_GROUPS;
import static dev.ottla.config.Feature.STREAMS_GROUPS;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Set on one group; what is not set follows the broker's key. Immutable.
public final class GroupOverrideKeys {
    static final KeyArea KEYS = new KeyArea(Scope.GROUP, "Single groups");

    public static final ConfigKey<Integer> CONSUMER_SESSION_TIMEOUT_MS =
            KEYS.int32("consumer.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .from(GroupKeys.GROUP_CONSUMER_SESSION_TIMEOUT_MS)
                    .doc("Silence after which a member of this consumer group is removed.");

    public static final ConfigKey<Integer> CONSUMER_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("consumer.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .from(GroupKeys.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS)
                    .doc("Pause between heartbeats that members of this consumer group are told.");

    public static final ConfigKey<Integer> CONSUMER_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("consumer.assignment.interval.ms", 1000, MEDIUM)
                    .allowing(atLeast(0))
                    .from(GroupKeys.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS)
                    .doc("Shortest time between two assignments of this consumer group.");

    public static final ConfigKey<Boolean> CONSUMER_ASSIGNOR_OFFLOAD_ENABLE =
            KEYS.bool("consumer.assignor.offload.enable", true, MEDIUM)
                    .internal()
                    .noEffect(Reasons.OFFLOAD)
                    .from(GroupKeys.GROUP_CONSUMER_ASSIGNOR_OFFLOAD_ENABLE)
                    .doc(
                            "Whether this group's assignments are computed away from the coordinator's thread.");

    public static final ConfigKey<String> ERRORS_DEADLETTERQUEUE_TOPIC_NAME =
            KEYS.string("errors.deadletterqueue.topic.name", "", MEDIUM)
                    .later(SHARE_GROUPS)
                    .doc("Topic for records that this share group gave up; empty keeps none.");

    public static final ConfigKey<Boolean> ERRORS_DEADLETTERQUEUE_COPY_RECORD_ENABLE =
            KEYS.bool("errors.deadletterqueue.copy.record.enable", false, MEDIUM)
                    .later(SHARE_GROUPS)
                    .doc(
                            "Whether a record that was given up is copied in full or only pointed at.");

    public static final ConfigKey<Integer> SHARE_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("share.assignment.interval.ms", 1000, MEDIUM)
                    .allowing(atLeast(0))
                    .later(SHARE_GROUPS)
                    .from(ShareGroupKeys.GROUP_SHARE_ASSIGNMENT_INTERVAL_MS)
                    .doc("Shortest time between two assignments of this share group.");

    public static final ConfigKey<Boolean> SHARE_ASSIGNOR_OFFLOAD_ENABLE =
            KEYS.bool("share.assignor.offload.enable", true, MEDIUM)
                    .internal()
                    .later(SHARE_GROUPS)
                    .from(ShareGroupKeys.GROUP_SHARE_ASSIGNOR_OFFLOAD_ENABLE)
                    .doc(
                            "Whether this share group's assignments are computed away from the coordinator's thread.");

    public static final ConfigKey<String> SHARE_AUTO_OFFSET_RESET =
            KEYS.string("share.auto.offset.reset", "latest", MEDIUM)
                    .allowing(Formats.OFFSET_RESET)
                    .later(SHARE_GROUPS)
                    .doc("Where this share group begins in a partition it has not read before.");

    public static final ConfigKey<Integer> SHARE_DELIVERY_COUNT_LIMIT =
            KEYS.int32("share.delivery.count.limit", 5, MEDIUM)
                    .allowing(atLeast(2))
                    .later(SHARE_GROUPS)
                    .from(ShareGroupKeys.GROUP_SHARE_DELIVERY_COUNT_LIMIT)
                    .doc(
                            "How often a record is handed out to this share group before it is given up.");

    public static final ConfigKey<Integer> SHARE_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("share.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .from(ShareGroupKeys.GROUP_SHARE_HEARTBEAT_INTERVAL_MS)
                    .doc("Pause between heartbeats that members of this share group are told.");

    public static final ConfigKey<String> SHARE_ISOLATION_LEVEL =
            KEYS.string("share.isolation.level", "read_uncommitted", MEDIUM)
                    .allowing(oneOf("read_committed", "read_uncommitted"))
                    .later(SHARE_GROUPS)
                    .doc("Whether this share group sees records of open transactions.");

    public static final ConfigKey<Integer> SHARE_PARTITION_MAX_RECORD_LOCKS =
            KEYS.int32("share.partition.max.record.locks", 2000, MEDIUM)
                    .allowing(atLeast(100))
                    .later(SHARE_GROUPS)
                    .from(ShareGroupKeys.GROUP_SHARE_PARTITION_MAX_RECORD_LOCKS)
                    .doc("Records of one partition that this share group may hold at once.");

    public static final ConfigKey<Integer> SHARE_RECORD_LOCK_DURATION_MS =
            KEYS.int32("share.record.lock.duration.ms", 30_000, MEDIUM)
                    .allowing(atLeast(1000))
                    .later(SHARE_GROUPS)
                    .from(ShareGroupKeys.GROUP_SHARE_RECORD_LOCK_DURATION_MS)
                    .doc(
                            "How long a record stays with the member of this share group it was handed to.");

    public static final ConfigKey<Boolean> SHARE_RENEW_ACKNOWLEDGE_ENABLE =
            KEYS.bool("share.renew.acknowledge.enable", true, MEDIUM)
                    .later(SHARE_GROUPS)
                    .doc("Whether members of this share group may prolong the lock of a record.");

    public static final ConfigKey<Integer> SHARE_SESSION_TIMEOUT_MS =
            KEYS.int32("share.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(SHARE_GROUPS)
                    .from(ShareGroupKeys.GROUP_SHARE_SESSION_TIMEOUT_MS)
                    .doc("Silence after which a member of this share group is removed.");

    public static final ConfigKey<Long> STREAMS_ACCEPTABLE_RECOVERY_LAG =
            KEYS.int64("streams.acceptable.recovery.lag", 10_000, MEDIUM)
                    .allowing(atLeast(0))
                    .internal()
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_ACCEPTABLE_RECOVERY_LAG)
                    .doc(
                            "Records that a client of this group may still lack and yet take over a task.");

    public static final ConfigKey<Integer> STREAMS_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("streams.assignment.interval.ms", 1000, MEDIUM)
                    .allowing(atLeast(0))
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS)
                    .doc("Shortest time between two assignments of this streams group.");

    public static final ConfigKey<String> STREAMS_ASSIGNOR_NAME =
            KEYS.string("streams.assignor.name", MEDIUM)
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_ASSIGNORS, list -> list.getFirst())
                    .doc("Server-side assignor of this streams group.");

    public static final ConfigKey<Boolean> STREAMS_ASSIGNOR_OFFLOAD_ENABLE =
            KEYS.bool("streams.assignor.offload.enable", true, MEDIUM)
                    .internal()
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_ASSIGNOR_OFFLOAD_ENABLE)
                    .doc(
                            "Whether this group's tasks are assigned away from the coordinator's thread.");

    public static final ConfigKey<Integer> STREAMS_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("streams.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_HEARTBEAT_INTERVAL_MS)
                    .doc("Pause between heartbeats that clients of this streams group are told.");

    public static final ConfigKey<Integer> STREAMS_INITIAL_REBALANCE_DELAY_MS =
            KEYS.int32("streams.initial.rebalance.delay.ms", 3000, MEDIUM)
                    .allowing(atLeast(0))
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_INITIAL_REBALANCE_DELAY_MS)
                    .doc(
                            "How long this streams group waits for more clients before its first assignment.");

    public static final ConfigKey<Integer> STREAMS_NUM_STANDBY_REPLICAS =
            KEYS.int32("streams.num.standby.replicas", 0, MEDIUM)
                    .allowing(atLeast(0))
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_NUM_STANDBY_REPLICAS)
                    .doc("Standby copies of each task of this group.");

    public static final ConfigKey<Integer> STREAMS_NUM_WARMUP_REPLICAS =
            KEYS.int32("streams.num.warmup.replicas", 2, MEDIUM)
                    .allowing(atLeast(0))
                    .internal()
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_NUM_WARMUP_REPLICAS)
                    .doc("Tasks of this group that may warm up elsewhere at once.");

    public static final ConfigKey<List<String>> STREAMS_RACK_AWARE_ASSIGNMENT_TAGS =
            KEYS.list("streams.rack.aware.assignment.tags", List.of(), LOW)
                    .allowing(entries())
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_RACK_AWARE_ASSIGNMENT_TAGS)
                    .doc("Tags of the clients over which this group's standby copies are spread.");

    public static final ConfigKey<Integer> STREAMS_SESSION_TIMEOUT_MS =
            KEYS.int32("streams.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_SESSION_TIMEOUT_MS)
                    .doc("Silence after which a client of this streams group is removed.");

    public static final ConfigKey<Integer> STREAMS_TASK_OFFSET_INTERVAL_MS =
            KEYS.int32("streams.task.offset.interval.ms", 60_000, MEDIUM)
                    .allowing(atLeast(1))
                    .internal()
                    .later(STREAMS_GROUPS)
                    .from(StreamsGroupKeys.GROUP_STREAMS_TASK_OFFSET_INTERVAL_MS)
                    .doc("Pause between two reports of how far the tasks of this group have come.");

    private GroupOverrideKeys() {}
}

package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.someEntries;
import static dev.ottla.config.Feature.STREAMS_GROUPS;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Groups whose tasks the broker assigns to Kafka Streams clients. Immutable.
public final class StreamsGroupKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Streams groups");

    public static final ConfigKey<List<String>> GROUP_STREAMS_ASSIGNORS =
            KEYS.list("group.streams.assignors", List.of("sticky"), MEDIUM)
                    .allowing(someEntries())
                    .later(STREAMS_GROUPS)
                    .doc("Server-side assignor for streams groups.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MAX_SIZE =
            KEYS.int32("group.streams.max.size", Integer.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .doc("Clients that a streams group takes.");

    public static final ConfigKey<Integer> GROUP_STREAMS_SESSION_TIMEOUT_MS =
            KEYS.int32("group.streams.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .doc("Silence after which a client of a streams group is removed.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MIN_SESSION_TIMEOUT_MS =
            KEYS.int32("group.streams.min.session.timeout.ms", 45_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .doc("Smallest session time-out that a streams group may be given.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MAX_SESSION_TIMEOUT_MS =
            KEYS.int32("group.streams.max.session.timeout.ms", 60_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .doc("Largest session time-out that a streams group may be given.");

    public static final ConfigKey<Integer> GROUP_STREAMS_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.streams.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .doc("Pause between heartbeats that clients of a streams group are told.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MIN_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.streams.min.heartbeat.interval.ms", 5000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .doc("Smallest pause between heartbeats that a streams group may be given.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MAX_HEARTBEAT_INTERVAL_MS =
            KEYS.int32("group.streams.max.heartbeat.interval.ms", 15_000, MEDIUM)
                    .allowing(atLeast(1))
                    .later(STREAMS_GROUPS)
                    .doc("Largest pause between heartbeats that a streams group may be given.");

    public static final ConfigKey<Integer> GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.streams.assignment.interval.ms", 1000, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .later(STREAMS_GROUPS)
                    .doc("Shortest time between two assignments of a streams group.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MIN_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.streams.min.assignment.interval.ms", 0, MEDIUM)
                    .allowing(atLeast(0))
                    .later(STREAMS_GROUPS)
                    .doc("Smallest assignment interval that a streams group may be given.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MAX_ASSIGNMENT_INTERVAL_MS =
            KEYS.int32("group.streams.max.assignment.interval.ms", 15_000, MEDIUM)
                    .allowing(atLeast(0))
                    .later(STREAMS_GROUPS)
                    .doc("Largest assignment interval that a streams group may be given.");

    public static final ConfigKey<Boolean> GROUP_STREAMS_ASSIGNOR_OFFLOAD_ENABLE =
            KEYS.bool("group.streams.assignor.offload.enable", true, MEDIUM)
                    .clusterWide()
                    .internal()
                    .later(STREAMS_GROUPS)
                    .doc("Whether tasks are assigned away from the coordinator's thread.");

    public static final ConfigKey<Integer> GROUP_STREAMS_INITIAL_REBALANCE_DELAY_MS =
            KEYS.int32("group.streams.initial.rebalance.delay.ms", 3000, MEDIUM)
                    .allowing(atLeast(0))
                    .later(STREAMS_GROUPS)
                    .doc(
                            "How long a new streams group waits for more clients before its first assignment.");

    public static final ConfigKey<Integer> GROUP_STREAMS_NUM_STANDBY_REPLICAS =
            KEYS.int32("group.streams.num.standby.replicas", 0, MEDIUM)
                    .allowing(atLeast(0))
                    .later(STREAMS_GROUPS)
                    .doc("Standby copies of each task.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MAX_STANDBY_REPLICAS =
            KEYS.int32("group.streams.max.standby.replicas", 2, MEDIUM)
                    .allowing(atLeast(0))
                    .later(STREAMS_GROUPS)
                    .doc("Largest number of standby copies that a streams group may be given.");

    public static final ConfigKey<Integer> GROUP_STREAMS_NUM_WARMUP_REPLICAS =
            KEYS.int32("group.streams.num.warmup.replicas", 2, MEDIUM)
                    .allowing(atLeast(0))
                    .internal()
                    .later(STREAMS_GROUPS)
                    .doc("Tasks that may warm up elsewhere at once.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MAX_WARMUP_REPLICAS =
            KEYS.int32("group.streams.max.warmup.replicas", 20, MEDIUM)
                    .allowing(atLeast(0))
                    .internal()
                    .later(STREAMS_GROUPS)
                    .doc("Largest number of warming tasks that a streams group may be given.");

    public static final ConfigKey<Long> GROUP_STREAMS_ACCEPTABLE_RECOVERY_LAG =
            KEYS.int64("group.streams.acceptable.recovery.lag", 10_000, MEDIUM)
                    .allowing(atLeast(0))
                    .internal()
                    .later(STREAMS_GROUPS)
                    .doc("Records that a client may still lack and yet take over a task.");

    public static final ConfigKey<Integer> GROUP_STREAMS_TASK_OFFSET_INTERVAL_MS =
            KEYS.int32("group.streams.task.offset.interval.ms", 60_000, MEDIUM)
                    .allowing(atLeast(1))
                    .internal()
                    .later(STREAMS_GROUPS)
                    .doc("Pause between two reports of how far a client's tasks have come.");

    public static final ConfigKey<Integer> GROUP_STREAMS_MIN_TASK_OFFSET_INTERVAL_MS =
            KEYS.int32("group.streams.min.task.offset.interval.ms", 15_000, MEDIUM)
                    .allowing(atLeast(1))
                    .internal()
                    .later(STREAMS_GROUPS)
                    .doc("Smallest pause between such reports that a streams group may be given.");

    public static final ConfigKey<List<String>> GROUP_STREAMS_RACK_AWARE_ASSIGNMENT_TAGS =
            KEYS.list("group.streams.rack.aware.assignment.tags", List.of(), LOW)
                    .allowing(entries())
                    .later(STREAMS_GROUPS)
                    .doc("Tags of the clients over which standby copies are spread.");

    public static final ConfigKey<String> GROUP_STREAMS_TOPOLOGY_DESCRIPTION_PLUGIN_CLASS =
            KEYS.className("group.streams.topology.description.plugin.class", MEDIUM)
                    .noEffect(Reasons.PLUGIN)
                    .doc("Class that takes descriptions of topologies.");

    private StreamsGroupKeys() {}
}

package dev.ottla.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The bounds that a broker sets to the values of single groups.
final class GroupLimits {
    /// @param min smallest allowed value, inclusive
    /// @param max largest allowed value, inclusive
    record Bounds(
            ConfigKey<Integer> key, List<ConfigKey<Integer>> min, List<ConfigKey<Integer>> max) {
        int smallest(ConfigValues broker) {
            return min.isEmpty() ? Integer.MIN_VALUE : broker.value(min.getFirst());
        }

        int largest(ConfigValues broker) {
            return max.isEmpty() ? Integer.MAX_VALUE : broker.value(max.getFirst());
        }

        /// The broker keys that set the bounds.
        String names() {
            return Stream.concat(min.stream(), max.stream())
                    .map(ConfigKey::name)
                    .collect(Collectors.joining(" and "));
        }
    }

    static final List<Bounds> BOUNDS =
            List.of(
                    between(
                            GroupOverrideKeys.CONSUMER_SESSION_TIMEOUT_MS,
                            GroupKeys.GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS,
                            GroupKeys.GROUP_CONSUMER_MAX_SESSION_TIMEOUT_MS),
                    between(
                            GroupOverrideKeys.CONSUMER_HEARTBEAT_INTERVAL_MS,
                            GroupKeys.GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS,
                            GroupKeys.GROUP_CONSUMER_MAX_HEARTBEAT_INTERVAL_MS),
                    between(
                            GroupOverrideKeys.CONSUMER_ASSIGNMENT_INTERVAL_MS,
                            GroupKeys.GROUP_CONSUMER_MIN_ASSIGNMENT_INTERVAL_MS,
                            GroupKeys.GROUP_CONSUMER_MAX_ASSIGNMENT_INTERVAL_MS),
                    between(
                            GroupOverrideKeys.SHARE_SESSION_TIMEOUT_MS,
                            ShareGroupKeys.GROUP_SHARE_MIN_SESSION_TIMEOUT_MS,
                            ShareGroupKeys.GROUP_SHARE_MAX_SESSION_TIMEOUT_MS),
                    between(
                            GroupOverrideKeys.SHARE_HEARTBEAT_INTERVAL_MS,
                            ShareGroupKeys.GROUP_SHARE_MIN_HEARTBEAT_INTERVAL_MS,
                            ShareGroupKeys.GROUP_SHARE_MAX_HEARTBEAT_INTERVAL_MS),
                    between(
                            GroupOverrideKeys.SHARE_ASSIGNMENT_INTERVAL_MS,
                            ShareGroupKeys.GROUP_SHARE_MIN_ASSIGNMENT_INTERVAL_MS,
                            ShareGroupKeys.GROUP_SHARE_MAX_ASSIGNMENT_INTERVAL_MS),
                    between(
                            GroupOverrideKeys.SHARE_DELIVERY_COUNT_LIMIT,
                            ShareGroupKeys.GROUP_SHARE_MIN_DELIVERY_COUNT_LIMIT,
                            ShareGroupKeys.GROUP_SHARE_MAX_DELIVERY_COUNT_LIMIT),
                    between(
                            GroupOverrideKeys.SHARE_RECORD_LOCK_DURATION_MS,
                            ShareGroupKeys.GROUP_SHARE_MIN_RECORD_LOCK_DURATION_MS,
                            ShareGroupKeys.GROUP_SHARE_MAX_RECORD_LOCK_DURATION_MS),
                    between(
                            GroupOverrideKeys.SHARE_PARTITION_MAX_RECORD_LOCKS,
                            ShareGroupKeys.GROUP_SHARE_MIN_PARTITION_MAX_RECORD_LOCKS,
                            ShareGroupKeys.GROUP_SHARE_MAX_PARTITION_MAX_RECORD_LOCKS),
                    between(
                            GroupOverrideKeys.STREAMS_SESSION_TIMEOUT_MS,
                            StreamsGroupKeys.GROUP_STREAMS_MIN_SESSION_TIMEOUT_MS,
                            StreamsGroupKeys.GROUP_STREAMS_MAX_SESSION_TIMEOUT_MS),
                    between(
                            GroupOverrideKeys.STREAMS_HEARTBEAT_INTERVAL_MS,
                            StreamsGroupKeys.GROUP_STREAMS_MIN_HEARTBEAT_INTERVAL_MS,
                            StreamsGroupKeys.GROUP_STREAMS_MAX_HEARTBEAT_INTERVAL_MS),
                    between(
                            GroupOverrideKeys.STREAMS_ASSIGNMENT_INTERVAL_MS,
                            StreamsGroupKeys.GROUP_STREAMS_MIN_ASSIGNMENT_INTERVAL_MS,
                            StreamsGroupKeys.GROUP_STREAMS_MAX_ASSIGNMENT_INTERVAL_MS),
                    new Bounds(
                            GroupOverrideKeys.STREAMS_NUM_STANDBY_REPLICAS,
                            List.of(),
                            List.of(StreamsGroupKeys.GROUP_STREAMS_MAX_STANDBY_REPLICAS)),
                    new Bounds(
                            GroupOverrideKeys.STREAMS_NUM_WARMUP_REPLICAS,
                            List.of(),
                            List.of(StreamsGroupKeys.GROUP_STREAMS_MAX_WARMUP_REPLICAS)),
                    new Bounds(
                            GroupOverrideKeys.STREAMS_TASK_OFFSET_INTERVAL_MS,
                            List.of(StreamsGroupKeys.GROUP_STREAMS_MIN_TASK_OFFSET_INTERVAL_MS),
                            List.of()));

    private GroupLimits() {}

    /// `set` with every value outside the broker's bounds moved to the nearest bound: the bounds
    /// may have been changed after the group was given its value.
    static Map<ConfigKey<?>, Setting> clamp(
            Map<ConfigKey<?>, Setting> set, ConfigValues asSet, ConfigValues broker) {
        Map<ConfigKey<?>, Setting> clamped = new HashMap<>(set);
        for (Bounds bounds : BOUNDS) {
            if (set.containsKey(bounds.key())) {
                int value = asSet.value(bounds.key());
                int within =
                        Math.max(bounds.smallest(broker), Math.min(bounds.largest(broker), value));
                clamped.put(
                        bounds.key(), new Setting(new Value.Fixed<>(within), ConfigSource.GROUP));
            }
        }
        return clamped;
    }

    private static Bounds between(
            ConfigKey<Integer> key, ConfigKey<Integer> min, ConfigKey<Integer> max) {
        return new Bounds(key, List.of(min), List.of(max));
    }
}

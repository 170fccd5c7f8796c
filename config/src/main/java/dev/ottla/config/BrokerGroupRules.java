package dev.ottla.config;

import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS;
import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS;
import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_MAX_ASSIGNMENT_INTERVAL_MS;
import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_MAX_HEARTBEAT_INTERVAL_MS;
import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_MAX_SESSION_TIMEOUT_MS;
import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_MIN_ASSIGNMENT_INTERVAL_MS;
import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS;
import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS;
import static dev.ottla.config.GroupKeys.GROUP_CONSUMER_SESSION_TIMEOUT_MS;

import java.util.List;

/// What must hold between a broker's keys for consumer, share and streams groups.
final class BrokerGroupRules {
    private BrokerGroupRules() {}

    static void check(ConfigValues broker, Findings findings) {
        consumerGroups(broker, findings);
        shareGroups(findings);
        shareRecords(findings);
        streamsGroups(broker, findings);
    }

    private static void consumerGroups(ConfigValues broker, Findings findings) {
        findings.within(
                GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS,
                GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS,
                GROUP_CONSUMER_MAX_HEARTBEAT_INTERVAL_MS);
        findings.within(
                GROUP_CONSUMER_SESSION_TIMEOUT_MS,
                GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS,
                GROUP_CONSUMER_MAX_SESSION_TIMEOUT_MS);
        findings.below(GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS, GROUP_CONSUMER_SESSION_TIMEOUT_MS);
        findings.within(
                GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS,
                GROUP_CONSUMER_MIN_ASSIGNMENT_INTERVAL_MS,
                GROUP_CONSUMER_MAX_ASSIGNMENT_INTERVAL_MS);
        findings.check(
                List.of("uniform", "range")
                        .containsAll(broker.value(GroupKeys.GROUP_CONSUMER_ASSIGNORS)),
                GroupKeys.GROUP_CONSUMER_ASSIGNORS,
                "no assignors but uniform and range",
                "drop the others: no classes are loaded");
    }

    private static void shareGroups(Findings findings) {
        findings.within(
                ShareGroupKeys.GROUP_SHARE_HEARTBEAT_INTERVAL_MS,
                ShareGroupKeys.GROUP_SHARE_MIN_HEARTBEAT_INTERVAL_MS,
                ShareGroupKeys.GROUP_SHARE_MAX_HEARTBEAT_INTERVAL_MS);
        findings.within(
                ShareGroupKeys.GROUP_SHARE_SESSION_TIMEOUT_MS,
                ShareGroupKeys.GROUP_SHARE_MIN_SESSION_TIMEOUT_MS,
                ShareGroupKeys.GROUP_SHARE_MAX_SESSION_TIMEOUT_MS);
        findings.below(
                ShareGroupKeys.GROUP_SHARE_HEARTBEAT_INTERVAL_MS,
                ShareGroupKeys.GROUP_SHARE_SESSION_TIMEOUT_MS);
        findings.within(
                ShareGroupKeys.GROUP_SHARE_ASSIGNMENT_INTERVAL_MS,
                ShareGroupKeys.GROUP_SHARE_MIN_ASSIGNMENT_INTERVAL_MS,
                ShareGroupKeys.GROUP_SHARE_MAX_ASSIGNMENT_INTERVAL_MS);
    }

    private static void shareRecords(Findings findings) {
        findings.atMost(
                ShareGroupKeys.GROUP_SHARE_MAX_SIZE, ShareGroupKeys.GROUP_SHARE_MAX_SHARE_SESSIONS);
        findings.within(
                ShareGroupKeys.GROUP_SHARE_DELIVERY_COUNT_LIMIT,
                ShareGroupKeys.GROUP_SHARE_MIN_DELIVERY_COUNT_LIMIT,
                ShareGroupKeys.GROUP_SHARE_MAX_DELIVERY_COUNT_LIMIT);
        findings.within(
                ShareGroupKeys.GROUP_SHARE_RECORD_LOCK_DURATION_MS,
                ShareGroupKeys.GROUP_SHARE_MIN_RECORD_LOCK_DURATION_MS,
                ShareGroupKeys.GROUP_SHARE_MAX_RECORD_LOCK_DURATION_MS);
        findings.within(
                ShareGroupKeys.GROUP_SHARE_PARTITION_MAX_RECORD_LOCKS,
                ShareGroupKeys.GROUP_SHARE_MIN_PARTITION_MAX_RECORD_LOCKS,
                ShareGroupKeys.GROUP_SHARE_MAX_PARTITION_MAX_RECORD_LOCKS);
    }

    private static void streamsGroups(ConfigValues broker, Findings findings) {
        findings.within(
                StreamsGroupKeys.GROUP_STREAMS_HEARTBEAT_INTERVAL_MS,
                StreamsGroupKeys.GROUP_STREAMS_MIN_HEARTBEAT_INTERVAL_MS,
                StreamsGroupKeys.GROUP_STREAMS_MAX_HEARTBEAT_INTERVAL_MS);
        findings.within(
                StreamsGroupKeys.GROUP_STREAMS_SESSION_TIMEOUT_MS,
                StreamsGroupKeys.GROUP_STREAMS_MIN_SESSION_TIMEOUT_MS,
                StreamsGroupKeys.GROUP_STREAMS_MAX_SESSION_TIMEOUT_MS);
        findings.below(
                StreamsGroupKeys.GROUP_STREAMS_HEARTBEAT_INTERVAL_MS,
                StreamsGroupKeys.GROUP_STREAMS_SESSION_TIMEOUT_MS);
        findings.within(
                StreamsGroupKeys.GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS,
                StreamsGroupKeys.GROUP_STREAMS_MIN_ASSIGNMENT_INTERVAL_MS,
                StreamsGroupKeys.GROUP_STREAMS_MAX_ASSIGNMENT_INTERVAL_MS);
        findings.atMost(
                StreamsGroupKeys.GROUP_STREAMS_NUM_STANDBY_REPLICAS,
                StreamsGroupKeys.GROUP_STREAMS_MAX_STANDBY_REPLICAS);
        findings.atMost(
                StreamsGroupKeys.GROUP_STREAMS_NUM_WARMUP_REPLICAS,
                StreamsGroupKeys.GROUP_STREAMS_MAX_WARMUP_REPLICAS);
        findings.atMost(
                StreamsGroupKeys.GROUP_STREAMS_MIN_TASK_OFFSET_INTERVAL_MS,
                StreamsGroupKeys.GROUP_STREAMS_TASK_OFFSET_INTERVAL_MS);
        findings.check(
                broker.value(StreamsGroupKeys.GROUP_STREAMS_ASSIGNORS).size() == 1,
                StreamsGroupKeys.GROUP_STREAMS_ASSIGNORS,
                "exactly one assignor",
                "name the one that all groups use");
    }
}

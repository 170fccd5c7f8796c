package dev.ottla.group.consumer;

import java.util.List;

/// The settings of the consumer protocol for one group: the broker's, with the group's own on top.
///
/// @param sessionTimeoutMs `group.consumer.session.timeout.ms`, `consumer.session.timeout.ms`
/// @param heartbeatIntervalMs `group.consumer.heartbeat.interval.ms`,
///   `consumer.heartbeat.interval.ms`
/// @param assignmentIntervalMs `group.consumer.assignment.interval.ms`,
///   `consumer.assignment.interval.ms`: two target assignments of a group are at least so far apart
/// @param regexRefreshIntervalMs `group.consumer.regex.refresh.interval.ms`
/// @param maxSize `group.consumer.max.size`
/// @param assignors `group.consumer.assignors`, names of server-side assignors, the default first
/// @param migrationPolicy `group.consumer.migration.policy`
public record ConsumerSettings(
        int sessionTimeoutMs,
        int heartbeatIntervalMs,
        int assignmentIntervalMs,
        int regexRefreshIntervalMs,
        int maxSize,
        List<String> assignors,
        MigrationPolicy migrationPolicy) {
    /// Kafka's defaults.
    public static final ConsumerSettings DEFAULT =
            new ConsumerSettings(
                    45_000,
                    5_000,
                    1_000,
                    600_000,
                    Integer.MAX_VALUE,
                    List.of("uniform", "range"),
                    MigrationPolicy.BIDIRECTIONAL);

    public ConsumerSettings {
        assignors = List.copyOf(assignors);
    }

    /// Which way a group may move between the protocols while it runs.
    public enum MigrationPolicy {
        /// From classic to consumer and back.
        BIDIRECTIONAL,
        /// From classic to consumer only.
        UPGRADE,
        /// From consumer to classic only.
        DOWNGRADE,
        /// Only while the group is empty.
        DISABLED;

        public boolean allowsUpgrade() {
            return this == BIDIRECTIONAL || this == UPGRADE;
        }

        public boolean allowsDowngrade() {
            return this == BIDIRECTIONAL || this == DOWNGRADE;
        }
    }
}

package dev.ottla.group.classic;

/// The settings of the classic protocol, with Kafka's names.
///
/// @param minSessionTimeoutMs `group.min.session.timeout.ms`
/// @param maxSessionTimeoutMs `group.max.session.timeout.ms`
/// @param initialRebalanceDelayMs `group.initial.rebalance.delay.ms`
/// @param maxSize `group.max.size`
/// @param maxRecordBytes the largest group record the coordinator's partition takes; a group that
///   outgrows it is told so instead of being written
public record ClassicSettings(
        int minSessionTimeoutMs,
        int maxSessionTimeoutMs,
        int initialRebalanceDelayMs,
        int maxSize,
        int maxRecordBytes) {
    /// Kafka's defaults.
    public static final ClassicSettings DEFAULT =
            new ClassicSettings(6_000, 1_800_000, 3_000, Integer.MAX_VALUE, 1_048_576);
}

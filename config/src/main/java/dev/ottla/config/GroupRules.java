package dev.ottla.config;

import java.util.List;

/// What must hold for the values of one group: they lie within the broker's bounds and fit each
/// other.
final class GroupRules {
    private GroupRules() {}

    /// @param group values as they are set, before they are moved into the bounds
    static List<ConfigProblem> check(ConfigValues group, ConfigValues broker) {
        Findings findings = new Findings(group);
        for (GroupLimits.Bounds bounds : GroupLimits.BOUNDS) {
            if (group.source(bounds.key()) == ConfigSource.GROUP) {
                int value = group.value(bounds.key());
                findings.check(
                        value >= bounds.smallest(broker) && value <= bounds.largest(broker),
                        bounds.key(),
                        "from %d to %d, the bounds that the broker's %s set"
                                .formatted(
                                        bounds.smallest(broker),
                                        bounds.largest(broker),
                                        bounds.names()),
                        "choose a value within, or change the broker's bounds");
            }
        }
        findings.below(
                GroupOverrideKeys.CONSUMER_HEARTBEAT_INTERVAL_MS,
                GroupOverrideKeys.CONSUMER_SESSION_TIMEOUT_MS);
        findings.below(
                GroupOverrideKeys.SHARE_HEARTBEAT_INTERVAL_MS,
                GroupOverrideKeys.SHARE_SESSION_TIMEOUT_MS);
        findings.below(
                GroupOverrideKeys.STREAMS_HEARTBEAT_INTERVAL_MS,
                GroupOverrideKeys.STREAMS_SESSION_TIMEOUT_MS);
        names(group, broker, findings);
        return findings.problems();
    }

    private static void names(ConfigValues group, ConfigValues broker, Findings findings) {
        String deadLetters = group.value(GroupOverrideKeys.ERRORS_DEADLETTERQUEUE_TOPIC_NAME);
        findings.check(
                !deadLetters.startsWith("__"),
                GroupOverrideKeys.ERRORS_DEADLETTERQUEUE_TOPIC_NAME,
                "a topic of your own, not an internal one",
                "choose a name that does not begin with __");
        group.optional(GroupOverrideKeys.STREAMS_ASSIGNOR_NAME)
                .filter(name ->
                        !broker.value(StreamsGroupKeys.GROUP_STREAMS_ASSIGNORS).contains(name))
                .ifPresent(_ ->
                        findings.problem(
                                GroupOverrideKeys.STREAMS_ASSIGNOR_NAME,
                                "an assignor of group.streams.assignors",
                                "use one of "
                                        + broker.value(StreamsGroupKeys.GROUP_STREAMS_ASSIGNORS)));
    }
}

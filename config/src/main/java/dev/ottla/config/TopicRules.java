package dev.ottla.config;

import java.util.List;

/// What must hold between the keys of a topic, as Kafka demands it.
final class TopicRules {
    private TopicRules() {}

    static List<ConfigProblem> check(ConfigValues topic, ConfigValues broker) {
        Findings findings = new Findings(topic);
        findings.atMost(TopicKeys.MIN_COMPACTION_LAG_MS, TopicKeys.MAX_COMPACTION_LAG_MS);
        if (topic.value(TopicKeys.REMOTE_STORAGE_ENABLE)) {
            tiered(topic, broker, findings);
        }
        return findings.problems();
    }

    private static void tiered(ConfigValues topic, ConfigValues broker, Findings findings) {
        findings.check(
                broker.value(TieredStorageKeys.REMOTE_LOG_STORAGE_SYSTEM_ENABLE),
                TopicKeys.REMOTE_STORAGE_ENABLE,
                "false while remote.log.storage.system.enable is false",
                "switch tiered storage on for the brokers first");
        findings.check(
                List.of("delete").containsAll(topic.value(TopicKeys.CLEANUP_POLICY)),
                TopicKeys.CLEANUP_POLICY,
                "delete or nothing on a tiered topic",
                "do not compact a tiered topic");
        Tiering.local(findings, TopicKeys.LOCAL_RETENTION_BYTES, TopicKeys.RETENTION_BYTES);
        Tiering.local(findings, TopicKeys.LOCAL_RETENTION_MS, TopicKeys.RETENTION_MS);
        Tiering.copyLag(
                findings,
                TopicKeys.REMOTE_COPY_LAG_BYTES,
                TopicKeys.LOCAL_RETENTION_BYTES,
                TopicKeys.RETENTION_BYTES);
        Tiering.copyLag(
                findings,
                TopicKeys.REMOTE_COPY_LAG_MS,
                TopicKeys.LOCAL_RETENTION_MS,
                TopicKeys.RETENTION_MS);
        if (topic.value(TopicKeys.REMOTE_LOG_COPY_DISABLE)) {
            sameLocally(findings, TopicKeys.LOCAL_RETENTION_BYTES, TopicKeys.RETENTION_BYTES);
            sameLocally(findings, TopicKeys.LOCAL_RETENTION_MS, TopicKeys.RETENTION_MS);
        }
    }

    /// Nothing more is copied, so what leaves here is gone.
    private static void sameLocally(
            Findings findings, ConfigKey<Long> local, ConfigKey<Long> total) {
        long limit = findings.value(local);
        findings.check(
                limit == -2 || limit == findings.value(total),
                local,
                "the same as %s, or -2, while remote.log.copy.disable is true".formatted(total),
                "set it to -2");
    }
}

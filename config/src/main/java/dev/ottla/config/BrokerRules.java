package dev.ottla.config;

import java.util.HashSet;
import java.util.List;

/// What must hold between the keys of a broker, as Kafka demands it.
final class BrokerRules {
    private static final long ONE_MEBIBYTE = 1 << 20;

    /// More threads of one kind help nobody, and what asks for many more is a slip of the pen.
    static final int MOST_THREADS = 1_024;

    private BrokerRules() {}

    static List<ConfigProblem> check(ConfigValues broker) {
        Findings findings = new Findings(broker);
        identity(broker, findings);
        network(broker, findings);
        threads(broker, findings);
        directories(broker, findings);
        log(broker, findings);
        findings.atMost(
                ReplicationKeys.REPLICA_FETCH_WAIT_MAX_MS,
                ReplicationKeys.REPLICA_SOCKET_TIMEOUT_MS);
        findings.atMost(
                ReplicationKeys.REPLICA_FETCH_WAIT_MAX_MS, ReplicationKeys.REPLICA_LAG_TIME_MAX_MS);
        groups(broker, findings);
        BrokerGroupRules.check(broker, findings);
        access(broker, findings);
        return findings.problems();
    }

    private static void identity(ConfigValues broker, Findings findings) {
        int brokerId = broker.value(ServerKeys.BROKER_ID);
        int nodeId = broker.optional(ServerKeys.NODE_ID).orElse(brokerId);
        findings.check(
                brokerId < 0 || nodeId == brokerId,
                ServerKeys.BROKER_ID,
                "the same number as node.id = " + nodeId,
                "drop broker.id, the older of the two");
    }

    /// Whoever names an authorizer does not want a broker that is open to all.
    private static void access(ConfigValues broker, Findings findings) {
        findings.check(
                broker.value(AccessKeys.AUTHORIZER_CLASS_NAME).isEmpty(),
                AccessKeys.AUTHORIZER_CLASS_NAME,
                "no authorizer, for authorization is not built yet",
                "leave it out within a network you trust");
    }

    private static void network(ConfigValues broker, Findings findings) {
        if (broker.value(NetworkKeys.QUEUED_MAX_REQUEST_BYTES) > 0) {
            findings.atMost(
                    NetworkKeys.SOCKET_REQUEST_MAX_BYTES, NetworkKeys.QUEUED_MAX_REQUEST_BYTES);
        }
        if (broker.value(NetworkKeys.CONNECTIONS_MAX_IDLE_MS) >= 0) {
            findings.below(
                    NetworkKeys.CONNECTION_FAILED_AUTHENTICATION_DELAY_MS,
                    NetworkKeys.CONNECTIONS_MAX_IDLE_MS);
        }
        findings.check(
                broker.value(NetworkKeys.MAX_CONNECTIONS_PER_IP) > 0
                        || !broker.value(NetworkKeys.MAX_CONNECTIONS_PER_IP_OVERRIDES).isEmpty(),
                NetworkKeys.MAX_CONNECTIONS_PER_IP,
                "at least 1 unless max.connections.per.ip.overrides lets somebody in",
                "raise it or name those who may connect");
        for (String override : AddressLimits.malformed(broker)) {
            findings.problem(
                    NetworkKeys.MAX_CONNECTIONS_PER_IP_OVERRIDES,
                    "address:count separated by commas, the address not a name",
                    "correct '%s'".formatted(override));
        }
        findings.check(
                !broker.isSet(NetworkKeys.INTER_BROKER_LISTENER_NAME)
                        || !broker.isSet(AccessKeys.SECURITY_INTER_BROKER_PROTOCOL),
                AccessKeys.SECURITY_INTER_BROKER_PROTOCOL,
                "no value beside inter.broker.listener.name",
                "drop one of the two");
    }

    /// Kafka has no bound and fails when the system has no more threads.
    private static void threads(ConfigValues broker, Findings findings) {
        for (ConfigKey<Integer> count :
                List.of(
                        NetworkKeys.NUM_NETWORK_THREADS,
                        LogKeys.NUM_RECOVERY_THREADS_PER_DATA_DIR,
                        GroupKeys.GROUP_COORDINATOR_BACKGROUND_THREADS)) {
            findings.check(
                    broker.value(count) <= MOST_THREADS,
                    count,
                    "at most " + MOST_THREADS,
                    "lower it: more threads than processors seldom help");
        }
    }

    private static void directories(ConfigValues broker, Findings findings) {
        List<String> directories = broker.value(LogKeys.LOG_DIRS);
        List<String> cordoned = broker.value(LogKeys.CORDONED_LOG_DIRS);
        findings.check(
                cordoned.equals(List.of("*")) || new HashSet<>(directories).containsAll(cordoned),
                LogKeys.CORDONED_LOG_DIRS,
                "`*` alone, or directories of log.dirs = " + String.join(",", directories),
                "name data directories as log.dirs does");
        findings.atMost(LogKeys.LOG_DIR_MIN_FREE_BYTES, LogKeys.LOG_DIR_RESUME_FREE_BYTES);
    }

    private static void log(ConfigValues broker, Findings findings) {
        findings.check(
                broker.value(LogKeys.LOG_ROLL_MS) >= 1,
                LogKeys.LOG_ROLL_MS,
                "at least 1",
                "set the age at which segments roll");
        findings.check(
                broker.value(LogKeys.LOG_ROLL_JITTER_MS) >= 0,
                LogKeys.LOG_ROLL_JITTER_MS,
                "at least 0",
                "use 0 for no random part");
        findings.check(
                broker.value(RetentionKeys.LOG_RETENTION_MS) != 0,
                RetentionKeys.LOG_RETENTION_MS,
                "at least 1, or -1 to keep records for good",
                "set log.retention.ms, .minutes or .hours so");
        long cleaners = broker.value(RetentionKeys.LOG_CLEANER_THREADS);
        findings.check(
                cleaners > 0
                        && broker.value(RetentionKeys.LOG_CLEANER_DEDUPE_BUFFER_SIZE) / cleaners
                                > ONE_MEBIBYTE,
                RetentionKeys.LOG_CLEANER_DEDUPE_BUFFER_SIZE,
                "more than 1 MiB for each of " + cleaners + " log.cleaner.threads",
                "raise it or use fewer threads");
        findings.atMost(
                RetentionKeys.LOG_CLEANER_MIN_COMPACTION_LAG_MS,
                RetentionKeys.LOG_CLEANER_MAX_COMPACTION_LAG_MS);
        if (broker.value(TieredStorageKeys.REMOTE_LOG_STORAGE_SYSTEM_ENABLE)) {
            Tiering.local(
                    findings,
                    TieredStorageKeys.LOG_LOCAL_RETENTION_BYTES,
                    RetentionKeys.LOG_RETENTION_BYTES);
            Tiering.local(
                    findings,
                    TieredStorageKeys.LOG_LOCAL_RETENTION_MS,
                    RetentionKeys.LOG_RETENTION_MS);
        }
    }

    private static void groups(ConfigValues broker, Findings findings) {
        findings.check(
                broker.value(GroupKeys.GROUP_COORDINATOR_REBALANCE_PROTOCOLS).contains("classic"),
                GroupKeys.GROUP_COORDINATOR_REBALANCE_PROTOCOLS,
                "a list with classic in it",
                "add classic");
        for (ConfigKey<Integer> codec :
                List.of(
                        GroupKeys.OFFSETS_TOPIC_COMPRESSION_CODEC,
                        ShareGroupKeys.SHARE_COORDINATOR_STATE_TOPIC_COMPRESSION_CODEC)) {
            int id = broker.value(codec);
            findings.check(
                    id >= 0 && id <= 4,
                    codec,
                    "0 none, 1 gzip, 2 snappy, 3 lz4 or 4 zstd",
                    "use one of these numbers");
        }
    }
}

package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Feature.TRANSACTIONS;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.LOW;

/// The transaction coordinator and its topic. Immutable.
public final class TransactionKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Transactions");

    public static final ConfigKey<Integer> TRANSACTION_MAX_TIMEOUT_MS =
            KEYS.int32("transaction.max.timeout.ms", 900_000, HIGH)
                    .allowing(atLeast(1))
                    .later(TRANSACTIONS)
                    .doc("Longest time-out that a transactional producer may ask for.");

    public static final ConfigKey<Integer> TRANSACTIONAL_ID_EXPIRATION_MS =
            KEYS.int32("transactional.id.expiration.ms", 604_800_000, HIGH)
                    .allowing(atLeast(1))
                    .later(TRANSACTIONS)
                    .doc("Silence after which a transactional id is forgotten.");

    public static final ConfigKey<Integer> TRANSACTION_STATE_LOG_NUM_PARTITIONS =
            KEYS.int32("transaction.state.log.num.partitions", 50, HIGH)
                    .allowing(atLeast(1))
                    .later(TRANSACTIONS)
                    .doc("Partitions of the topic that keeps transactions.");

    public static final ConfigKey<Short> TRANSACTION_STATE_LOG_REPLICATION_FACTOR =
            KEYS.int16("transaction.state.log.replication.factor", HIGH)
                    .derived("min(3, brokers)", s -> (short) s.defaultReplicationFactor())
                    .insteadOf(
                            "3", "internal topics start with what the cluster has and grow with it")
                    .allowing(atLeast(1))
                    .later(TRANSACTIONS)
                    .doc("Replicas of the topic that keeps transactions.");

    public static final ConfigKey<Integer> TRANSACTION_STATE_LOG_MIN_ISR =
            KEYS.int32("transaction.state.log.min.isr", HIGH)
                    .derived(
                            "a majority of the replicas from three up, else 1",
                            Surroundings::majorityOfDefault)
                    .insteadOf(
                            "2", "internal topics start with what the cluster has and grow with it")
                    .allowing(atLeast(1))
                    .later(TRANSACTIONS)
                    .doc(
                            "In-sync replicas that the topic that keeps transactions needs for a write.");

    public static final ConfigKey<Integer> TRANSACTION_STATE_LOG_SEGMENT_BYTES =
            KEYS.int32("transaction.state.log.segment.bytes", 104_857_600, HIGH)
                    .allowing(atLeast(1))
                    .later(TRANSACTIONS)
                    .doc("Segment size of the topic that keeps transactions.");

    public static final ConfigKey<Integer> TRANSACTION_STATE_LOG_LOAD_BUFFER_SIZE =
            KEYS.int32("transaction.state.log.load.buffer.size", 5_242_880, HIGH)
                    .allowing(atLeast(1))
                    .later(TRANSACTIONS)
                    .doc("Bytes read at once while transactions are loaded.");

    public static final ConfigKey<Integer>
            TRANSACTION_ABORT_TIMED_OUT_TRANSACTION_CLEANUP_INTERVAL_MS =
                    KEYS.int32(
                                    "transaction.abort.timed.out.transaction.cleanup.interval.ms",
                                    10_000,
                                    LOW)
                            .allowing(atLeast(1))
                            .later(TRANSACTIONS)
                            .doc("Pause between two searches for transactions to abort.");

    public static final ConfigKey<Integer>
            TRANSACTION_REMOVE_EXPIRED_TRANSACTION_CLEANUP_INTERVAL_MS =
                    KEYS.int32(
                                    "transaction.remove.expired.transaction.cleanup.interval.ms",
                                    3_600_000,
                                    LOW)
                            .allowing(atLeast(1))
                            .later(TRANSACTIONS)
                            .doc("Pause between two searches for transactional ids to forget.");

    public static final ConfigKey<Boolean> TRANSACTION_PARTITION_VERIFICATION_ENABLE =
            KEYS.bool("transaction.partition.verification.enable", true, LOW)
                    .clusterWide()
                    .later(TRANSACTIONS)
                    .doc(
                            "Whether a partition makes sure of a transaction before it takes its records.");

    public static final ConfigKey<Boolean> TRANSACTION_TWO_PHASE_COMMIT_ENABLE =
            KEYS.bool("transaction.two.phase.commit.enable", false, LOW)
                    .later(TRANSACTIONS)
                    .doc("Whether a transaction may be held open by an outside coordinator.");

    public static final ConfigKey<Integer> ADD_PARTITIONS_TO_TXN_RETRY_BACKOFF_MS =
            KEYS.int32("add.partitions.to.txn.retry.backoff.ms", 20, HIGH)
                    .allowing(atLeast(1))
                    .later(TRANSACTIONS)
                    .doc(
                            "First pause before adding a partition to a transaction is tried again by the broker.");

    public static final ConfigKey<Integer> ADD_PARTITIONS_TO_TXN_RETRY_BACKOFF_MAX_MS =
            KEYS.int32("add.partitions.to.txn.retry.backoff.max.ms", 100, HIGH)
                    .allowing(atLeast(0))
                    .later(TRANSACTIONS)
                    .doc(
                            "Longest span over which the broker tries to add a partition to a transaction.");

    private TransactionKeys() {}
}

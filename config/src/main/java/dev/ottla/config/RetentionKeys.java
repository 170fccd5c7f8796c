package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.fraction;
import static dev.ottla.config.Feature.COMPACTION;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// What leaves a log, and when. Immutable.
public final class RetentionKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Retention and compaction");

    public static final ConfigKey<List<String>> LOG_CLEANUP_POLICY =
            KEYS.list("log.cleanup.policy", List.of("delete"), MEDIUM)
                    .allowing(entries("compact", "delete"))
                    .clusterWide()
                    .doc(
                            "How old data leaves: `delete` by age and size, `compact` by key; compaction itself comes later, until then such data stays.");

    public static final ConfigKey<Integer> LOG_RETENTION_HOURS =
            KEYS.int32("log.retention.hours", 168, HIGH)
                    .doc("Age in hours, used when neither of the finer keys is set.");

    public static final ConfigKey<Integer> LOG_RETENTION_MINUTES =
            KEYS.int32("log.retention.minutes", HIGH)
                    .doc("Age in minutes, used when `log.retention.ms` is not set.");

    public static final ConfigKey<Long> LOG_RETENTION_MS =
            KEYS.int64("log.retention.ms", HIGH)
                    .clusterWide()
                    .from(LOG_RETENTION_MINUTES, Conversions::minutes)
                    .from(LOG_RETENTION_HOURS, Conversions::hours)
                    .doc("Age at which records may be deleted; -1 keeps them for good.");

    public static final ConfigKey<Long> LOG_RETENTION_BYTES =
            KEYS.int64("log.retention.bytes", -1, HIGH)
                    .clusterWide()
                    .doc("Size that a partition is cut back to; -1 sets no limit.");

    public static final ConfigKey<Long> LOG_RETENTION_CHECK_INTERVAL_MS =
            KEYS.int64("log.retention.check.interval.ms", 300_000, MEDIUM)
                    .allowing(atLeast(1))
                    .doc("Pause between two searches for segments to delete.");

    public static final ConfigKey<Boolean> LOG_CLEANER_ENABLE =
            KEYS.bool("log.cleaner.enable", true, MEDIUM)
                    .later(COMPACTION)
                    .doc("Whether logs are compacted at all.");

    public static final ConfigKey<Integer> LOG_CLEANER_THREADS =
            KEYS.int32("log.cleaner.threads", 1, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("Threads that compact.");

    public static final ConfigKey<Double> LOG_CLEANER_IO_MAX_BYTES_PER_SECOND =
            KEYS.float64("log.cleaner.io.max.bytes.per.second", Double.MAX_VALUE, MEDIUM)
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("Bytes that compaction may read and write per second.");

    public static final ConfigKey<Long> LOG_CLEANER_DEDUPE_BUFFER_SIZE =
            KEYS.int64("log.cleaner.dedupe.buffer.size", 134_217_728, MEDIUM)
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("Memory for the keys of the logs being compacted.");

    public static final ConfigKey<Integer> LOG_CLEANER_IO_BUFFER_SIZE =
            KEYS.int32("log.cleaner.io.buffer.size", 524_288, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("Memory for the records being compacted.");

    public static final ConfigKey<Double> LOG_CLEANER_IO_BUFFER_LOAD_FACTOR =
            KEYS.float64("log.cleaner.io.buffer.load.factor", 0.9, MEDIUM)
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("How full the memory for keys may get.");

    public static final ConfigKey<Long> LOG_CLEANER_BACKOFF_MS =
            KEYS.int64("log.cleaner.backoff.ms", 15_000, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("Pause when no log needs compaction.");

    public static final ConfigKey<Double> LOG_CLEANER_MIN_CLEANABLE_RATIO =
            KEYS.float64("log.cleaner.min.cleanable.ratio", 0.5, MEDIUM)
                    .allowing(fraction(0, 1))
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("Share of not yet compacted data from which a log is worth compacting.");

    public static final ConfigKey<Long> LOG_CLEANER_DELETE_RETENTION_MS =
            KEYS.int64("log.cleaner.delete.retention.ms", 86_400_000, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("How long a tombstone stays after compaction has passed it.");

    public static final ConfigKey<Long> LOG_CLEANER_MIN_COMPACTION_LAG_MS =
            KEYS.int64("log.cleaner.min.compaction.lag.ms", 0, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("Age before which a record is never compacted away.");

    public static final ConfigKey<Long> LOG_CLEANER_MAX_COMPACTION_LAG_MS =
            KEYS.int64("log.cleaner.max.compaction.lag.ms", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .later(COMPACTION)
                    .doc("Age by which a record must have been looked at by compaction.");

    private RetentionKeys() {}
}

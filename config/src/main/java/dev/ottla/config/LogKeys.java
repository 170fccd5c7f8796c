package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.between;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.oneOf;
import static dev.ottla.config.Allowed.someEntries;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.LOW;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Data directories, segments, indexes and durability. Immutable.
public final class LogKeys {
    static final KeyArea KEYS = new KeyArea(Scope.BROKER, "Log");

    public static final ConfigKey<List<String>> LOG_DIR =
            KEYS.list("log.dir", List.of("ottla-data"), HIGH)
                    .insteadOf("/tmp/kafka-logs", "data must outlive a reboot, so not under /tmp")
                    .allowing(someEntries())
                    .doc("Data directories, used when `log.dirs` is not set.");

    public static final ConfigKey<List<String>> LOG_DIRS =
            KEYS.list("log.dirs", HIGH)
                    .allowing(someEntries())
                    .from(LOG_DIR)
                    .doc("Data directories, separated by commas.");

    public static final ConfigKey<List<String>> CORDONED_LOG_DIRS =
            KEYS.list("cordoned.log.dirs", List.of(), MEDIUM)
                    .allowing(entries())
                    .perBroker()
                    .doc("Data directories that get no new partitions; `*` means all.");

    public static final ConfigKey<Long> LOG_DIR_FAILURE_TIMEOUT_MS =
            KEYS.int64("log.dir.failure.timeout.ms", 30_000, LOW)
                    .allowing(atLeast(1))
                    .noEffect(
                            "a broker that has lost a directory goes on telling the controller until that has heard it")
                    .doc(
                            "How long a failed data directory may stay unreported before the broker stops.");

    public static final ConfigKey<Integer> LOG_SEGMENT_BYTES =
            KEYS.int32("log.segment.bytes", 1_073_741_824, HIGH)
                    .allowing(atLeast(1_048_576))
                    .clusterWide()
                    .doc("Size at which a segment is closed and the next one begun.");

    public static final ConfigKey<Integer> LOG_ROLL_HOURS =
            KEYS.int32("log.roll.hours", 168, HIGH)
                    .allowing(atLeast(1))
                    .doc(
                            "Age in hours at which a segment is closed, used when `log.roll.ms` is not set.");

    public static final ConfigKey<Long> LOG_ROLL_MS =
            KEYS.int64("log.roll.ms", HIGH)
                    .clusterWide()
                    .from(LOG_ROLL_HOURS, Conversions::hours)
                    .doc("Age at which a segment is closed and the next one begun.");

    public static final ConfigKey<Integer> LOG_ROLL_JITTER_HOURS =
            KEYS.int32("log.roll.jitter.hours", 0, HIGH)
                    .allowing(atLeast(0))
                    .doc("Random part in hours, used when `log.roll.jitter.ms` is not set.");

    public static final ConfigKey<Long> LOG_ROLL_JITTER_MS =
            KEYS.int64("log.roll.jitter.ms", HIGH)
                    .clusterWide()
                    .from(LOG_ROLL_JITTER_HOURS, Conversions::hours)
                    .doc(
                            "Random part taken off the age, so that segments do not all roll at once.");

    public static final ConfigKey<Integer> LOG_INDEX_SIZE_MAX_BYTES =
            KEYS.int32("log.index.size.max.bytes", 10_485_760, MEDIUM)
                    .allowing(atLeast(4))
                    .clusterWide()
                    .doc("Largest offset index of a segment; a full one closes the segment.");

    public static final ConfigKey<Integer> LOG_INDEX_INTERVAL_BYTES =
            KEYS.int32("log.index.interval.bytes", 4096, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("Bytes of records between two entries of the offset index.");

    public static final ConfigKey<Boolean> LOG_PREALLOCATE =
            KEYS.bool("log.preallocate", false, MEDIUM)
                    .clusterWide()
                    .noEffect("nothing is preallocated; sparse tails cost nothing to recover")
                    .doc("Whether a new segment takes its full size on disk at once.");

    public static final ConfigKey<Long> LOG_SEGMENT_DELETE_DELAY_MS =
            KEYS.int64("log.segment.delete.delay.ms", 60_000, HIGH)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc(
                            "Time between taking a segment out of use and deleting its files; a full disk gets its room back at once.");

    public static final ConfigKey<Long> LOG_FLUSH_INTERVAL_MESSAGES =
            KEYS.int64("log.flush.interval.messages", Long.MAX_VALUE, HIGH)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .doc(
                            "Records after which a partition is synced to disk under `flush.policy=page-cache`.");

    public static final ConfigKey<Long> LOG_FLUSH_SCHEDULER_INTERVAL_MS =
            KEYS.int64("log.flush.scheduler.interval.ms", Long.MAX_VALUE, HIGH)
                    .doc(
                            "Time after which a partition is synced, used when `log.flush.interval.ms` is not set.");

    public static final ConfigKey<Long> LOG_FLUSH_INTERVAL_MS =
            KEYS.int64("log.flush.interval.ms", HIGH)
                    .clusterWide()
                    .from(LOG_FLUSH_SCHEDULER_INTERVAL_MS)
                    .doc(
                            "Time after which a partition is synced to disk under `flush.policy=page-cache`.");

    public static final ConfigKey<Integer> LOG_FLUSH_OFFSET_CHECKPOINT_INTERVAL_MS =
            KEYS.int32("log.flush.offset.checkpoint.interval.ms", 60_000, HIGH)
                    .allowing(atLeast(0))
                    .doc(
                            "Pause between two notes of the recovery points in a data directory's manifest.");

    public static final ConfigKey<Integer> LOG_FLUSH_START_OFFSET_CHECKPOINT_INTERVAL_MS =
            KEYS.int32("log.flush.start.offset.checkpoint.interval.ms", 60_000, HIGH)
                    .allowing(atLeast(0))
                    .noEffect("a new log start offset is on disk before DeleteRecords is answered")
                    .doc("Pause between two notes of the log start offsets.");

    public static final ConfigKey<Long> LOG_INITIAL_TASK_DELAY_MS =
            KEYS.int64("log.initial.task.delay.ms", 30_000, LOW)
                    .allowing(atLeast(0))
                    .internal()
                    .doc("Pause between start and the first housekeeping.");

    public static final ConfigKey<Integer> NUM_RECOVERY_THREADS_PER_DATA_DIR =
            KEYS.int32("num.recovery.threads.per.data.dir", 2, HIGH)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .doc(
                            "Threads of each data directory that open and recover its logs at start, at most 1024.");

    public static final ConfigKey<Integer> MIN_INSYNC_REPLICAS =
            KEYS.int32("min.insync.replicas", HIGH)
                    .derived(
                            "a majority of the replicas from three up, else 1",
                            Surroundings::majority)
                    .insteadOf("1", "an acknowledged write should survive the loss of a broker")
                    .allowing(atLeast(1))
                    .clusterWide()
                    .doc(
                            "In-sync replicas that must exist before a write with `acks=all` is taken.");

    public static final ConfigKey<Integer> MESSAGE_MAX_BYTES =
            KEYS.int32("message.max.bytes", 1_048_588, HIGH)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("Largest record batch, compressed, that a partition takes.");

    public static final ConfigKey<Integer> MAX_DECOMPRESSED_MESSAGE_BYTES =
            KEYS.int32("max.decompressed.message.bytes", Integer.MAX_VALUE - 8, MEDIUM)
                    .allowing(between(1, Integer.MAX_VALUE - 8))
                    .clusterWide()
                    .doc("Largest size that a compressed batch may unpack to.");

    public static final ConfigKey<String> COMPRESSION_TYPE =
            KEYS.string("compression.type", "producer", HIGH)
                    .allowing(oneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"))
                    .clusterWide()
                    .doc("Codec in which batches are kept; `producer` keeps them as they come.");

    public static final ConfigKey<Integer> COMPRESSION_GZIP_LEVEL =
            KEYS.int32("compression.gzip.level", -1, MEDIUM)
                    .allowing(
                            "-1 or from 1 to 9", level -> level == -1 || (level >= 1 && level <= 9))
                    .clusterWide()
                    .doc(
                            "Effort of gzip when the broker compresses; -1 is the codec's own choice.");

    public static final ConfigKey<Integer> COMPRESSION_LZ4_LEVEL =
            KEYS.int32("compression.lz4.level", 9, MEDIUM)
                    .allowing(between(1, 17))
                    .clusterWide()
                    .doc("Effort of lz4 when the broker compresses.");

    public static final ConfigKey<Integer> COMPRESSION_ZSTD_LEVEL =
            KEYS.int32("compression.zstd.level", 3, MEDIUM)
                    .allowing(between(-131_072, 22))
                    .clusterWide()
                    .doc("Effort of zstd when the broker compresses.");

    public static final ConfigKey<String> LOG_MESSAGE_TIMESTAMP_TYPE =
            KEYS.string("log.message.timestamp.type", "CreateTime", MEDIUM)
                    .allowing(oneOf("CreateTime", "LogAppendTime"))
                    .clusterWide()
                    .doc("Whether records carry the producer's time or the time of the append.");

    public static final ConfigKey<Long> LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS =
            KEYS.int64("log.message.timestamp.before.max.ms", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("How far a record's timestamp may lie in the past.");

    public static final ConfigKey<Long> LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS =
            KEYS.int64("log.message.timestamp.after.max.ms", 3_600_000, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .doc("How far a record's timestamp may lie in the future.");

    public static final ConfigKey<Integer> PRODUCER_ID_EXPIRATION_MS =
            KEYS.int32("producer.id.expiration.ms", 86_400_000, LOW)
                    .allowing(atLeast(1))
                    .clusterWide()
                    .doc("Silence after which a partition forgets a producer's sequence numbers.");

    public static final ConfigKey<Integer> PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS =
            KEYS.int32("producer.id.expiration.check.interval.ms", 600_000, LOW)
                    .allowing(atLeast(1))
                    .internal()
                    .doc("Pause between two searches for producers to forget.");

    public static final ConfigKey<String> LOG_FLUSH_POLICY =
            KEYS.string("log.flush.policy", "fsync", HIGH)
                    .allowing(oneOf("fsync", "page-cache"))
                    .clusterWide()
                    .own()
                    .doc(
                            "When a write counts as done: `fsync` on disk, `page-cache` in the operating system's memory.");

    public static final ConfigKey<Long> LOG_DIR_MIN_FREE_BYTES =
            KEYS.int64("log.dir.min.free.bytes", 268_435_456, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .own()
                    .doc(
                            "Free space of a data directory under which produce is refused with a retriable error, while reads go on and groups and metadata are still written. Unless it is set, at most 5 % of the file system.");

    public static final ConfigKey<Long> LOG_DIR_RESUME_FREE_BYTES =
            KEYS.int64("log.dir.resume.free.bytes", 536_870_912, MEDIUM)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .own()
                    .doc(
                            "Free space of a data directory from which produce is taken again. Unless it is set, at most 10 % of the file system.");

    public static final ConfigKey<Long> LOG_DIR_RESERVE_BYTES =
            KEYS.int64("log.dir.reserve.bytes", 16_777_216, LOW)
                    .allowing(atLeast(0))
                    .clusterWide()
                    .own()
                    .doc(
                            "Size of the file that is given up when a disk is full, so that groups commit, deletions are written and recovery works; 0 keeps none. Unless it is set, at most 2 % of the file system.");

    private LogKeys() {}
}

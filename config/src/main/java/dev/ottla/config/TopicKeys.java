package dev.ottla.config;

import static dev.ottla.config.Allowed.atLeast;
import static dev.ottla.config.Allowed.between;
import static dev.ottla.config.Allowed.entries;
import static dev.ottla.config.Allowed.fraction;
import static dev.ottla.config.Allowed.oneOf;
import static dev.ottla.config.Feature.COMPACTION;
import static dev.ottla.config.Feature.SHARE_GROUPS;
import static dev.ottla.config.Feature.TIERED_STORAGE;
import static dev.ottla.config.Importance.HIGH;
import static dev.ottla.config.Importance.MEDIUM;

import java.util.List;

/// Set on a topic; what is not set follows the broker's key. Immutable.
public final class TopicKeys {
    static final KeyArea KEYS = new KeyArea(Scope.TOPIC, "Topics");

    public static final ConfigKey<List<String>> CLEANUP_POLICY =
            KEYS.list("cleanup.policy", List.of("delete"), MEDIUM)
                    .allowing(entries("compact", "delete"))
                    .from(RetentionKeys.LOG_CLEANUP_POLICY)
                    .doc(
                            "How old data leaves: `delete` by age and size, `compact` by key; compaction itself comes later, until then such data stays.");

    public static final ConfigKey<String> COMPRESSION_TYPE =
            KEYS.string("compression.type", "producer", MEDIUM)
                    .allowing(oneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"))
                    .from(LogKeys.COMPRESSION_TYPE)
                    .doc("Codec in which batches are kept; `producer` keeps them as they come.");

    public static final ConfigKey<Integer> COMPRESSION_GZIP_LEVEL =
            KEYS.int32("compression.gzip.level", -1, MEDIUM)
                    .allowing(
                            "-1 or from 1 to 9", level -> level == -1 || (level >= 1 && level <= 9))
                    .from(LogKeys.COMPRESSION_GZIP_LEVEL)
                    .doc(
                            "Effort of gzip when the broker compresses; -1 is the codec's own choice.");

    public static final ConfigKey<Integer> COMPRESSION_LZ4_LEVEL =
            KEYS.int32("compression.lz4.level", 9, MEDIUM)
                    .allowing(between(1, 17))
                    .from(LogKeys.COMPRESSION_LZ4_LEVEL)
                    .doc("Effort of lz4 when the broker compresses.");

    public static final ConfigKey<Integer> COMPRESSION_ZSTD_LEVEL =
            KEYS.int32("compression.zstd.level", 3, MEDIUM)
                    .allowing(between(-131_072, 22))
                    .from(LogKeys.COMPRESSION_ZSTD_LEVEL)
                    .doc("Effort of zstd when the broker compresses.");

    public static final ConfigKey<Long> DELETE_RETENTION_MS =
            KEYS.int64("delete.retention.ms", 86_400_000, MEDIUM)
                    .allowing(atLeast(0))
                    .later(COMPACTION)
                    .from(RetentionKeys.LOG_CLEANER_DELETE_RETENTION_MS)
                    .doc("How long a tombstone stays after compaction has passed it.");

    public static final ConfigKey<Boolean> ERRORS_DEADLETTERQUEUE_GROUP_ENABLE =
            KEYS.bool("errors.deadletterqueue.group.enable", false, MEDIUM)
                    .later(SHARE_GROUPS)
                    .doc("Whether share groups may write the records they gave up to this topic.");

    public static final ConfigKey<Long> FILE_DELETE_DELAY_MS =
            KEYS.int64("file.delete.delay.ms", 60_000, MEDIUM)
                    .allowing(atLeast(0))
                    .from(LogKeys.LOG_SEGMENT_DELETE_DELAY_MS)
                    .doc(
                            "Time between taking a segment out of use and deleting its files; a full disk gets its room back at once.");

    public static final ConfigKey<Long> FLUSH_MESSAGES =
            KEYS.int64("flush.messages", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(1))
                    .from(LogKeys.LOG_FLUSH_INTERVAL_MESSAGES)
                    .doc(
                            "Records after which a partition is synced to disk under `flush.policy=page-cache`.");

    public static final ConfigKey<Long> FLUSH_MS =
            KEYS.int64("flush.ms", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .from(LogKeys.LOG_FLUSH_INTERVAL_MS)
                    .from(LogKeys.LOG_FLUSH_SCHEDULER_INTERVAL_MS)
                    .doc(
                            "Time after which a partition is synced to disk under `flush.policy=page-cache`.");

    public static final ConfigKey<String> FLUSH_POLICY =
            KEYS.string("flush.policy", "fsync", HIGH)
                    .allowing(oneOf("fsync", "page-cache"))
                    .own()
                    .from(LogKeys.LOG_FLUSH_POLICY)
                    .doc(
                            "When a write counts as done: `fsync` on disk, `page-cache` in the operating system's memory.");

    public static final ConfigKey<List<String>> FOLLOWER_REPLICATION_THROTTLED_REPLICAS =
            KEYS.list("follower.replication.throttled.replicas", List.of(), MEDIUM)
                    .allowing(Formats.THROTTLED_REPLICAS)
                    .doc(
                            "Replicas, as `partition:broker` or `*`, whose fetching is slowed to the follower rate.");

    public static final ConfigKey<List<String>> LEADER_REPLICATION_THROTTLED_REPLICAS =
            KEYS.list("leader.replication.throttled.replicas", List.of(), MEDIUM)
                    .allowing(Formats.THROTTLED_REPLICAS)
                    .doc(
                            "Replicas, as `partition:broker` or `*`, whose serving is slowed to the leader rate.");

    public static final ConfigKey<Integer> INDEX_INTERVAL_BYTES =
            KEYS.int32("index.interval.bytes", 4096, MEDIUM)
                    .allowing(atLeast(0))
                    .from(LogKeys.LOG_INDEX_INTERVAL_BYTES)
                    .doc("Bytes of records between two entries of the offset index.");

    public static final ConfigKey<Integer> INTERNAL_SEGMENT_BYTES =
            KEYS.int32("internal.segment.bytes", MEDIUM)
                    .internal()
                    .doc("Smaller segments for tests.");

    public static final ConfigKey<Long> LOCAL_RETENTION_BYTES =
            KEYS.int64("local.retention.bytes", -2, MEDIUM)
                    .allowing(atLeast(-2))
                    .later(TIERED_STORAGE)
                    .from(TieredStorageKeys.LOG_LOCAL_RETENTION_BYTES)
                    .doc(
                            "Size up to which a tiered partition keeps its segments here as well; -2 follows `retention.bytes`.");

    public static final ConfigKey<Long> LOCAL_RETENTION_MS =
            KEYS.int64("local.retention.ms", -2, MEDIUM)
                    .allowing(atLeast(-2))
                    .later(TIERED_STORAGE)
                    .from(TieredStorageKeys.LOG_LOCAL_RETENTION_MS)
                    .doc(
                            "Age up to which a tiered partition keeps its segments here as well; -2 follows `retention.ms`.");

    public static final ConfigKey<Long> MAX_COMPACTION_LAG_MS =
            KEYS.int64("max.compaction.lag.ms", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(1))
                    .later(COMPACTION)
                    .from(RetentionKeys.LOG_CLEANER_MAX_COMPACTION_LAG_MS)
                    .doc("Age by which a record must have been looked at by compaction.");

    public static final ConfigKey<Integer> MAX_DECOMPRESSED_MESSAGE_BYTES =
            KEYS.int32("max.decompressed.message.bytes", Integer.MAX_VALUE - 8, MEDIUM)
                    .allowing(between(1, Integer.MAX_VALUE - 8))
                    .from(LogKeys.MAX_DECOMPRESSED_MESSAGE_BYTES)
                    .doc("Largest size that a compressed batch may unpack to.");

    public static final ConfigKey<Integer> MAX_MESSAGE_BYTES =
            KEYS.int32("max.message.bytes", 1_048_588, MEDIUM)
                    .allowing(atLeast(0))
                    .from(LogKeys.MESSAGE_MAX_BYTES)
                    .doc("Largest record batch, compressed, that a partition takes.");

    public static final ConfigKey<Long> MESSAGE_TIMESTAMP_AFTER_MAX_MS =
            KEYS.int64("message.timestamp.after.max.ms", 3_600_000, MEDIUM)
                    .allowing(atLeast(0))
                    .from(LogKeys.LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS)
                    .doc("How far a record's timestamp may lie in the future.");

    public static final ConfigKey<Long> MESSAGE_TIMESTAMP_BEFORE_MAX_MS =
            KEYS.int64("message.timestamp.before.max.ms", Long.MAX_VALUE, MEDIUM)
                    .allowing(atLeast(0))
                    .from(LogKeys.LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS)
                    .doc("How far a record's timestamp may lie in the past.");

    public static final ConfigKey<String> MESSAGE_TIMESTAMP_TYPE =
            KEYS.string("message.timestamp.type", "CreateTime", MEDIUM)
                    .allowing(oneOf("CreateTime", "LogAppendTime"))
                    .from(LogKeys.LOG_MESSAGE_TIMESTAMP_TYPE)
                    .doc("Whether records carry the producer's time or the time of the append.");

    public static final ConfigKey<Double> MIN_CLEANABLE_DIRTY_RATIO =
            KEYS.float64("min.cleanable.dirty.ratio", 0.5, MEDIUM)
                    .allowing(fraction(0, 1))
                    .later(COMPACTION)
                    .from(RetentionKeys.LOG_CLEANER_MIN_CLEANABLE_RATIO)
                    .doc("Share of not yet compacted data from which a log is worth compacting.");

    public static final ConfigKey<Long> MIN_COMPACTION_LAG_MS =
            KEYS.int64("min.compaction.lag.ms", 0, MEDIUM)
                    .allowing(atLeast(0))
                    .later(COMPACTION)
                    .from(RetentionKeys.LOG_CLEANER_MIN_COMPACTION_LAG_MS)
                    .doc("Age before which a record is never compacted away.");

    public static final ConfigKey<Integer> MIN_INSYNC_REPLICAS =
            KEYS.int32("min.insync.replicas", MEDIUM)
                    .derived(
                            "a majority of the replicas from three up, else 1",
                            Surroundings::majority)
                    .insteadOf("1", "an acknowledged write should survive the loss of a broker")
                    .allowing(atLeast(1))
                    .from(LogKeys.MIN_INSYNC_REPLICAS)
                    .doc(
                            "In-sync replicas that must exist before a write with `acks=all` is taken.");

    public static final ConfigKey<Boolean> PREALLOCATE =
            KEYS.bool("preallocate", false, MEDIUM)
                    .noEffect("nothing is preallocated; sparse tails cost nothing to recover")
                    .from(LogKeys.LOG_PREALLOCATE)
                    .doc("Whether a new segment takes its full size on disk at once.");

    public static final ConfigKey<Long> REMOTE_COPY_LAG_BYTES =
            KEYS.int64("remote.copy.lag.bytes", -1, MEDIUM)
                    .allowing(atLeast(-1))
                    .later(TIERED_STORAGE)
                    .from(TieredStorageKeys.LOG_REMOTE_COPY_LAG_BYTES)
                    .doc(
                            "Size behind the end of the log from which a closed segment is copied away; -1 waits for the local retention.");

    public static final ConfigKey<Long> REMOTE_COPY_LAG_MS =
            KEYS.int64("remote.copy.lag.ms", 0, MEDIUM)
                    .allowing(atLeast(-1))
                    .later(TIERED_STORAGE)
                    .from(TieredStorageKeys.LOG_REMOTE_COPY_LAG_MS)
                    .doc(
                            "Age from which a closed segment is copied away; -1 waits for the local retention.");

    public static final ConfigKey<Boolean> REMOTE_LOG_COPY_DISABLE =
            KEYS.bool("remote.log.copy.disable", false, MEDIUM)
                    .later(TIERED_STORAGE)
                    .doc("Whether the topic's remote copy is only read and no longer extended.");

    public static final ConfigKey<Boolean> REMOTE_LOG_DELETE_ON_DISABLE =
            KEYS.bool("remote.log.delete.on.disable", false, MEDIUM)
                    .later(TIERED_STORAGE)
                    .doc("Whether the remote copy is deleted when the topic stops being tiered.");

    public static final ConfigKey<Boolean> REMOTE_STORAGE_ENABLE =
            KEYS.bool("remote.storage.enable", false, MEDIUM)
                    .later(TIERED_STORAGE)
                    .doc("Whether the topic is tiered.");

    public static final ConfigKey<Long> RETENTION_BYTES =
            KEYS.int64("retention.bytes", -1, MEDIUM)
                    .from(RetentionKeys.LOG_RETENTION_BYTES)
                    .doc("Size that a partition is cut back to; -1 sets no limit.");

    public static final ConfigKey<Long> RETENTION_MS =
            KEYS.int64("retention.ms", 604_800_000, MEDIUM)
                    .allowing(atLeast(-1))
                    .from(RetentionKeys.LOG_RETENTION_MS, Conversions::retention)
                    .from(RetentionKeys.LOG_RETENTION_MINUTES, Conversions::minutes)
                    .from(RetentionKeys.LOG_RETENTION_HOURS, Conversions::hours)
                    .doc("Age at which records may be deleted; -1 keeps them for good.");

    public static final ConfigKey<Integer> SEGMENT_BYTES =
            KEYS.int32("segment.bytes", 1_073_741_824, MEDIUM)
                    .allowing(atLeast(1_048_576))
                    .from(LogKeys.LOG_SEGMENT_BYTES)
                    .doc("Size at which a segment is closed and the next one begun.");

    public static final ConfigKey<Integer> SEGMENT_INDEX_BYTES =
            KEYS.int32("segment.index.bytes", 10_485_760, MEDIUM)
                    .allowing(atLeast(4))
                    .from(LogKeys.LOG_INDEX_SIZE_MAX_BYTES)
                    .doc("Largest offset index of a segment; a full one closes the segment.");

    public static final ConfigKey<Long> SEGMENT_JITTER_MS =
            KEYS.int64("segment.jitter.ms", 0, MEDIUM)
                    .allowing(atLeast(0))
                    .from(LogKeys.LOG_ROLL_JITTER_MS)
                    .from(LogKeys.LOG_ROLL_JITTER_HOURS, Conversions::hours)
                    .doc(
                            "Random part taken off the age, so that segments do not all roll at once.");

    public static final ConfigKey<Long> SEGMENT_MS =
            KEYS.int64("segment.ms", 604_800_000, MEDIUM)
                    .allowing(atLeast(1))
                    .from(LogKeys.LOG_ROLL_MS)
                    .from(LogKeys.LOG_ROLL_HOURS, Conversions::hours)
                    .doc("Age at which a segment is closed and the next one begun.");

    public static final ConfigKey<Boolean> UNCLEAN_LEADER_ELECTION_ENABLE =
            KEYS.bool("unclean.leader.election.enable", false, MEDIUM)
                    .from(ReplicationKeys.UNCLEAN_LEADER_ELECTION_ENABLE)
                    .doc(
                            "Whether a replica that may miss records can lead when no better one is left.");

    private TopicKeys() {}
}

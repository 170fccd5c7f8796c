package dev.ottla.broker.settings;

import dev.ottla.config.ConfigValues;
import dev.ottla.config.LogKeys;
import dev.ottla.config.TopicKeys;
import dev.ottla.log.FlushPolicy;
import dev.ottla.log.LogConfig;
import dev.ottla.record.Compression;
import dev.ottla.record.TimestampType;
import dev.ottla.record.TopicCompression;
import dev.ottla.record.ValidationRules;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/// What a topic's configuration means for its partitions. Immutable.
///
/// @param log settings of each partition's log
/// @param rules what batches must be like
/// @param minInSyncReplicas `min.insync.replicas`, whose default depends on the number of replicas;
///   that number is each partition's own, for a reassignment may be through with some and not
///   others
/// @param maxDecompressedBytes `max.decompressed.message.bytes`: most bytes that one batch may
///   unpack to
public record TopicSettings(
        LogConfig log,
        ValidationRules rules,
        IntUnaryOperator minInSyncReplicas,
        int maxDecompressedBytes) {

    /// Reads them from the values in force.
    ///
    /// @param topic name, for messages
    /// @param values of the topic
    /// @param broker values of the broker, for what topics cannot set
    public static TopicSettings of(String topic, ConfigValues values, ConfigValues broker) {
        List<String> cleanup = values.value(TopicKeys.CLEANUP_POLICY);
        boolean compacts = cleanup.contains("compact");
        LogConfig log =
                LogConfig.builder()
                        .segmentBytes(
                                values.optional(TopicKeys.INTERNAL_SEGMENT_BYTES)
                                        .orElse(values.value(TopicKeys.SEGMENT_BYTES)))
                        .segmentMs(values.value(TopicKeys.SEGMENT_MS))
                        .segmentJitterMs(values.value(TopicKeys.SEGMENT_JITTER_MS))
                        .segmentIndexBytes(values.value(TopicKeys.SEGMENT_INDEX_BYTES))
                        .indexIntervalBytes(values.value(TopicKeys.INDEX_INTERVAL_BYTES))
                        .retentionMs(values.value(TopicKeys.RETENTION_MS))
                        .retentionBytes(values.value(TopicKeys.RETENTION_BYTES))
                        .deletes(cleanup.contains("delete"))
                        .compacts(compacts)
                        .flushPolicy(flushPolicy(values.value(TopicKeys.FLUSH_POLICY)))
                        .flushMessages(values.value(TopicKeys.FLUSH_MESSAGES))
                        .flushMs(values.value(TopicKeys.FLUSH_MS))
                        .fileDeleteDelayMs(values.value(TopicKeys.FILE_DELETE_DELAY_MS))
                        .producerIdExpirationMs(broker.value(LogKeys.PRODUCER_ID_EXPIRATION_MS))
                        .build();
        ValidationRules rules =
                new ValidationRules(
                        topic,
                        values.value(TopicKeys.MAX_MESSAGE_BYTES),
                        log.segmentBytes(),
                        timestampType(values.value(TopicKeys.MESSAGE_TIMESTAMP_TYPE)),
                        values.value(TopicKeys.MESSAGE_TIMESTAMP_BEFORE_MAX_MS),
                        values.value(TopicKeys.MESSAGE_TIMESTAMP_AFTER_MAX_MS),
                        compacts,
                        compression(values));
        return new TopicSettings(
                log,
                rules,
                replicas ->
                        values.withReplicationFactor(replicas).value(TopicKeys.MIN_INSYNC_REPLICAS),
                values.value(TopicKeys.MAX_DECOMPRESSED_MESSAGE_BYTES));
    }

    /// The log settings of one partition, with its share of `segment.jitter.ms`: not all partitions
    /// roll at once, and each rolls at the same distance after every restart.
    public LogConfig logOf(int partition) {
        long jitterMs = log.segmentJitterMs();
        if (jitterMs <= 0) {
            return log;
        }
        int hash = (rules.topic().hashCode() * 31 + partition) * 0x9E3779B1;
        return log.toBuilder().segmentJitterMs(Integer.toUnsignedLong(hash) % jitterMs).build();
    }

    /// In-sync replicas that a partition must have for writes with `acks=all`.
    ///
    /// @param replicationFactor of the partition
    public int minInSyncReplicasOf(int replicationFactor) {
        return Math.min(minInSyncReplicas.applyAsInt(replicationFactor), replicationFactor);
    }

    private static FlushPolicy flushPolicy(String name) {
        return name.equals("page-cache") ? FlushPolicy.PAGE_CACHE : FlushPolicy.FSYNC;
    }

    private static TimestampType timestampType(String name) {
        return name.equals("LogAppendTime")
                ? TimestampType.LOG_APPEND_TIME
                : TimestampType.CREATE_TIME;
    }

    private static Optional<TopicCompression> compression(ConfigValues values) {
        return switch (values.value(TopicKeys.COMPRESSION_TYPE)) {
            case "uncompressed" -> Optional.of(new TopicCompression(Compression.NONE));
            case "gzip" ->
                    Optional.of(
                            new TopicCompression(
                                    Compression.GZIP,
                                    values.value(TopicKeys.COMPRESSION_GZIP_LEVEL)));
            case "snappy" -> Optional.of(new TopicCompression(Compression.SNAPPY));
            case "lz4" ->
                    Optional.of(
                            new TopicCompression(
                                    Compression.LZ4,
                                    values.value(TopicKeys.COMPRESSION_LZ4_LEVEL)));
            case "zstd" ->
                    Optional.of(
                            new TopicCompression(
                                    Compression.ZSTD,
                                    values.value(TopicKeys.COMPRESSION_ZSTD_LEVEL)));
            default -> Optional.empty();
        };
    }
}

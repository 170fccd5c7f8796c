package dev.ottla.record;

import static dev.ottla.wire.Check.check;

import java.util.Optional;

/// What a topic demands of the batches that clients produce to it. Immutable: made once per topic
/// configuration.
///
/// @param topic name for the messages of refusals
/// @param maxMessageBytes `max.message.bytes`, header included
/// @param segmentBytes `segment.bytes`: a batch must fit into one segment
/// @param timestampType `message.timestamp.type`; the bounds hold for create time only
/// @param timestampBeforeMaxMs `message.timestamp.before.max.ms`
/// @param timestampAfterMaxMs `message.timestamp.after.max.ms`
/// @param keysRequired whether the topic is compacted
/// @param compression `compression.type`; empty for `producer`, which keeps what the producer chose
public record ValidationRules(
        String topic,
        int maxMessageBytes,
        int segmentBytes,
        TimestampType timestampType,
        long timestampBeforeMaxMs,
        long timestampAfterMaxMs,
        boolean keysRequired,
        Optional<TopicCompression> compression) {
    private static final int DEFAULT_MAX_MESSAGE_BYTES =
            1024 * 1024 + RecordBatch.LENGTH_PREFIX_BYTES;
    private static final int DEFAULT_SEGMENT_BYTES = 1 << 30;
    private static final long DEFAULT_TIMESTAMP_AFTER_MAX_MS = 3_600_000;

    public ValidationRules {
        check(maxMessageBytes >= 0, "max.message.bytes %d is negative", maxMessageBytes);
        check(segmentBytes > 0, "segment.bytes %d is not positive", segmentBytes);
        check(
                timestampBeforeMaxMs >= 0,
                "message.timestamp.before.max.ms %d is negative",
                timestampBeforeMaxMs);
        check(
                timestampAfterMaxMs >= 0,
                "message.timestamp.after.max.ms %d is negative",
                timestampAfterMaxMs);
    }

    /// The rules of a topic without settings of its own.
    public static ValidationRules defaults(String topic) {
        return new ValidationRules(
                topic,
                DEFAULT_MAX_MESSAGE_BYTES,
                DEFAULT_SEGMENT_BYTES,
                TimestampType.CREATE_TIME,
                Long.MAX_VALUE,
                DEFAULT_TIMESTAMP_AFTER_MAX_MS,
                false,
                Optional.empty());
    }

    /// Earliest create time accepted at `nowMs`, inclusive.
    long earliestTimestamp(long nowMs) {
        return nowMs - timestampBeforeMaxMs;
    }

    /// Latest create time accepted at `nowMs`, inclusive.
    long latestTimestamp(long nowMs) {
        return timestampAfterMaxMs > Long.MAX_VALUE - nowMs
                ? Long.MAX_VALUE
                : nowMs + timestampAfterMaxMs;
    }
}

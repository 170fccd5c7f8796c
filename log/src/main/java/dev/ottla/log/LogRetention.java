package dev.ottla.log;

import dev.ottla.log.segment.Segment;
import java.io.IOException;

/// Decides which segments of a log have served their time. On the shard thread; no state.
final class LogRetention {
    private LogRetention() {}

    /// How many of the oldest segments may go, none of them above the high watermark. All of them,
    /// if the last one is expired too.
    static int countDeletable(PartitionLog log, long nowMs, long highWatermark) throws IOException {
        LogConfig config = log.config();
        SegmentList segments = log.segments();
        long excess =
                config.retentionBytes() < 0 ? -1 : segments.sizeBytes() - config.retentionBytes();
        int count = 0;
        while (count < segments.count()) {
            Segment segment = segments.at(count);
            boolean last = count == segments.count() - 1;
            long end = last ? log.logEndOffset() : segments.at(count + 1).baseOffset();
            boolean passed = !last && end <= log.logStartOffset();
            boolean expired =
                    config.deletes()
                            && end <= highWatermark
                            && segment.sizeBytes() > 0
                            && (isOverSize(excess, segment) || isTooOld(log, segment, nowMs));
            if (!passed && !expired) {
                break;
            }
            excess -= segment.sizeBytes();
            count++;
        }
        return count;
    }

    private static boolean isOverSize(long excess, Segment segment) {
        return excess - segment.sizeBytes() >= 0;
    }

    private static boolean isTooOld(PartitionLog log, Segment segment, long nowMs)
            throws IOException {
        return log.config().retentionMs() >= 0
                && nowMs - segment.retentionTimestamp(log.shard().io())
                        > log.config().retentionMs();
    }
}

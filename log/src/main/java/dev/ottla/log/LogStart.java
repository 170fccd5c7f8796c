package dev.ottla.log;

import dev.ottla.log.segment.Segment;
import java.io.IOException;
import java.util.List;

/// The beginning of one log: where it starts, and how old segments go. Owned by the shard thread.
final class LogStart {
    private final PartitionLog log;
    private long logStartOffset;

    LogStart(PartitionLog log, long logStartOffset) {
        this.log = log;
        this.logStartOffset = logStartOffset;
    }

    /// First offset that can be read.
    long logStartOffset() {
        return logStartOffset;
    }

    /// Removes old segments as the retention settings say, none of them above the high watermark.
    /// Returns how many.
    int applyRetention(long nowMs, long highWatermark) throws IOException {
        int count = LogRetention.countDeletable(log, nowMs, highWatermark);
        if (count > 0 && count == log.segments().count()) {
            log.end().roll(log.logEndOffset(), nowMs);
            log.touch();
        }
        removeFirst(count);
        return count;
    }

    /// Raises the start to `offset` unless it is there or further already; `outcome` is told on the
    /// shard thread when that is durable or cannot be made so.
    void advance(long offset, StartOutcome outcome) {
        if (offset > logStartOffset) {
            moveTo(offset);
            int passed = 0;
            while (passed + 1 < log.segments().count()
                    && log.segments().at(passed + 1).baseOffset() <= offset) {
                passed++;
            }
            removeFirst(passed);
        }
        Runnable durable =
                () -> {
                    log.epochs().truncateFromStart(offset);
                    outcome.onDurable();
                };
        log.directory()
                .manifest()
                .writeSoon(
                        () -> log.shard().execute(log, durable),
                        cause -> log.shard().execute(log, () -> outcome.onFailed(cause)));
    }

    private void removeFirst(int count) {
        if (count == 0) {
            return;
        }
        List<Segment> dropped = log.segments().removeFirst(count);
        for (Segment segment : dropped) {
            log.shard().io().openFiles().close(segment);
        }
        moveTo(Math.max(logStartOffset, log.segments().at(0).baseOffset()));
        // The new start is durable before the files go, so that none of them is missed after a
        // crash.
        long start = logStartOffset;
        Runnable durable =
                () -> {
                    log.epochs().truncateFromStart(start);
                    log.deleteSegments(dropped);
                };
        log.directory().manifest().writeSoon(() -> log.shard().execute(log, durable));
    }

    void moveTo(long offset) {
        logStartOffset = offset;
        log.producers().onLogStartOffset(offset);
        log.directory().manifest().setLogStartOffset(log.id().topicPartition(), offset);
    }

    /// Before everything is dropped: at no moment is a record missed that should be there.
    void lowerTo(long offset) {
        logStartOffset = Math.min(logStartOffset, offset);
        log.directory().manifest().setLogStartOffset(log.id().topicPartition(), logStartOffset);
    }
}

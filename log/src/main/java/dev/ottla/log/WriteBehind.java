package dev.ottla.log;

import dev.ottla.log.disk.SharedFile;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/// Has the system write records of a data directory bit by bit that nobody waits for to be on disk
/// (`flush.policy=page-cache`). Left alone it writes half a minute's worth at once, and appends
/// wait behind that. A hint: one at a time, and what comes meanwhile is left to the system.
/// Thread-safe.
final class WriteBehind {
    private final Executor lane;

    /// Raised by a shard, lowered by the lane.
    private final AtomicBoolean underWay = new AtomicBoolean();

    /// @param lane runs the hints, which may wait for the disk
    WriteBehind(Executor lane) {
        this.lane = lane;
    }

    /// Holds the file until the system has been asked.
    void begin(SharedFile file, Range range) {
        if (!underWay.compareAndSet(false, true)) {
            return;
        }
        SharedFile held = file.retain();
        try {
            lane.execute(() -> run(held, range));
        } catch (RejectedExecutionException _) {
            end(held); // The directory is being closed.
        }
    }

    private void run(SharedFile held, Range range) {
        try {
            held.file().startWriting(range.from(), range.until() - range.from());
        } finally {
            end(held);
        }
    }

    private void end(SharedFile held) {
        underWay.set(false);
        held.release();
    }

    /// Positions in a file, the end exclusive.
    record Range(long from, long until) {}

    /// Where one log's active segment stands. Owned by the shard thread.
    static final class Progress {
        static final long STEP_BYTES = 1 << 20;

        /// A log that fills a step faster is left alone: to write all of what comes at full rate at
        /// once costs a sixth of the rate.
        static final long FASTEST_STEP_MS = 20;

        private long from;
        private long steppedMs;

        /// @param position of what was written already
        Progress(long position) {
            from = position;
        }

        /// To be called whenever something was written; what to ask the system for, if anything.
        Optional<Range> advance(long writtenPosition, long nowMs) {
            from = Math.min(from, writtenPosition); // Further only after a cut or in a new segment.
            if (writtenPosition - from < STEP_BYTES) {
                return Optional.empty();
            }
            boolean slow = nowMs - steppedMs >= FASTEST_STEP_MS;
            Range step = new Range(from, writtenPosition);
            from = writtenPosition;
            steppedMs = nowMs;
            return slow ? Optional.of(step) : Optional.empty();
        }
    }
}

package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Files of one directory that are out of use and stay for a while, as `file.delete.delay.ms` says.
/// What is left when the broker stops goes away when its log is opened next. Thread-safe by its
/// lock: shards add, the lane removes.
final class LateDeletions {
    private static final Logger LOG = LoggerFactory.getLogger(LateDeletions.class);
    private static final long UNKNOWN = -1;

    private static final class Leaving {
        final Path file;
        final long delayMs;
        long dueMs = UNKNOWN;

        Leaving(Path file, long delayMs) {
            this.file = file;
            this.delayMs = delayMs;
        }
    }

    private final Disk disk;

    /// At most the segments that went out of use within the longest delay.
    private final List<Leaving> waiting = new ArrayList<>();

    LateDeletions(Disk disk) {
        this.disk = disk;
    }

    /// The delay runs from the next [#removeDue] on: never shorter, and longer by the pause between
    /// two of them.
    synchronized void add(Path file, long delayMs) {
        waiting.add(new Leaving(file, delayMs));
    }

    /// Removes the files whose delay has passed, or all.
    void removeDue(long nowMs, boolean all) {
        takeDue(nowMs, all).forEach(this::remove);
    }

    private synchronized List<Path> takeDue(long nowMs, boolean all) {
        List<Path> due = new ArrayList<>();
        for (Iterator<Leaving> each = waiting.iterator(); each.hasNext(); ) {
            Leaving leaving = each.next();
            if (leaving.dueMs == UNKNOWN) {
                boolean endless = leaving.delayMs > Long.MAX_VALUE - nowMs;
                leaving.dueMs = endless ? Long.MAX_VALUE : nowMs + leaving.delayMs;
            }
            if (all || nowMs >= leaving.dueMs) {
                due.add(leaving.file);
                each.remove();
            }
        }
        return due;
    }

    void remove(Path file) {
        try {
            disk.delete(file);
        } catch (IOException e) {
            LOG.warn("The deleted segment {} could not be removed: {}.", file, e.getMessage());
        }
    }
}

package dev.ottla.log;

import org.jspecify.annotations.Nullable;

/// Keeps a lane and the removal of a log apart: while a lane works on files by their path, the
/// log's directory must not be renamed, or the lane would write into the directory of a new log
/// with the same name. Nobody waits for the other: a removal that finds lanes at work is left to
/// the last of them. Thread-safe: all fields are guarded by the object's own lock, which is never
/// held during IO.
final class PathLease {
    private int taken;
    private boolean removed;
    private @Nullable Runnable removal;

    /// A lane begins; false when the log is removed and there is nothing to do.
    synchronized boolean tryTake() {
        if (removed) {
            return false;
        }
        taken++;
        return true;
    }

    synchronized boolean isTaken() {
        return taken > 0;
    }

    /// The lane is done, and removes the log if that was asked meanwhile.
    void giveBack() {
        Runnable waiting;
        synchronized (this) {
            taken--;
            waiting = taken == 0 ? removal : null;
            removal = taken == 0 ? null : removal;
        }
        if (waiting != null) {
            waiting.run();
        }
    }

    /// Runs the removal now, or when the lane is done.
    void remove(Runnable task) {
        synchronized (this) {
            removed = true;
            if (taken > 0) {
                removal = task;
                return;
            }
        }
        task.run();
    }
}

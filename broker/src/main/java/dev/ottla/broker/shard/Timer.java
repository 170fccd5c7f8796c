package dev.ottla.broker.shard;

import org.jspecify.annotations.Nullable;

/// One thing to do at a later time, an entry of a {@link TimerWheel}. Extend it by whatever waits,
/// so that a waiting request and its time-out are one object. Owned by the shard thread.
public abstract class Timer {
    static final int NOT_SCHEDULED = -1;

    @Nullable Timer previous;
    @Nullable Timer next;
    int slot = NOT_SCHEDULED;
    long deadlineTick;

    /// Called once when the time has come; by then the timer is no longer scheduled.
    protected abstract void onTimeout();

    /// Called when `onTimeout` threw: see {@link ShardMessage#onFailure}.
    protected void onFailure(RuntimeException failure) {
        throw failure;
    }

    public final boolean isScheduled() {
        return slot != NOT_SCHEDULED;
    }
}

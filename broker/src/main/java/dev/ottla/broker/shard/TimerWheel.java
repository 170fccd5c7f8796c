package dev.ottla.broker.shard;

import org.jspecify.annotations.Nullable;

/// Hashed timer wheel: scheduling and cancelling cost the same whatever waits. Time is cut into
/// ticks of about four milliseconds; slot `tick mod 1024` holds a list of the timers due then, or
/// whole rounds (about four seconds each) later. A timer never fires early, and at most one tick
/// late. Owned by one thread, which also tells the time.
public final class TimerWheel {
    private static final int TICK_SHIFT = 22;
    private static final int SLOTS = 1024;
    private static final int DUE = SLOTS;
    private static final long NEVER = Long.MAX_VALUE;

    private final @Nullable Timer[] slots = new Timer[SLOTS + 1];
    private final long[] occupied = new long[SLOTS / Long.SIZE + 1];
    private final long originNs;
    private long currentTick;
    private int scheduledCount;

    public TimerWheel(long nowNs) {
        originNs = nowNs;
    }

    /// Schedules `timer` for `deadlineNs`, in place of an earlier schedule of the same timer. A
    /// deadline in the past fires at the next `advance`.
    public void schedule(Timer timer, long deadlineNs) {
        cancel(timer);
        long distance = Math.max(0, deadlineNs - originNs);
        long tick = (distance + (1L << TICK_SHIFT) - 1) >> TICK_SHIFT;
        timer.deadlineTick = Math.max(tick, currentTick + 1);
        link(timer, (int) (timer.deadlineTick & (SLOTS - 1)));
    }

    /// Takes `timer` out; does nothing when it is not scheduled.
    public void cancel(Timer timer) {
        if (timer.isScheduled()) {
            unlink(timer);
        }
    }

    /// Fires everything that is due at `nowNs` and returns how many timers that were.
    public int advance(long nowNs) {
        long nowTick = Math.max(0, nowNs - originNs) >> TICK_SHIFT;
        if (scheduledCount == 0 || nowTick - currentTick >= SLOTS) {
            return advanceFar(nowTick);
        }
        int fired = 0;
        while (currentTick < nowTick) {
            currentTick++;
            fired += fire((int) (currentTick & (SLOTS - 1)));
        }
        return fired;
    }

    /// Nanoseconds until `advance` may have something to do: exact within this round, at most a
    /// round away, and `Long.MAX_VALUE` when nothing is scheduled.
    public long nanosToNext(long nowNs) {
        if (scheduledCount == 0) {
            return NEVER;
        }
        long tick = currentTick + ticksToNextOccupied();
        return Math.max(0, originNs + (tick << TICK_SHIFT) - nowNs);
    }

    public int scheduledCount() {
        return scheduledCount;
    }

    private int advanceFar(long nowTick) {
        if (scheduledCount == 0) {
            currentTick = Math.max(currentTick, nowTick);
            return 0;
        }
        currentTick = nowTick;
        int fired = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            fired += fire(slot);
        }
        return fired;
    }

    /// Due timers move to a list of their own first: firing one may schedule or cancel any other.
    private int fire(int slot) {
        Timer timer = slots[slot];
        while (timer != null) {
            Timer following = timer.next;
            if (timer.deadlineTick <= currentTick) {
                unlink(timer);
                link(timer, DUE);
            }
            timer = following;
        }
        int fired = 0;
        for (Timer due = slots[DUE]; due != null; due = slots[DUE]) {
            unlink(due);
            try {
                due.onTimeout();
            } catch (RuntimeException e) {
                due.onFailure(e);
            }
            fired++;
        }
        return fired;
    }

    private void link(Timer timer, int slot) {
        timer.slot = slot;
        timer.next = slots[slot];
        if (timer.next != null) {
            timer.next.previous = timer;
        }
        slots[slot] = timer;
        occupied[slot >> 6] |= 1L << slot;
        scheduledCount++;
    }

    private void unlink(Timer timer) {
        int slot = timer.slot;
        if (timer.previous != null) {
            timer.previous.next = timer.next;
        } else {
            slots[slot] = timer.next;
        }
        if (timer.next != null) {
            timer.next.previous = timer.previous;
        }
        if (slots[slot] == null) {
            occupied[slot >> 6] &= ~(1L << slot);
        }
        timer.previous = null;
        timer.next = null;
        timer.slot = Timer.NOT_SCHEDULED;
        scheduledCount--;
    }

    private int ticksToNextOccupied() {
        int start = (int) ((currentTick + 1) & (SLOTS - 1));
        int word = start >> 6;
        long bits = occupied[word] & (-1L << start);
        for (int i = 0; i <= SLOTS / Long.SIZE; i++) {
            if (bits != 0) {
                int slot = (word << 6) + Long.numberOfTrailingZeros(bits);
                return ((slot - start) & (SLOTS - 1)) + 1;
            }
            word = (word + 1) % (SLOTS / Long.SIZE);
            bits = occupied[word];
        }
        return SLOTS;
    }
}

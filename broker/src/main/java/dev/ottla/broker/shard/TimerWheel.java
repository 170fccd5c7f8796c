package dev.ottla.broker.shard;

import org.jspecify.annotations.Nullable;

/// Timer wheel: scheduling and cancelling cost the same whatever waits. Time is cut into ticks of
/// about four milliseconds, and those into rounds of 1024. Slot `tick mod 1024` holds a list of the
/// timers due then, as long as that is in the present round; all others wait in one list, which is
/// looked through when a round begins. So a session that ends in a minute wakes its thread once a
/// round before, however many there are. A timer never fires early, and at most one tick late.
/// Owned by one thread, which also tells the time.
public final class TimerWheel {
    private static final int TICK_SHIFT = 22;
    private static final int SLOTS = 1024;
    private static final int DUE = SLOTS;
    private static final int LATER = SLOTS + 1;
    private static final long NEVER = Long.MAX_VALUE;

    private final @Nullable Timer[] slots = new Timer[SLOTS + 2];
    private final long[] occupied = new long[SLOTS / Long.SIZE + 1];
    private final long originNs;

    /// Everything due at this tick or before has fired.
    private long currentTick;

    /// Where the next round begins: later than `currentTick`, by a round at most.
    private long nextRoundTick = SLOTS;

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
        link(timer, timer.deadlineTick < nextRoundTick ? slotOf(timer.deadlineTick) : LATER);
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
        int fired = 0;
        while (currentTick < nowTick) {
            currentTick = Math.min(nextTick(), nowTick);
            if (currentTick >= nextRoundTick) {
                beginRound(nowTick);
            }
            fired += fire(slotOf(currentTick));
        }
        return fired;
    }

    /// Nanoseconds until `advance` may have something to do: exact within this round, at most a
    /// round away, and `Long.MAX_VALUE` when nothing is scheduled.
    public long nanosToNext(long nowNs) {
        if (scheduledCount == 0) {
            return NEVER;
        }
        return Math.max(0, originNs + (nextTick() << TICK_SHIFT) - nowNs);
    }

    public int scheduledCount() {
        return scheduledCount;
    }

    /// Goes to the beginning of the round that `nowTick` is in, and gives the timers of that round
    /// their slots. Those of rounds that were slept through are due.
    private void beginRound(long nowTick) {
        currentTick = nowTick & -SLOTS;
        nextRoundTick = currentTick + SLOTS;
        Timer timer = slots[LATER];
        while (timer != null) {
            Timer following = timer.next;
            if (timer.deadlineTick < nextRoundTick) {
                unlink(timer);
                link(timer, timer.deadlineTick <= currentTick ? DUE : slotOf(timer.deadlineTick));
            }
            timer = following;
        }
    }

    /// Due timers move to a list of their own first: firing one may schedule or cancel any other.
    private int fire(int slot) {
        for (Timer timer = slots[slot]; timer != null; timer = slots[slot]) {
            unlink(timer);
            link(timer, DUE);
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

    private static int slotOf(long tick) {
        return (int) (tick & (SLOTS - 1));
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

    /// The next tick of this round with a timer, or the beginning of the next round where none is
    /// left in this one, or never.
    private long nextTick() {
        if (scheduledCount == 0) {
            return NEVER;
        }
        int from = slotOf(currentTick) + 1;
        int word = from >> 6;
        long bits = from < SLOTS ? occupied[word] & (-1L << from) : 0;
        while (bits == 0 && ++word < SLOTS / Long.SIZE) {
            bits = occupied[word];
        }
        return bits == 0
                ? nextRoundTick
                : nextRoundTick - SLOTS + (word << 6) + Long.numberOfTrailingZeros(bits);
    }
}

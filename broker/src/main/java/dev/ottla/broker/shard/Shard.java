package dev.ottla.broker.shard;

import static dev.ottla.wire.Check.check;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// One thread and what it owns: partitions, waiting requests, coordinators. Others reach it by
/// posting messages.
///
/// A turn takes everything that waits, runs it in order, fires the timers that are due and then
/// runs the end-of-turn hooks. While a turn runs the mailbox fills, so the next turn is the larger
/// the more there is to do: batching needs no timer and no setting.
///
/// What fails in a message is answered by that message ({@link ShardMessage#onFailure}); whoever
/// posts on behalf of one partition, one coordinator or one request confines the failure to it.
/// What comes through nevertheless is a bug in something that all of them share: the shard does
/// nothing more, and tells `onBroken`, which ends the process.
///
/// `post` and `execute` may be called by any thread and never block or refuse; see {@link Mailbox}
/// for the bound. Everything else belongs to the shard's thread. The thread is never interrupted:
/// it may touch file channels.
public final class Shard implements Executor {
    private final int index;
    private final LongSupplier nanoClock;
    private final Mailbox mailbox = new Mailbox();
    private final TimerWheel timers;
    private final List<Runnable> turnEndHooks = new ArrayList<>();
    private final Consumer<Throwable> onBroken;
    private final Thread thread;

    /// Written by the shard around parking, read by posters after they pushed. Both sides write
    /// first and read the other's field second, sequentially consistent, so a poster either sees a
    /// sleeper or the sleeper its message.
    private volatile boolean sleeping;

    private boolean stopping;

    /// Written by the shard at the start of each turn, read by the probes, which need no more than
    /// a recent value.
    private volatile long turnStartNs;

    /// @param onBroken hears, on the shard's thread, that it cannot go on
    public Shard(
            int index,
            LongSupplier nanoClock,
            ThreadFactory threads,
            Consumer<Throwable> onBroken) {
        this.index = index;
        this.onBroken = onBroken;
        this.nanoClock = nanoClock;
        this.turnStartNs = nanoClock.getAsLong();
        this.timers = new TimerWheel(turnStartNs);
        this.thread = threads.newThread(this::loop);
    }

    public void start() {
        thread.start();
    }

    public int index() {
        return index;
    }

    /// Any thread. Messages of one poster run in the order in which it posted them.
    public void post(ShardMessage message) {
        if (mailbox.push(message) && sleeping) {
            LockSupport.unpark(thread);
        }
    }

    /// Any thread; allocates one message. For what happens seldom: progress of I/O, metadata
    /// changes.
    @Override
    public void execute(Runnable task) {
        post(new Task(task));
    }

    /// Any thread: messages waiting for the next turn.
    public int backlog() {
        return mailbox.depth();
    }

    /// Any thread: how long the present turn has taken; 0 when the shard has nothing to do.
    public long busyNs(long nowNs) {
        return sleeping ? 0 : Math.max(0, nowNs - turnStartNs);
    }

    /// Any thread: whether the caller is this shard's thread.
    public boolean isOwner() {
        return Thread.currentThread() == thread;
    }

    public TimerWheel timers() {
        return timers;
    }

    /// Monotonic time at the start of this turn: what deadlines are counted from.
    public long nowNs() {
        return turnStartNs;
    }

    /// Schedules `timer` for `delayMs` after the start of this turn.
    public void scheduleMs(Timer timer, long delayMs) {
        timers.schedule(timer, turnStartNs + Math.min(delayMs, Integer.MAX_VALUE) * 1_000_000L);
    }

    /// `hook` runs at the end of every turn; it must cost next to nothing when there is nothing to
    /// do.
    public void onTurnEnd(Runnable hook) {
        check(isOwner(), "shard %s: hooks are registered on its own thread", index);
        turnEndHooks.add(hook);
    }

    /// Any thread. Runs what was posted before, then ends the thread. Messages posted later are
    /// dropped.
    public void stop() {
        execute(() -> stopping = true);
    }

    /// Waits for the thread's end, at most `millis`; returns whether it ended.
    public boolean awaitStop(long millis) throws InterruptedException {
        thread.join(millis);
        return !thread.isAlive();
    }

    private void loop() {
        try {
            while (!stopping) {
                turn();
                if (mailbox.isEmpty() && !stopping) {
                    sleep();
                }
            }
            turn();
        } catch (Throwable e) {
            onBroken.accept(e);
        }
    }

    private void turn() {
        turnStartNs = nanoClock.getAsLong();
        ShardMessage message = mailbox.takeAll();
        while (message != null) {
            ShardMessage following = message.next;
            message.next = null;
            try {
                message.run();
            } catch (RuntimeException e) {
                message.onFailure(e);
            }
            message = following;
        }
        timers.advance(nanoClock.getAsLong());
        for (Runnable hook : turnEndHooks) {
            hook.run();
        }
    }

    private void sleep() {
        sleeping = true;
        if (mailbox.isEmpty()) {
            LockSupport.parkNanos(this, timers.nanosToNext(nanoClock.getAsLong()));
        }
        sleeping = false;
    }

    private static final class Task extends ShardMessage {
        private final Runnable task;

        Task(Runnable task) {
            this.task = task;
        }

        @Override
        protected void run() {
            task.run();
        }
    }
}

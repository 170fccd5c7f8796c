package dev.ottla.broker.shard;

import static dev.ottla.wire.Check.check;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// One thread and what it owns: partitions, waiting requests, coordinators. Others reach it by
/// posting messages. The thread is its own, or that of a host with other work, which the shard then
/// shares ({@link ShardHost}); it makes no difference to what runs on it.
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
    private final TurnRunner runner;

    private boolean stopping;

    /// Written by the shard at the start of each turn, read by the probes, which need no more than
    /// a recent value.
    private volatile long turnStartNs;

    /// Written by the shard around each turn, read by the probes: true only while `turnStartNs` is
    /// that of a turn that runs.
    private volatile boolean inTurn;

    /// A shard with a thread of its own.
    ///
    /// @param onBroken hears, on the shard's thread, that it cannot go on
    public Shard(
            int index,
            LongSupplier nanoClock,
            ThreadFactory threads,
            Consumer<Throwable> onBroken) {
        this(index, nanoClock, onBroken, shard -> new OwnThread(shard, threads));
    }

    /// A shard on the thread of `host`, which must outlive it.
    public Shard(int index, LongSupplier nanoClock, ShardHost host, Consumer<Throwable> onBroken) {
        this(index, nanoClock, onBroken, shard -> new HostThread(shard, host));
    }

    private Shard(
            int index,
            LongSupplier nanoClock,
            Consumer<Throwable> onBroken,
            Function<Shard, TurnRunner> runner) {
        this.index = index;
        this.onBroken = onBroken;
        this.nanoClock = nanoClock;
        this.turnStartNs = nanoClock.getAsLong();
        this.timers = new TimerWheel(turnStartNs);
        this.runner = runner.apply(this);
    }

    public void start() {
        runner.start();
    }

    public int index() {
        return index;
    }

    /// Any thread. Messages of one poster run in the order in which it posted them.
    public void post(ShardMessage message) {
        if (mailbox.push(message)) {
            runner.wake();
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

    /// Any thread: how long the present turn has taken; 0 between two turns.
    public long busyNs(long nowNs) {
        return inTurn ? Math.max(0, nowNs - turnStartNs) : 0;
    }

    /// Any thread: whether the caller is this shard's thread.
    public boolean isOwner() {
        return runner.isOwner();
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

    /// Any thread. Runs what was posted before, then no further turn. Messages posted later are
    /// dropped.
    public void stop() {
        execute(() -> stopping = true);
    }

    /// Waits for the end of the last turn, at most `millis`; returns whether it came.
    public boolean awaitStop(long millis) throws InterruptedException {
        return runner.awaitStop(millis);
    }

    /// Returns whether there may be a further one.
    boolean turn() {
        try {
            runTurn();
            if (!stopping) {
                return true;
            }
            runTurn();
        } catch (Throwable e) {
            broken(e);
        }
        return false;
    }

    /// Something that all of the shard rests on has failed; no further turn may run.
    void broken(Throwable failure) {
        onBroken.accept(failure);
    }

    boolean isInTurn() {
        return inTurn;
    }

    long clockNs() {
        return nanoClock.getAsLong();
    }

    /// `Long.MAX_VALUE` when there is none.
    long nanosToNextTimer(long nowNs) {
        return timers.nanosToNext(nowNs);
    }

    private void runTurn() {
        turnStartNs = nanoClock.getAsLong();
        inTurn = true;
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
        inTurn = false;
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

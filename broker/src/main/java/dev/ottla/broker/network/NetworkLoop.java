package dev.ottla.broker.network;

import static dev.ottla.wire.Check.check;

import dev.ottla.broker.shard.ShardHost;
import io.netty.channel.SingleThreadEventLoop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One network loop and the connections it owns. Runs on the loop's thread, except what says "any
/// thread".
///
/// A shard may have its turns here: after the sockets that are ready were read, or before when many
/// requests wait, and what the turn answers is sent right after it. Answers wait for the turn's
/// end, because sending one may read and begin further requests. Between two turns that the shard
/// asked for, the sockets are looked at, so that a shard that has always something to do holds up
/// no client.
///
/// Connections that have more to do than their slice of time allows go on after the sockets that
/// are ready were looked at, one after the other, and between any few of them sockets are looked at
/// again: a client with one request waits for a few slices, however much others have sent.
final class NetworkLoop implements Executor, ShardHost {
    private static final long SWEEP_MS = 1000;
    private static final long RETRY_MS = 1;

    /// Requests from which on a shard has its turn before further sockets are read: what they
    /// brought is then still in the processor's cache.
    private static final int FULL_TURN = 32;

    /// Time for connections that go on, before sockets are looked at again.
    private static final long RESUME_NS = 4 * Connection.SLICE_NS;

    private final int index;
    private final SingleThreadEventLoop eventLoop;
    private final LongSupplier nanoClock;
    private final Scratch scratch;
    private final Set<Connection> connections = new HashSet<>();
    private final List<Connection> unflushed = new ArrayList<>();
    private Set<Connection> refused = new LinkedHashSet<>();

    /// Those that could go on, the one that waited longest first.
    private final LinkedHashSet<Connection> resuming = new LinkedHashSet<>();

    private boolean resumeScheduled;
    private boolean sweepScheduled;
    private boolean retired;
    private boolean flushScheduled;
    private boolean keepsAnswers;
    private @Nullable ScheduledFuture<?> later;

    /// The shard that has its turns here. Written once, before it runs.
    private volatile ShardHost.@Nullable Guest guest;

    /// Since the sockets were last looked at, the shard had a turn that it asked for; then it asked
    /// for one more.
    private boolean hadTurn;

    private boolean owesTurn;

    /// Set when the broker stops, completed when the last connection is gone.
    private @Nullable CompletableFuture<Void> drained;

    /// Pushed by whoever answers, newest first; taken as a whole by the loop. The first push wakes
    /// the loop.
    private final AtomicReference<@Nullable Exchange> answered = new AtomicReference<>();

    private final Runnable drainAnswered = this::drainAnswered;
    private final Runnable askedTurn = this::askedTurn;
    private final Runnable beforeSockets = this::beforeSockets;

    NetworkLoop(
            int index, SingleThreadEventLoop eventLoop, LongSupplier nanoClock, Scratch scratch) {
        this.index = index;
        this.eventLoop = eventLoop;
        this.nanoClock = nanoClock;
        this.scratch = scratch;
    }

    int index() {
        return index;
    }

    Scratch scratch() {
        return scratch;
    }

    long nowNs() {
        return nanoClock.getAsLong();
    }

    /// Any thread. A task that comes after the loop's end is dropped: its connections are gone.
    @Override
    public void execute(Runnable task) {
        var _ = tryExecute(task);
    }

    private boolean tryExecute(Runnable task) {
        try {
            eventLoop.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            if (!eventLoop.isShutdown()) {
                throw e;
            }
            return false;
        }
    }

    /// Any thread. Whoever answers goes on with its work, also after the loop's end, when nobody is
    /// there to hear the answer.
    void exchangeAnswered(Exchange exchange) {
        boolean here = eventLoop.inEventLoop();
        if (here && !keepsAnswers) {
            exchange.connection.settleSafely(exchange);
            return;
        }
        boolean first = pushAnswered(exchange);
        if (first && !here && !tryExecute(drainAnswered)) {
            abandonAnswered();
        }
    }

    /// Returns whether there was none before.
    private boolean pushAnswered(Exchange exchange) {
        while (true) {
            Exchange top = answered.get();
            exchange.nextAnswered = top;
            if (answered.compareAndSet(top, exchange)) {
                return top == null;
            }
        }
    }

    @Override
    public void adopt(ShardHost.Guest shard) {
        check(guest == null, "network loop %s: two shards have their turns here", index);
        guest = shard;
    }

    @Override
    public void askForTurn() {
        execute(askedTurn);
    }

    private void askedTurn() {
        ShardHost.Guest shard = guest;
        if (shard == null) {
            return;
        }
        if (hadTurn) {
            owesTurn |= shard.backlog() > 0;
            return;
        }
        hadTurn = true;
        eventLoop.executeAfterEventLoopIteration(beforeSockets);
        shard.turn();
    }

    /// All tasks have run; what is asked for now runs when the sockets were looked at.
    private void beforeSockets() {
        hadTurn = false;
        if (owesTurn) {
            owesTurn = false;
            askForTurn();
        }
    }

    @Override
    public void executeLater(Runnable task, long delayNs) {
        if (later != null) {
            later.cancel(false);
        }
        later = eventLoop.schedule(task, delayNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean isCurrent() {
        return eventLoop.inEventLoop();
    }

    @Override
    public void turnBegins() {
        keepsAnswers = true;
    }

    @Override
    public void turnEnds() {
        keepsAnswers = false;
        drainAnswered();
    }

    void add(Connection connection) {
        connections.add(connection);
        if (drained != null || retired) {
            connection.drain();
        }
        if (!sweepScheduled) {
            sweepScheduled = true;
            var _ = eventLoop.schedule(this::sweep, SWEEP_MS, TimeUnit.MILLISECONDS);
        }
    }

    void remove(Connection connection) {
        connections.remove(connection);
        completeIfDrained();
    }

    /// No connection is read any more; each closes with its last answer. `whenEmpty` completes when
    /// there is none left.
    void drain(CompletableFuture<Void> whenEmpty) {
        drained = whenEmpty;
        List.copyOf(connections).forEach(Connection::drain);
        completeIfDrained();
    }

    private void completeIfDrained() {
        if (drained != null && connections.isEmpty()) {
            drained.complete(null);
        }
    }

    /// Any thread: the loop goes out of use.
    void retire() {
        execute(() -> {
            retired = true;
            List.copyOf(connections).forEach(Connection::drain);
        });
    }

    /// Any thread: a listener was closed.
    void closeListener(String name) {
        execute(() ->
                List.copyOf(connections).stream()
                        .filter(connection -> connection.listenerName().equals(name))
                        .forEach(Connection::drain));
    }

    /// Any thread: the loop is used again.
    void resume() {
        execute(() -> retired = false);
    }

    void closeAll() {
        List.copyOf(connections).forEach(Connection::close);
    }

    /// The connection asked for memory that is not there now; it asks again in a few milliseconds,
    /// after those that were refused before it. Once, however often it was refused meanwhile.
    void retryLater(Connection connection) {
        if (refused.isEmpty()) {
            var _ = eventLoop.schedule(this::retryRefused, RETRY_MS, TimeUnit.MILLISECONDS);
        }
        refused.add(connection);
    }

    /// The connection has something to do that need not be now. Once, however often it asks until
    /// its turn comes.
    void resumeLater(Connection connection) {
        resuming.add(connection);
        scheduleResuming();
    }

    /// A task would run before the sockets are looked at; what is scheduled runs after.
    private void scheduleResuming() {
        if (!resumeScheduled) {
            resumeScheduled = true;
            var _ = eventLoop.schedule(this::resumeWaiting, 0, TimeUnit.NANOSECONDS);
        }
    }

    /// None comes twice in here, whatever it asks for meanwhile.
    private void resumeWaiting() {
        resumeScheduled = false;
        long startNs = nowNs();
        int left = resuming.size();
        while (left-- > 0) {
            willFlush();
            resuming.removeFirst().resume();
            readComplete();
            if (nowNs() - startNs >= RESUME_NS) {
                break;
            }
        }
        if (!resuming.isEmpty()) {
            scheduleResuming();
        }
    }

    /// Answers were written to `connection`; they are flushed together with those of this turn.
    void flushLater(Connection connection) {
        unflushed.add(connection);
        if (!flushScheduled) {
            flushScheduled = true;
            eventLoop.execute(this::flushNow);
        }
    }

    /// The caller promises to call `flushNow` before it gives up the thread.
    void willFlush() {
        flushScheduled = true;
    }

    /// All that one socket brought for now was read.
    void readComplete() {
        flushNow();
        ShardHost.Guest shard = guest;
        if (shard != null && shard.backlog() >= FULL_TURN) {
            shard.turn();
        }
    }

    /// Flushes everything that was written since the last time.
    void flushNow() {
        flushScheduled = false;
        for (int i = 0; i < unflushed.size(); i++) {
            unflushed.get(i).flush();
        }
        unflushed.clear();
    }

    private void abandonAnswered() {
        Exchange exchange = answered.getAndSet(null);
        while (exchange != null) {
            Exchange below = exchange.nextAnswered;
            exchange.connection.abandon(exchange);
            exchange = below;
        }
    }

    private void drainAnswered() {
        Exchange exchange = answered.getAndSet(null);
        Exchange oldest = null;
        while (exchange != null) {
            Exchange below = exchange.nextAnswered;
            exchange.nextAnswered = oldest;
            oldest = exchange;
            exchange = below;
        }
        willFlush();
        while (oldest != null) {
            Exchange following = oldest.nextAnswered;
            oldest.nextAnswered = null;
            oldest.connection.settleSafely(oldest);
            oldest = following;
        }
        flushNow();
    }

    private void retryRefused() {
        Set<Connection> waiting = refused;
        refused = new LinkedHashSet<>();
        waiting.forEach(this::resumeLater);
    }

    private void sweep() {
        long nowNs = nowNs();
        for (Connection connection : List.copyOf(connections)) {
            connection.closeIfOverdue(nowNs);
        }
        sweepScheduled = !connections.isEmpty();
        if (sweepScheduled) {
            var _ = eventLoop.schedule(this::sweep, SWEEP_MS, TimeUnit.MILLISECONDS);
        }
    }
}

package dev.ottla.broker.network;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/// How many connections there are, in all, by listener and by address, how fast they come, and
/// those that wait for a place. Thread-safe by its monitor: called when connections come and go,
/// never for requests.
final class ConnectionCounter {
    private static final long NS_PER_SECOND = 1_000_000_000;

    /// What becomes of a new connection.
    sealed interface Entry {
        record Admitted() implements Entry {}

        /// There is no place now; the action that was given runs when there is one.
        record Waits() implements Entry {}

        record Refused(String reason) implements Entry {}
    }

    /// A new connection.
    ///
    /// @param admit begins it; must not block
    record Newcomer(String listener, String address, Runnable admit) {}

    /// Those that wait are among them.
    private final Map<String, Integer> byAddress = new HashMap<>();

    private final Map<String, Integer> byListener = new HashMap<>();
    private final ArrayDeque<Newcomer> waiting = new ArrayDeque<>();
    private ConnectionLimits limits;
    private int total;
    private long nextFreeNs = Long.MIN_VALUE;

    ConnectionCounter(ConnectionLimits limits) {
        this.limits = limits;
    }

    synchronized void limits(ConnectionLimits newLimits, long nowNs) {
        limits = newLimits;
        nextFreeNs = Long.MIN_VALUE;
        admitWaiting(nowNs);
    }

    /// Counts a new connection, or lets it wait: accepting stops then, but what the listener had
    /// taken already comes here.
    synchronized Entry enter(Newcomer newcomer, long nowNs) {
        int fromThere = byAddress.getOrDefault(newcomer.address(), 0);
        if (fromThere >= limits.maxFor(newcomer.address())) {
            return new Entry.Refused(
                    "max.connections.per.ip allows "
                            + limits.maxFor(newcomer.address())
                            + " from there");
        }
        byAddress.merge(newcomer.address(), 1, Integer::sum);
        if (!hasPlace(newcomer.listener()) || nowNs < nextFreeNs) {
            waiting.add(newcomer);
            return new Entry.Waits();
        }
        add(newcomer, nowNs);
        return new Entry.Admitted();
    }

    /// An admitted connection ended.
    synchronized void leave(Newcomer former, long nowNs) {
        total--;
        decrement(byAddress, former.address());
        decrement(byListener, former.listener());
        admitWaiting(nowNs);
    }

    /// Whether a further connection to `listener` would wait for somebody to leave.
    synchronized boolean isFull(String listener) {
        return !hasPlace(listener);
    }

    /// Nanoseconds until the rate allows a further connection; 0 when it does now.
    synchronized long nanosToNextPlace(long nowNs) {
        return nextFreeNs == Long.MIN_VALUE ? 0 : Math.max(0, nextFreeNs - nowNs);
    }

    /// Admits those who wait, as far as there are places.
    synchronized void admitWaiting(long nowNs) {
        Iterator<Newcomer> each = waiting.iterator();
        while (each.hasNext() && nowNs >= nextFreeNs) {
            Newcomer next = each.next();
            if (hasPlace(next.listener())) {
                each.remove();
                add(next, nowNs);
                next.admit().run();
            }
        }
    }

    synchronized int total() {
        return total;
    }

    private boolean hasPlace(String listener) {
        return total < limits.maxConnections()
                && byListener.getOrDefault(listener, 0) < limits.maxOf(listener);
    }

    private void add(Newcomer newcomer, long nowNs) {
        byListener.merge(newcomer.listener(), 1, Integer::sum);
        total++;
        if (limits.maxPerSecond() < Integer.MAX_VALUE) {
            nextFreeNs =
                    Math.max(nextFreeNs, nowNs)
                            + NS_PER_SECOND / Math.max(1, limits.maxPerSecond());
        }
    }

    private static void decrement(Map<String, Integer> counts, String key) {
        counts.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
}

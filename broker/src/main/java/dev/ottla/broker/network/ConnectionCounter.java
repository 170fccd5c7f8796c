package dev.ottla.broker.network;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// How many connections there are, in all and by address, and those that wait for a place.
/// Thread-safe by its monitor: called when connections come and go, never for requests.
final class ConnectionCounter {
    /// What becomes of a new connection.
    sealed interface Entry {
        record Admitted() implements Entry {}

        /// There is no place now; the action that was given runs when there is one.
        record Waits() implements Entry {}

        record Refused(String reason) implements Entry {}
    }

    private record Waiting(String address, Runnable admit) {}

    private final Map<String, Integer> byAddress = new HashMap<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private ConnectionLimits limits;
    private int total;

    ConnectionCounter(ConnectionLimits limits) {
        this.limits = limits;
    }

    synchronized void limits(ConnectionLimits newLimits) {
        limits = newLimits;
        admitWaiting();
    }

    /// Counts a new connection, or lets it wait for `max.connections`: accepting stops then, but
    /// what the listener had taken already comes here. `admit` must not block.
    synchronized Entry enter(String address, Runnable admit) {
        int fromThere = byAddress.getOrDefault(address, 0);
        if (fromThere >= limits.maxFor(address)) {
            return new Entry.Refused(
                    "max.connections.per.ip allows " + limits.maxFor(address) + " from there");
        }
        if (total >= limits.maxConnections()) {
            waiting.add(new Waiting(address, admit));
            return new Entry.Waits();
        }
        add(address);
        return new Entry.Admitted();
    }

    /// An admitted connection ended.
    synchronized void leave(String address) {
        total--;
        byAddress.merge(address, -1, (had, less) -> had + less == 0 ? null : had + less);
        admitWaiting();
    }

    /// Whether further connections would only wait.
    synchronized boolean isFull() {
        return total >= limits.maxConnections();
    }

    synchronized int total() {
        return total;
    }

    private void admitWaiting() {
        while (total < limits.maxConnections() && !waiting.isEmpty()) {
            Waiting next = waiting.remove();
            add(next.address());
            next.admit().run();
        }
    }

    private void add(String address) {
        byAddress.merge(address, 1, Integer::sum);
        total++;
    }
}

package dev.ottla.broker.network;

import java.util.HashMap;
import java.util.Map;

/// How many connections there are, in all and by address. Thread-safe by its monitor: called when connections come and
/// go, never for requests.
final class ConnectionCounter {
    private final Map<String, Integer> byAddress = new HashMap<>();
    private ConnectionLimits limits;
    private int total;

    ConnectionCounter(ConnectionLimits limits) {
        this.limits = limits;
    }

    synchronized void limits(ConnectionLimits newLimits) {
        limits = newLimits;
    }

    /// Counts a new connection, or says in a few words why it may not be.
    synchronized String tryAdd(String address) {
        int fromThere = byAddress.getOrDefault(address, 0);
        if (total >= limits.maxConnections()) {
            return "the broker has its max.connections of " + limits.maxConnections();
        }
        if (fromThere >= limits.maxFor(address)) {
            return "max.connections.per.ip allows " + limits.maxFor(address) + " from there";
        }
        byAddress.put(address, fromThere + 1);
        total++;
        return "";
    }

    synchronized void remove(String address) {
        total--;
        byAddress.merge(address, -1, (had, less) -> had + less == 0 ? null : had + less);
    }

    /// Whether accepting further connections would only refuse them.
    synchronized boolean isFull() {
        return total >= limits.maxConnections();
    }

    synchronized int total() {
        return total;
    }
}

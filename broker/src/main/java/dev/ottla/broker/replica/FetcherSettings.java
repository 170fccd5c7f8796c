package dev.ottla.broker.replica;

import dev.ottla.config.ConfigValues;
import dev.ottla.config.ReplicationKeys;

/// How followers fetch. Immutable.
///
/// @param limits of each request
/// @param timeoutMs when a leader that does not answer is given up
/// @param maxBackoffMs the longest pause after an error
record FetcherSettings(FetchMessages.Limits limits, int timeoutMs, int maxBackoffMs) {
    private static final int FIRST_BACKOFF_MS = 20;
    private static final int MAX_DOUBLINGS = 10;

    static FetcherSettings of(ConfigValues broker) {
        return new FetcherSettings(
                new FetchMessages.Limits(
                        broker.value(ReplicationKeys.REPLICA_FETCH_WAIT_MAX_MS),
                        broker.value(ReplicationKeys.REPLICA_FETCH_MIN_BYTES),
                        broker.value(ReplicationKeys.REPLICA_FETCH_RESPONSE_MAX_BYTES),
                        broker.value(ReplicationKeys.REPLICA_FETCH_MAX_BYTES)),
                broker.value(ReplicationKeys.REPLICA_SOCKET_TIMEOUT_MS),
                broker.value(ReplicationKeys.REPLICA_FETCH_BACKOFF_MS));
    }

    /// The pause after so many failures in a row: a leader that has just been elected may not know
    /// it yet, so the first ones are short.
    long backoffMs(int failures) {
        long grown = (long) FIRST_BACKOFF_MS << Math.min(failures, MAX_DOUBLINGS);
        return Math.max(1, Math.min(grown, maxBackoffMs));
    }
}

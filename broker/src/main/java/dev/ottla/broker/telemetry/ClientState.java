package dev.ottla.broker.telemetry;

import dev.ottla.wire.ErrorCode;

/// What is known of one client instance. Owned by [ClientTelemetry].
final class ClientState {
    private static final long MIN_KEPT_MS = 60_000;
    private static final int KEPT_INTERVALS = 3;

    private final TelemetryClient client;
    private final WantedMetrics wanted;
    private final int generation;
    private long lastSeenMs;
    private long lastRequestMs;
    private boolean knowsRequest;
    private long lastPushMs;
    private boolean mayPushAtOnce = true;
    private boolean terminating;
    private ErrorCode lastError = ErrorCode.NONE;

    /// @param generation of the subscriptions that `wanted` was made from
    ClientState(TelemetryClient client, WantedMetrics wanted, int generation) {
        this.client = client;
        this.wanted = wanted;
        this.generation = generation;
    }

    TelemetryClient client() {
        return client;
    }

    WantedMetrics wanted() {
        return wanted;
    }

    int generation() {
        return generation;
    }

    /// Whether nobody has heard of the client for so long that it can be forgotten.
    boolean isExpired(long nowMs) {
        long keptMs = Math.max(MIN_KEPT_MS, (long) KEPT_INTERVALS * wanted.pushIntervalMs());
        return nowMs - lastSeenMs > keptMs;
    }

    void onSeen(long nowMs) {
        lastSeenMs = nowMs;
    }

    /// The client asks what is wanted. It may do so once per interval, and at once when its last
    /// push was refused for not knowing.
    boolean tryAsk(long nowMs) {
        boolean mustKnow =
                lastError == ErrorCode.UNKNOWN_SUBSCRIPTION_ID
                        || lastError == ErrorCode.UNSUPPORTED_COMPRESSION_TYPE;
        if (knowsRequest && !mustKnow && nowMs - lastRequestMs < wanted.pushIntervalMs()) {
            return false;
        }
        onRequest(nowMs);
        mayPushAtOnce = true;
        lastError = ErrorCode.NONE;
        return true;
    }

    /// The client pushes. It may do so once per interval, at any time after it asked (clients
    /// spread their first push), and a last time when it ends.
    ErrorCode onPush(Push push, int maxBytes, long nowMs) {
        lastError = check(push, maxBytes, nowMs);
        terminating = push.terminating();
        return lastError;
    }

    private ErrorCode check(Push push, int maxBytes, long nowMs) {
        if (terminating) {
            return ErrorCode.INVALID_REQUEST;
        }
        boolean due = mayPushAtOnce || nowMs - lastPushMs >= wanted.pushIntervalMs();
        if (!due && !push.terminating()) {
            return ErrorCode.THROTTLING_QUOTA_EXCEEDED;
        }
        onRequest(nowMs);
        lastPushMs = nowMs;
        mayPushAtOnce = false;
        if (push.subscriptionId() != wanted.subscriptionId()) {
            return ErrorCode.UNKNOWN_SUBSCRIPTION_ID;
        }
        if (push.compression().isEmpty()) {
            return ErrorCode.UNSUPPORTED_COMPRESSION_TYPE;
        }
        return push.metrics().remaining() > maxBytes
                ? ErrorCode.TELEMETRY_TOO_LARGE
                : ErrorCode.NONE;
    }

    private void onRequest(long nowMs) {
        knowsRequest = true;
        lastRequestMs = nowMs;
    }
}

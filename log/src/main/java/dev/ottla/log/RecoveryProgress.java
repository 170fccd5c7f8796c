package dev.ottla.log;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// How far the opening of a directory's logs is. Thread-safe: counters that lanes add to and
/// anybody reads; they need not fit to each other.
public final class RecoveryProgress {
    private final AtomicInteger logsFound = new AtomicInteger();
    private final AtomicInteger logsReady = new AtomicInteger();
    private final AtomicInteger logsFailed = new AtomicInteger();
    private final AtomicLong bytesScanned = new AtomicLong();

    void onLogFound() {
        logsFound.incrementAndGet();
    }

    void onLogReady() {
        logsReady.incrementAndGet();
    }

    void onLogFailed() {
        logsFailed.incrementAndGet();
    }

    void onBytesScanned(long bytes) {
        bytesScanned.addAndGet(bytes);
    }

    /// Logs that were asked for.
    public int logsFound() {
        return logsFound.get();
    }

    public int logsReady() {
        return logsReady.get();
    }

    public int logsFailed() {
        return logsFailed.get();
    }

    /// Bytes read again behind recovery points.
    public long bytesScanned() {
        return bytesScanned.get();
    }
}

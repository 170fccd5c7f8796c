package dev.ottla.broker.server;

import java.util.concurrent.TimeUnit;

/// Waits for what is bound to come, and fails when it does not.
final class Await {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    interface Condition {
        boolean holds() throws Exception;
    }

    private Await() {}

    static void until(String what, Condition condition) throws Exception {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.holds()) {
            if (System.nanoTime() > deadlineNs) throw new AssertionError("not in time: " + what);
            Thread.onSpinWait();
        }
    }
}

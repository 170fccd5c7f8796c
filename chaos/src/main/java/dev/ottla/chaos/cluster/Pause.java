package dev.ottla.chaos.cluster;

import java.util.concurrent.locks.LockSupport;

/// Lets time pass; an interrupted thread goes on at once.
public final class Pause {
    private Pause() {}

    public static void ofMs(long ms) {
        LockSupport.parkNanos(ms * 1_000_000);
    }
}

package dev.ottla.broker.shard;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/// A shard's own thread: turn after turn while there are messages, asleep until the next timer
/// otherwise.
final class OwnThread implements TurnRunner {
    private final Shard shard;
    private final Thread thread;

    /// Written by the shard around parking, read by posters after they pushed. Both sides write
    /// first and read the other's field second, sequentially consistent, so a poster either sees a
    /// sleeper or the sleeper its message.
    private volatile boolean sleeping;

    OwnThread(Shard shard, ThreadFactory threads) {
        this.shard = shard;
        this.thread = threads.newThread(this::loop);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void wake() {
        if (sleeping) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public boolean isOwner() {
        return Thread.currentThread() == thread;
    }

    @Override
    public boolean awaitStop(long millis) throws InterruptedException {
        thread.join(millis);
        return !thread.isAlive();
    }

    private void loop() {
        while (shard.turn()) {
            if (shard.backlog() == 0) {
                sleep();
            }
        }
    }

    private void sleep() {
        sleeping = true;
        if (shard.backlog() == 0) {
            LockSupport.parkNanos(this, shard.nanosToNextTimer(shard.clockNs()));
        }
        sleeping = false;
    }
}

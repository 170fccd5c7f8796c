package dev.ottla.broker.replica;

import dev.ottla.broker.request.RequestMemory;
import java.util.concurrent.atomic.AtomicInteger;

/// Memory that several hold and whose owner must be told once when all have let go. Thread-safe.
public final class AnswerMemory implements RequestMemory {
    private final Runnable release;

    /// Begins with the one who made it.
    private final AtomicInteger holders = new AtomicInteger(1);

    public AnswerMemory(Runnable release) {
        this.release = release;
    }

    @Override
    public void retain() {
        holders.incrementAndGet();
    }

    @Override
    public void release() {
        if (holders.decrementAndGet() == 0) {
            release.run();
        }
    }
}

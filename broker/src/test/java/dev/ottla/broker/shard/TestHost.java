package dev.ottla.broker.shard;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A thread that does nothing else than what its shard asks for.
final class TestHost implements ShardHost, AutoCloseable {
    private volatile @Nullable Thread thread;
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(task -> {
                Thread made = new Thread(task, "host-under-test");
                thread = made;
                return made;
            });
    private @Nullable ScheduledFuture<?> later;

    @Override
    public void adopt(Guest guest) {}

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public void executeLater(Runnable task, long delayNs) {
        if (later != null) later.cancel(false);
        later = executor.schedule(task, delayNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void turnBegins() {}

    @Override
    public void turnEnds() {}

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

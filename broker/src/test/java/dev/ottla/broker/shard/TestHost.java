package dev.ottla.broker.shard;

import java.util.Objects;
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

    private volatile @Nullable Guest guest;
    private volatile @Nullable Error failureAtTurnEnd;

    @Override
    public void adopt(Guest adopted) {
        guest = adopted;
    }

    @Override
    public void askForTurn() {
        Guest shard = Objects.requireNonNull(guest);
        executor.execute(shard::turn);
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
    public void turnEnds() {
        Error planted = failureAtTurnEnd;
        if (planted != null) throw planted;
    }

    void failAtTurnEnd(Error failure) {
        failureAtTurnEnd = failure;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;

/// One shard and one directory whose tasks run when a test says so, all on the test's thread.
public final class ManualShard {
    public final Deque<Runnable> shardTasks = new ArrayDeque<>();
    public final Deque<Runnable> laneTasks = new ArrayDeque<>();
    public final LogShard shard;
    public final DataDirectory directory;
    public long nowMs = 1_000_000;

    /// Whether the lane takes no more tasks, as when it is being stopped.
    public boolean laneIsStopped;

    public ManualShard(Disk disk, Path path) throws IOException {
        this(disk, path, new DataDirectory.Options(4, 0, 0, 0, new Uuid(7, 7)));
    }

    public ManualShard(Disk disk, Path path, DataDirectory.Options options) throws IOException {
        this(disk, path, options, 4);
    }

    public ManualShard(Disk disk, Path path, DataDirectory.Options options, int maxOpenFiles)
            throws IOException {
        shard = new LogShard(disk, shardTasks::add, maxOpenFiles, 64);
        directory = DataDirectory.open(disk, path, options, this::addToLane, laneTasks::add);
    }

    private void addToLane(Runnable task) {
        if (laneIsStopped) {
            throw new RejectedExecutionException("the lane is stopped");
        }
        laneTasks.add(task);
    }

    public LoadOutcome load(PartitionId id, LogConfig config, LogListener listener) {
        return directory.loadNow(id, config, shard, listener, nowMs);
    }

    /// The same as at the start of a broker, where syncs are left to the log.
    public PartitionLog loadedAtStart(PartitionId id, LogConfig config, LogListener listener) {
        List<PartitionLog> loaded = new ArrayList<>();
        directory.load(
                id,
                config,
                shard,
                listener,
                nowMs,
                outcome -> {
                    if (!(outcome instanceof LoadOutcome.Ready(PartitionLog log, var _))) {
                        throw new AssertionError(outcome);
                    }
                    loaded.add(log);
                });
        while (loaded.isEmpty()) {
            runOne(laneTasks);
            runOne(shardTasks);
        }
        return loaded.getFirst();
    }

    public PartitionLog loaded(PartitionId id, LogConfig config, LogListener listener) {
        return switch (load(id, config, listener)) {
            case LoadOutcome.Ready(PartitionLog log, var _) -> log;
            case LoadOutcome.Failed failed -> throw new AssertionError(failed.reason());
        };
    }

    public PartitionLog loaded(PartitionId id, LogConfig config) {
        return loaded(id, config, new LogListener() {});
    }

    /// Ends turns and runs tasks until nothing is left to do.
    public void settle() {
        while (step()) {
            // Until all is quiet.
        }
    }

    private boolean step() {
        Runnable task = shardTasks.poll();
        if (task == null && shard.hasWork()) {
            shard.endTurn(nowMs);
            return true;
        }
        if (task == null) {
            task = laneTasks.poll();
        }
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    /// Does one of the things that could happen next.
    public void stepAtRandom(RandomGenerator random) {
        switch (random.nextInt(3)) {
            case 0 -> shard.endTurn(nowMs);
            case 1 -> runOne(shardTasks);
            default -> runOne(laneTasks);
        }
    }

    private static void runOne(Deque<Runnable> tasks) {
        Runnable task = tasks.poll();
        if (task != null) {
            task.run();
        }
    }

    public void closeAll(PartitionLog... logs) throws IOException {
        for (PartitionLog log : logs) {
            log.close(() -> {});
        }
        settle();
        directory.close(true);
    }
}

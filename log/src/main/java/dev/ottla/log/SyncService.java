package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFullException;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.SharedFile;
import dev.ottla.log.epoch.LeaderEpochFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Makes the dirty logs of one data directory durable: requests in, flushed end offsets out. A log
/// has at most one request here; what it appends meanwhile goes into its next one, so a slow disk
/// makes larger groups. Thread-safe; the queue is bounded by the number of logs.
final class SyncService {
    private final Disk disk;
    private final Path root;
    private final Executor executor;
    private final int maxWorkers;
    private final Consumer<IOException> onFailure;

    private final Queue<SyncRequest> queue = new ConcurrentLinkedQueue<>();

    /// Workers that run or were handed to the executor. Raised by whoever enqueues, lowered by a
    /// worker that found the queue empty, which looks once more afterwards: so no request stays
    /// behind.
    private final AtomicInteger workers = new AtomicInteger();

    /// Set once after a failed sync; every later request fails too. Written by workers, read by
    /// all.
    private volatile boolean failed;

    SyncService(
            Disk disk,
            Path root,
            Executor executor,
            int maxWorkers,
            Consumer<IOException> onFailure) {
        this.disk = disk;
        this.root = root;
        this.executor = executor;
        this.maxWorkers = maxWorkers;
        this.onFailure = onFailure;
    }

    /// Takes a request; [#start] once all requests of a turn are here.
    void enqueue(SyncRequest request) {
        queue.add(request);
    }

    void start() {
        int running = workers.get();
        while (running < maxWorkers && !queue.isEmpty()) {
            if (workers.compareAndSet(running, running + 1)) {
                executor.execute(this::work);
            }
            running = workers.get();
            if (running > 0 && queue.size() <= running) {
                return;
            }
        }
    }

    private void work() {
        while (true) {
            SyncRequest request = queue.poll();
            if (request == null) {
                workers.decrementAndGet();
                if (queue.isEmpty() || workers.get() >= maxWorkers) {
                    return;
                }
                workers.incrementAndGet();
                continue;
            }
            carryOut(request);
        }
    }

    private void carryOut(SyncRequest request) {
        boolean done = false;
        boolean checkpointed = false;
        try {
            if (!failed && request.log().pathLease().tryTake()) {
                perform(request);
                checkpointed = performCheckpoint(request);
                done = true;
            }
        } catch (IOException e) {
            failed = true;
            onFailure.accept(e);
        } finally {
            request.release();
            request.log().pathLease().giveBack();
        }
        if (done) {
            boolean withCheckpoint = checkpointed;
            request.log().shard().execute(() -> request.log().onSynced(request, withCheckpoint));
        }
    }

    private void perform(SyncRequest request) throws IOException {
        for (SharedFile file : request.files()) {
            file.file().sync();
        }
        for (Path path : request.paths()) {
            DiskIo.syncIfPresent(disk, path);
        }
        if (request.syncDirectory()) {
            disk.syncDirectory(request.log().path());
        }
        if (request.syncRoot()) {
            disk.syncDirectory(root);
        }
    }

    /// False when the disk has no room for the small files: then recovery starts where it did,
    /// nothing else is lost.
    private boolean performCheckpoint(SyncRequest request) throws IOException {
        if (request.checkpoint().isEmpty()) {
            return false;
        }
        try {
            perform(request.checkpoint().get(), request.log().path());
            return true;
        } catch (DiskFullException _) {
            return false;
        }
    }

    private void perform(SyncRequest.Checkpoint checkpoint, Path directory) throws IOException {
        for (Path path : checkpoint.indexPaths()) {
            DiskIo.syncIfPresent(disk, path);
        }
        DiskIo.replace(disk, checkpoint.snapshotPath(), checkpoint.snapshot().duplicate(), false);
        if (checkpoint.epochs().isPresent()) {
            byte[] text = checkpoint.epochs().get().getBytes(StandardCharsets.UTF_8);
            DiskIo.replace(
                    disk, directory.resolve(LeaderEpochFile.NAME), ByteBuffer.wrap(text), false);
        }
        disk.syncDirectory(directory);
    }
}

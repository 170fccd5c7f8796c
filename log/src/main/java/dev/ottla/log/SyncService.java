package dev.ottla.log;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.DiskFullException;
import dev.ottla.log.disk.DiskIo;
import dev.ottla.log.disk.FileSystemSync;
import dev.ottla.log.disk.PatientDisk;
import dev.ottla.log.epoch.LeaderEpochFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Makes the dirty logs of one data directory durable: requests in, flushed end offsets out. A log
/// has at most one request here; what it appends meanwhile goes into its next one, so a slow disk
/// makes larger groups. A few requests are synced file by file, by several workers at once; more of
/// them together by one sync of the whole file system. That writes everything else on it too: what
/// has gathered there is written first, by a worker on whom no request waits. Why:
/// docs/decisions/0003-one-sync-for-many.md. Thread-safe; the queue is bounded by the number of
/// logs.
final class SyncService {
    /// What a disk writes in the time in which a request is carried out alone, roughly. With more
    /// of it waiting for each request, a sync of all would be the slower one.
    private static final long BYTES_A_REQUEST = 256 << 10;

    private static final int MOST_PATIENCE = 1 << 14;

    /// So often a worker syncs before it lets the other tasks of the executor come first.
    private static final int SYNCS_IN_A_ROW = 16;

    /// Keeps a reader of old records going beside any number of syncs.
    static final long LONGEST_PAUSE_MS = 5;

    private final Disk disk;
    private final Path root;
    private final Executor executor;
    private final int maxWorkers;
    private final int togetherFrom;
    private final Optional<FileSystemSync> fileSystem;
    private final Consumer<IOException> onFailure;

    private final Queue<SyncRequest> queue = new ConcurrentLinkedQueue<>();

    /// Requests in the queue, or about to be: raised before, lowered after.
    private final AtomicInteger queued = new AtomicInteger();

    /// Requests that only a sync of the file system can serve, because files were closed since they
    /// were written. They are in no hurry: the others go on file by file meanwhile.
    private final Queue<SyncRequest> closedQueue = new ConcurrentLinkedQueue<>();

    /// Requests there, or about to be: raised before, lowered after.
    private final AtomicInteger closedQueued = new AtomicInteger();

    /// Places of workers that run or were handed to the executor. Raised by whoever starts one,
    /// lowered by a worker that found the queue empty, which looks once more afterwards: so no
    /// request stays behind.
    private final AtomicInteger workers = new AtomicInteger();

    /// Monitor of those who wait for a moment without workers.
    private final Object pause = new Object();

    /// True while one worker syncs the file system. What comes meanwhile waits for the next time.
    private final AtomicBoolean together = new AtomicBoolean();

    /// True while one worker syncs the file system and the requests of the queue do not wait for
    /// it: they go on file by file. It serves those with closed files, or writes what had gathered.
    /// Whoever lowers it looks at those with closed files afterwards.
    private final AtomicBoolean aside = new AtomicBoolean();

    /// How often it must be found in the way before it is written: doubled each time, so that
    /// somebody who writes all the time is left alone in the end. Written by whoever clears or
    /// finds nothing in the way; when both happen at once, either value does.
    private volatile int patience = 1;

    /// How often that still is.
    private final AtomicInteger patienceLeft = new AtomicInteger(1);

    /// Raised whenever a worker turns to something else. Read by any thread.
    private final AtomicLong pulse = new AtomicLong();

    /// Set once by a failed sync; every later request fails too. Written by workers, read by all.
    private volatile boolean failed;

    /// One that counts as a failed sync, until a worker has finished what it took and throws it.
    /// Written by workers; when several meet one, either will do.
    private volatile @Nullable Error unthrown;

    /// @param togetherFrom so many waiting requests are synced together
    SyncService(
            Disk disk,
            Path root,
            Executor executor,
            int maxWorkers,
            int togetherFrom,
            Consumer<IOException> onFailure)
            throws IOException {
        this.disk = new PatientDisk(disk, this::letWaitingFilesGo);
        this.root = root;
        this.executor = executor;
        this.maxWorkers = maxWorkers;
        this.togetherFrom = Math.max(1, togetherFrom);
        this.onFailure = onFailure;
        fileSystem = disk.openFileSystemSync(root);
    }

    /// Whether files may be closed before what was written to them is synced: the one descriptor of
    /// the file system hears of every failure since the directory was opened.
    boolean coversClosedFiles() {
        return fileSystem.isPresent();
    }

    /// Takes a request; [#start] once all requests of a turn are here.
    void enqueue(SyncRequest request) {
        if (request.filesComplete()) {
            queued.incrementAndGet();
            queue.add(request);
        } else {
            request.files().release(); // The sync that it waits for needs none.
            closedQueued.incrementAndGet();
            closedQueue.add(request);
        }
    }

    void start() {
        int running = workers.get();
        while (running < maxWorkers && running < workersToRun() && !together.get()) {
            if (workers.compareAndSet(running, running + 1)) {
                startWorker();
            }
            running = workers.get();
        }
    }

    /// In a place that is taken already.
    private void startWorker() {
        boolean started = false;
        try {
            executor.execute(this::work);
            started = true;
        } finally {
            if (!started) {
                leavePlace();
            }
        }
    }

    private void leavePlace() {
        if (workers.decrementAndGet() == 0) {
            synchronized (pause) {
                pause.notifyAll();
            }
        }
    }

    boolean isIdle() {
        return workers.get() == 0;
    }

    /// A number that changes whenever something comes to its end; empty when nothing is to be done.
    OptionalLong pulse() {
        return isIdle() ? OptionalLong.empty() : OptionalLong.of(pulse.get());
    }

    /// Waits until nothing is being synced, at most `millis`, now and then shorter than that: what
    /// a disk is asked to read while it syncs comes before the sync, which records wait for.
    @SuppressWarnings("WaitNotInLoop")
    void awaitPause(long millis) {
        synchronized (pause) {
            if (isIdle()) return;
            try {
                pause.wait(millis);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Together with the one for whom no request of the queue waits.
    private int workersToRun() {
        return queued.get() + (closedQueued.get() > 0 || aside.get() ? 1 : 0);
    }

    private int wantedWorkers() {
        return queued.get() + (closedQueued.get() > 0 && !aside.get() ? 1 : 0);
    }

    private void work() {
        boolean settled = false; // Whether the place was left or handed on.
        try {
            while (!settled) {
                settled = !workInARow() || handOn();
            }
        } catch (Throwable e) {
            fail(e);
        } finally {
            if (!settled) {
                leavePlace();
            }
        }
        throwError();
    }

    /// The thread that ran into an error ends by it, after all who waited were served.
    private void throwError() {
        Error error = unthrown;
        if (error != null) {
            unthrown = null;
            throw error;
        }
    }

    /// Lets whatever waits for the executor come first, however many requests keep coming. False
    /// when it takes nothing any more because it is being stopped: then this worker goes on.
    private boolean handOn() {
        try {
            executor.execute(this::work);
            return true;
        } catch (RejectedExecutionException _) {
            return false;
        }
    }

    /// False when there was nothing more to do and the place was left.
    private boolean workInARow() {
        for (int syncs = 0; syncs < SYNCS_IN_A_ROW; syncs++) {
            if (!workOnce()) {
                return false;
            }
        }
        return true;
    }

    private boolean workOnce() {
        pulse.incrementAndGet();
        if (fileSystem.isPresent()) {
            workOnClosed(fileSystem.get());
            if (queued.get() >= togetherFrom && workOnAll(fileSystem.get())) {
                return true;
            }
        }
        SyncRequest request = together.get() ? null : queue.poll();
        if (request == null) {
            return !mayStop();
        }
        queued.decrementAndGet();
        carryOut(request);
        return true;
    }

    /// Carries the requests with closed files out, if there are any and nobody else will.
    private void workOnClosed(FileSystemSync sync) {
        if (closedQueued.get() == 0 || together.get() || !aside.compareAndSet(false, true)) {
            return;
        }
        try {
            start(); // Others go on with the queue meanwhile.
            carryOutTogether(takeAll(closedQueue, closedQueued), sync);
        } finally {
            aside.set(false);
        }
    }

    /// Many requests wait: carries them out together, or clears the way for that; false when
    /// neither is due.
    private boolean workOnAll(FileSystemSync sync) {
        if (together.get() || aside.get()) {
            return false;
        }
        if (sync.unwrittenBytes() > queued.get() * BYTES_A_REQUEST) {
            if (patienceLeft.decrementAndGet() <= 0
                    && maxWorkers > 1
                    && aside.compareAndSet(false, true)) {
                clear(sync);
                return true;
            }
        } else if (together.compareAndSet(false, true)) {
            patience = 1;
            patienceLeft.set(1);
            try {
                List<SyncRequest> all = takeAll(queue, queued);
                all.addAll(takeAll(closedQueue, closedQueued));
                carryOutTogether(all, sync);
            } finally {
                together.set(false);
            }
            start();
            return true;
        }
        return false;
    }

    /// Nobody waits for it, but a failure may be of records of ours, and is told only once.
    private void clear(FileSystemSync sync) {
        patience = Math.min(2 * patience, MOST_PATIENCE);
        patienceLeft.set(patience);
        try {
            start(); // Others go on with the queue meanwhile.
            syncAll(sync);
        } catch (Throwable e) {
            fail(e);
        } finally {
            aside.set(false);
        }
    }

    /// One at a time: a failure is told once, and whoever comes after the one that heard of it must
    /// not take its own sync for a good one.
    private synchronized void syncAll(FileSystemSync sync) throws IOException {
        if (failed) {
            throw new IOException("an earlier sync has failed");
        }
        boolean good = false;
        try {
            sync.sync();
            good = true;
        } finally {
            failed |= !good;
        }
    }

    /// Gives the worker's place up; false when a request came at the last moment and nobody else
    /// may take it.
    private boolean mayStop() {
        leavePlace();
        if (wantedWorkers() == 0 || together.get()) {
            return true;
        }
        int running = workers.get();
        while (running < maxWorkers) {
            if (workers.compareAndSet(running, running + 1)) {
                return false;
            }
            running = workers.get();
        }
        return true;
    }

    private static List<SyncRequest> takeAll(Queue<SyncRequest> from, AtomicInteger counted) {
        List<SyncRequest> requests = new ArrayList<>();
        int count = counted.get();
        while (requests.size() < count) {
            SyncRequest request = from.poll();
            if (request == null) {
                break;
            }
            counted.decrementAndGet();
            requests.add(request);
        }
        return requests;
    }

    // --- one request

    private void carryOut(SyncRequest request) {
        PathLease lease = request.log().pathLease();
        boolean taken = !failed && lease.tryTake();
        boolean done = false;
        boolean checkpointed = false;
        try {
            if (taken) {
                sync(request);
                checkpointed = checkpoint(request);
                done = true;
            }
        } catch (Throwable e) {
            fail(e);
        } finally {
            finish(request, taken);
        }
        if (done) {
            tell(request, checkpointed);
        }
    }

    private void sync(SyncRequest request) throws IOException {
        request.files().sync();
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

    /// False when there is none, or the disk has no room for the small files: then recovery starts
    /// where it did, nothing else is lost.
    private boolean checkpoint(SyncRequest request) throws IOException {
        if (request.checkpoint().isEmpty()) {
            return false;
        }
        SyncRequest.Checkpoint checkpoint = request.checkpoint().get();
        for (Path path : checkpoint.indexPaths()) {
            DiskIo.syncIfPresent(disk, path);
        }
        if (!writeBeside(request, checkpoint, true)) {
            return false;
        }
        takePlace(request, checkpoint);
        disk.syncDirectory(request.log().path());
        return true;
    }

    private boolean writeBeside(
            SyncRequest request, SyncRequest.Checkpoint checkpoint, boolean sync)
            throws IOException {
        try {
            if (checkpoint.snapshot().isPresent()) {
                ByteBuffer snapshot = checkpoint.snapshot().get().duplicate();
                DiskIo.writeBeside(disk, checkpoint.snapshotPath(), snapshot, sync);
            }
            if (checkpoint.epochs().isPresent()) {
                byte[] text = checkpoint.epochs().get().getBytes(StandardCharsets.UTF_8);
                DiskIo.writeBeside(disk, epochFile(request), ByteBuffer.wrap(text), sync);
            }
            return true;
        } catch (DiskFullException _) {
            return false;
        }
    }

    private void takePlace(SyncRequest request, SyncRequest.Checkpoint checkpoint)
            throws IOException {
        if (checkpoint.snapshot().isPresent()) {
            DiskIo.takePlace(disk, checkpoint.snapshotPath());
        }
        if (checkpoint.epochs().isPresent()) {
            DiskIo.takePlace(disk, epochFile(request));
        }
    }

    private static Path epochFile(SyncRequest request) {
        return request.log().path().resolve(LeaderEpochFile.NAME);
    }

    // --- many at once

    /// One sync covers the files and names of all; checkpoints take a second one, for the names
    /// that their files get when the content is durable.
    private void carryOutTogether(List<SyncRequest> requests, FileSystemSync sync) {
        List<SyncRequest> taken = new ArrayList<>(requests.size());
        List<SyncRequest> left = new ArrayList<>(0);
        Set<SyncRequest> checkpoints = identitySet();
        boolean done = false;
        try {
            for (SyncRequest request : requests) {
                boolean takes = !failed && request.log().pathLease().tryTake();
                (takes ? taken : left).add(request);
                request.files().release(); // What comes now may need descriptors.
            }
            for (SyncRequest request : taken) {
                Optional<SyncRequest.Checkpoint> checkpoint = request.checkpoint();
                if (checkpoint.isPresent() && writeBeside(request, checkpoint.get(), false)) {
                    checkpoints.add(request);
                }
            }
            if (!taken.isEmpty()) {
                syncAll(sync);
                for (SyncRequest request : taken) {
                    if (checkpoints.contains(request)) {
                        takePlace(request, request.checkpoint().orElseThrow());
                    }
                }
                if (checkpoints.stream().anyMatch(SyncService::hasNewFiles)) {
                    syncAll(sync);
                }
                done = true;
            }
        } catch (Throwable e) {
            fail(e);
        } finally {
            taken.forEach(request -> finish(request, true));
            left.forEach(request -> finish(request, false));
        }
        if (done) {
            for (SyncRequest request : taken) {
                tell(request, checkpoints.contains(request));
            }
        }
    }

    private static boolean hasNewFiles(SyncRequest request) {
        SyncRequest.Checkpoint checkpoint = request.checkpoint().orElseThrow();
        return checkpoint.snapshot().isPresent() || checkpoint.epochs().isPresent();
    }

    /// Only to look up: its order is another in each run.
    private static Set<SyncRequest> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    // --- what a worker that finds no descriptor can do about it

    /// The descriptor that a worker waits for may be one of those that wait for a worker.
    private void letWaitingFilesGo() {
        for (SyncRequest request : queue) {
            if (failed) {
                return;
            }
            failing(request.files()::sync);
        }
    }

    // --- the end of a request

    private void finish(SyncRequest request, boolean taken) {
        failing(() -> request.files().release());
        if (taken) {
            failing(() -> request.log().pathLease().giveBack()); // May remove the log.
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void failing(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            fail(e);
        }
    }

    private static void tell(SyncRequest request, boolean checkpointed) {
        PartitionLog log = request.log();
        log.shard().execute(log, () -> log.onSynced(request, checkpointed));
    }

    /// Whatever went wrong counts as a failed sync: nothing may be acknowledged after it.
    private void fail(Throwable cause) {
        failed = true;
        if (cause instanceof Error error) {
            unthrown = error;
        }
        onFailure.accept(
                cause instanceof IOException fault
                        ? fault
                        : new IOException("a sync ended with " + cause, cause));
    }

    void close() {
        fileSystem.ifPresent(FileSystemSync::close);
    }
}

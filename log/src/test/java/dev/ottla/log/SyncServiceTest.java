package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which way the sync service makes logs durable, and what does not wait meanwhile.
class SyncServiceTest {
    private static final int LOGS = 10;
    private static final int TOGETHER_FROM = 4;
    private static final int WORKERS = 2;
    private static final Path ROOT = Path.of("/data");
    private static final long MUCH = 1L << 30;

    private final FakeDisk disk = new FakeDisk();
    private final ManualShard owner =
            new ManualShard(
                    disk,
                    ROOT,
                    new DataDirectory.Options(WORKERS, TOGETHER_FROM, 0, 0, 0, new Uuid(7, 7)),
                    2 * LOGS);
    private final List<PartitionLog> logs = new ArrayList<>();
    private int next;

    SyncServiceTest() throws IOException {
        for (int i = 0; i < LOGS; i++) {
            PartitionId id = new PartitionId(new Uuid(1, i), "t", i);
            logs.add(owner.loaded(id, LogConfig.DEFAULTS));
        }
        appendTo(LOGS); // Makes files, which takes more syncs.
        owner.settle();
    }

    private void appendTo(int count) {
        for (PartitionLog log : logs.subList(0, count)) {
            log.append(Batches.of(1, "a"), 0, AppendOrigin.CLIENT, owner.nowMs);
        }
    }

    private long syncsOfAppendsTo(int count) {
        long before = disk.syncs();
        appendTo(count);
        owner.settle();
        return disk.syncs() - before;
    }

    private void allAreFlushed(long endOffset) {
        assertThat(logs).allMatch(log -> log.flushedEndOffset() == endOffset);
    }

    @Test
    void manyLogsShareOneSync() {
        assertThat(syncsOfAppendsTo(LOGS)).isEqualTo(1);
        allAreFlushed(2);
    }

    @Test
    void fewLogsAreSyncedFileByFile() {
        disk.foreignBytes(MUCH);

        assertThat(syncsOfAppendsTo(TOGETHER_FROM - 1)).isEqualTo(TOGETHER_FROM - 1);
    }

    /// On the test's one thread the clearing comes first; in a broker another worker goes on.
    @Test
    void whatOthersHaveWrittenIsClearedAwayFirst() {
        disk.foreignBytes(MUCH);

        assertThat(syncsOfAppendsTo(LOGS)).isEqualTo(2);
        allAreFlushed(2);
    }

    @Test
    void somebodyWhoWritesAllTheTimeIsLeftAlone() {
        disk.keepForeignBytes(MUCH);
        long clearings = 0;
        for (int i = 0; i < 100; i++) {
            clearings += syncsOfAppendsTo(LOGS) - LOGS;
        }

        assertThat(clearings).isBetween(5L, 10L);
        allAreFlushed(101);
    }

    @Test
    void aFailureThatTheClearingHearsOfTakesTheDirectoryOffline() {
        disk.foreignBytes(MUCH);
        disk.failSyncs(true);
        syncsOfAppendsTo(LOGS);

        assertThat(owner.directory.offlineReason()).isPresent();
        allAreFlushed(1);
    }

    @Test
    void whoCanWaitReadsWhenNothingIsBeingSynced() throws InterruptedException {
        SyncService service = owner.directory.syncService();
        service.awaitPause(TimeUnit.HOURS.toMillis(1)); // Nothing is: returns at once.
        appendTo(1);
        owner.shard.endTurn(owner.nowMs);
        Thread reader =
                Thread.ofPlatform().start(() -> service.awaitPause(TimeUnit.HOURS.toMillis(1)));
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (reader.getState() != Thread.State.TIMED_WAITING) {
            assertThat(reader.isAlive()).isTrue();
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.onSpinWait();
        }

        owner.settle();

        reader.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(reader.isAlive()).isFalse();
    }

    @Test
    void whoCanWaitDoesNotWaitForEver() {
        appendTo(1);
        owner.shard.endTurn(owner.nowMs);

        owner.directory.syncService().awaitPause(1);

        assertThat(owner.laneTasks).as("the sync, which nobody carried out").isNotEmpty();
        owner.settle();
    }

    // --- what does not wait

    /// A worker that clears stands here for any sync of the file system on which nobody waits.
    @Test
    void requestsAreCarriedOutWhileTheWayIsCleared() {
        disk.foreignBytes(MUCH);
        List<Long> flushed = new ArrayList<>();
        onFirstSync(() -> {
            owner.settle(); // Another worker: those that waited when the clearing began.
            flushed.add(logs.getLast().flushedEndOffset());
            appendTo(1);
            owner.settle(); // And those that come meanwhile.
            flushed.add(logs.getFirst().flushedEndOffset());
        });

        appendTo(LOGS);
        owner.settle();

        assertThat(flushed).containsExactly(2L, 3L);
    }

    @Test
    void requestsAreCarriedOutWhileClosedFilesAreSynced() throws IOException {
        PartitionLog closed = cachedLogWithClosedFile();
        List<Long> flushed = new ArrayList<>();
        onFirstSync(() -> {
            owner.settle();
            flushed.add(logs.getFirst().flushedEndOffset());
            appendTo(1);
            owner.settle();
            flushed.add(logs.getFirst().flushedEndOffset());
            flushed.add(closed.flushedEndOffset());
        });

        closed.flush();
        appendTo(1);
        owner.settle();

        assertThat(flushed).containsExactly(2L, 3L, 0L);
        assertThat(closed.flushedEndOffset()).isEqualTo(1);
    }

    private PartitionLog cachedLogWithClosedFile() {
        PartitionLog log =
                owner.loaded(
                        new PartitionId(new Uuid(2, 0), "cached", 0),
                        LogConfig.builder().flushPolicy(FlushPolicy.PAGE_CACHE).build());
        log.append(Batches.of(1, "a"), 0, AppendOrigin.CLIENT, owner.nowMs);
        owner.settle();
        owner.shard.sweep(owner.nowMs);
        owner.shard.sweep(owner.nowMs); // Closes what is idle.
        return log;
    }

    private void onFirstSync(Runnable task) {
        disk.beforeSync(() -> {
            disk.beforeSync(() -> {});
            task.run();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, LOGS / 2})
    void otherWorkOfTheLaneComesInBetweenUnderLastingLoad(int appendsAtOnce) {
        long before = disk.syncs();
        disk.beforeSync(() -> {
            if (disk.syncs() - before < 1_000) {
                appendToIdle(appendsAtOnce);
            }
        });
        appendToIdle(appendsAtOnce);
        List<Long> syncsBefore = new ArrayList<>();
        owner.laneTasks.add(() -> syncsBefore.add(disk.syncs() - before));

        owner.settle();

        assertThat(disk.syncs() - before).isGreaterThan(900);
        assertThat(syncsBefore.getFirst()).isLessThan(50);
    }

    /// To the next ones in turn, which have no request under way.
    private void appendToIdle(int count) {
        while (!owner.shardTasks.isEmpty()) {
            owner.shardTasks.remove().run();
        }
        for (int i = 0; i < count; i++) {
            logs.get(next++ % LOGS).append(Batches.of(1, "a"), 0, AppendOrigin.CLIENT, 1);
        }
        owner.shard.endTurn(owner.nowMs);
    }

    // --- places of workers

    @Test
    void aLaneThatTakesNoWorkerCostsNoPlace() throws IOException {
        AtomicBoolean stopped = new AtomicBoolean(true);
        Queue<Runnable> tasks = new ArrayDeque<>();
        Executor lane =
                task -> {
                    if (stopped.get()) {
                        throw new RejectedExecutionException("stopped");
                    }
                    tasks.add(task);
                };
        SyncService service =
                new SyncService(disk, ROOT, lane, WORKERS, TOGETHER_FROM, failure -> {});
        service.enqueue(emptyRequest(0));
        for (int i = 0; i <= WORKERS; i++) {
            assertThatThrownBy(service::start).isInstanceOf(RejectedExecutionException.class);
        }
        stopped.set(false);

        service.start();

        assertThat(tasks).hasSize(1);
    }

    @Test
    void aWorkerGoesOnWhenTheLaneIsStopped() {
        long before = disk.syncs();
        disk.beforeSync(() -> {
            owner.laneIsStopped = true;
            if (disk.syncs() - before < 100) {
                appendToIdle(1);
            }
        });
        appendToIdle(1);

        owner.settle();

        assertThat(disk.syncs() - before).isGreaterThanOrEqualTo(100);
    }

    @Test
    void aBugAtTheEndOfARequestCostsNoPlaceAndTakesTheDirectoryOffline() {
        onFirstSync(() -> {
            logs.getFirst().delete(); // Carried out when the sync is done,
            owner.laneIsStopped = true; // but it needs the lane.
        });
        appendTo(LOGS);

        owner.settle();

        assertThat(owner.directory.offlineReason().orElseThrow()).contains("the lane is stopped");
        assertThat(owner.directory.syncService().isIdle()).isTrue();
        assertThat(disk.openFiles()).as("files of the other requests too").isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, LOGS})
    void anErrorTakesTheDirectoryOfflineAndLosesNoRequest(int logsAtOnce) {
        onFirstSync(() -> {
            throw new OutOfMemoryError("Cannot reserve direct buffer memory");
        });
        appendTo(logsAtOnce);

        assertThatThrownBy(owner::settle).isInstanceOf(OutOfMemoryError.class);
        owner.settle();

        assertThat(owner.directory.offlineReason().orElseThrow()).contains("direct buffer memory");
        allAreFlushed(1);
        assertThat(logs).allMatch(log -> log.offlineReason().isPresent());
        assertThat(owner.directory.syncService().isIdle()).isTrue();
        assertThat(disk.openFiles()).isZero();
    }

    private SyncRequest emptyRequest(int log) {
        return new SyncRequest(
                logs.get(log),
                0,
                0,
                new UnsyncedFiles(List.of()),
                true,
                List.of(),
                true,
                false,
                Optional.empty());
    }
}

package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Which way the sync service makes logs durable.
class SyncServiceTest {
    private static final int LOGS = 10;
    private static final int TOGETHER_FROM = 4;
    private static final long MUCH = 1L << 30;

    private final FakeDisk disk = new FakeDisk();
    private final ManualShard owner =
            new ManualShard(
                    disk,
                    Path.of("/data"),
                    new DataDirectory.Options(2, TOGETHER_FROM, 0, 0, 0, new Uuid(7, 7)));
    private final List<PartitionLog> logs = new ArrayList<>();

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
}

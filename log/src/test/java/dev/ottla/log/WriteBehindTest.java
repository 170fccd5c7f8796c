package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.Disk.OpenMode;
import dev.ottla.log.disk.DiskFile;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.record.BatchBuilder;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When the system is asked to begin to write what is in its page cache.
class WriteBehindTest {
    private static final int HALF_A_STEP = 600 << 10;
    private static final int SLOW_MS = 100;
    private static final int FAST_MS = 5;

    private final FakeDisk disk = new FakeDisk();
    private ManualShard shard;

    @BeforeEach
    void open() throws IOException {
        shard = new ManualShard(disk, Path.of("/data"));
    }

    @Test
    void eachStepOfASlowWriterIsAskedForOnce() {
        PartitionLog log = log(1, FlushPolicy.PAGE_CACHE);

        append(log, SLOW_MS);
        assertThat(disk.startedWriting()).isEmpty();
        append(log, SLOW_MS);
        append(log, SLOW_MS);
        append(log, SLOW_MS);

        long size = log.sizeBytes();
        assertThat(disk.startedWriting())
                .containsExactly(
                        "00000000000000000000.log 0-" + size / 2,
                        "00000000000000000000.log " + size / 2 + "-" + size);
    }

    @Test
    void fastWriterIsLeftToTheSystem() {
        PartitionLog log = log(1, FlushPolicy.PAGE_CACHE);

        for (int i = 0; i < 10; i++) {
            append(log, FAST_MS);
        }

        assertThat(disk.startedWriting()).hasSize(1);
    }

    @Test
    void whatIsSyncedNeedsNoHint() {
        PartitionLog log = log(1, FlushPolicy.FSYNC);

        for (int i = 0; i < 4; i++) {
            append(log, SLOW_MS);
        }

        assertThat(disk.startedWriting()).isEmpty();
    }

    @Test
    void oneHintIsUnderWayAtATime() {
        PartitionLog one = log(1, FlushPolicy.PAGE_CACHE);
        PartitionLog other = log(2, FlushPolicy.PAGE_CACHE);
        shard.settle();

        for (int i = 0; i < 4; i++) {
            write(one, SLOW_MS);
            write(other, SLOW_MS);
        }
        assertThat(shard.laneTasks).hasSize(1);
        shard.settle();

        assertThat(disk.startedWriting()).hasSize(1);
        append(other, SLOW_MS);
        append(other, SLOW_MS);
        assertThat(disk.startedWriting()).hasSize(2);
    }

    @Test
    void laneThatIsStoppedTakesNoHint() {
        PartitionLog log = log(1, FlushPolicy.PAGE_CACHE);
        shard.settle();
        shard.laneIsStopped = true;

        write(log, SLOW_MS);
        write(log, SLOW_MS);

        assertThat(log.offlineReason()).isEmpty();
    }

    @Test
    void systemTakesTheHintOrDoesWithoutIt(@TempDir Path directory) throws IOException {
        try (DiskFile file = new FileDisk().open(directory.resolve("f"), OpenMode.CREATE)) {
            file.write(ByteBuffer.wrap(new byte[8192]), 0);
            file.startWriting(0, 8192);
            assertThat(file.size()).isEqualTo(8192);
        }
    }

    private PartitionLog log(int id, FlushPolicy policy) {
        LogConfig config = LogConfig.builder().flushPolicy(policy).build();
        return shard.loaded(new PartitionId(new Uuid(1, id), "t" + id, 0), config);
    }

    /// A good half of a step, and whatever follows from it.
    private void append(PartitionLog log, int afterMs) {
        write(log, afterMs);
        shard.settle();
    }

    private void write(PartitionLog log, int afterMs) {
        shard.nowMs += afterMs;
        ByteBuffer batch =
                new BatchBuilder()
                        .append(shard.nowMs, null, ByteBuffer.wrap(new byte[HALF_A_STEP]))
                        .build();
        assertThat(log.append(batch, 0, AppendOrigin.CLIENT, shard.nowMs))
                .isInstanceOf(AppendOutcome.Appended.class);
        shard.shard.endTurn(shard.nowMs);
    }
}

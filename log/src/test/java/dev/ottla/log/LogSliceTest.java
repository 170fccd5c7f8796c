package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.Disk;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogSliceTest {
    private static final PartitionId ID = new PartitionId(new Uuid(1, 2), "orders", 3);

    @TempDir private Path directory;

    @Test
    void whatWasJustWrittenIsInThePageCache() throws IOException {
        LogSlice slice = written(new FileDisk(), directory.resolve("data"));

        assertThat(slice.isResident()).isTrue();
        slice.warm();
        slice.release();
    }

    @Test
    void withoutAFileOfTheSystemNothingIsKnown() throws IOException {
        LogSlice slice = written(new FakeDisk(), Path.of("/data"));

        assertThat(slice.isResident()).isFalse();
        slice.warm();
        slice.release();
    }

    @Test
    void readingAheadHoldsTheFileAndChangesNothing() throws IOException {
        for (Disk disk : List.of(new FileDisk(), new FakeDisk())) {
            Path path = disk instanceof FileDisk ? directory.resolve("data") : Path.of("/data");
            LogSlice slice = written(disk, path);
            ByteBuffer before = slice.readAll();
            Runnable task = slice.readAhead(slice.position(), 8 << 20);
            slice.readAhead(1L << 40, 1).run();

            task.run();

            assertThat(slice.readAll()).isEqualTo(before);
            slice.release();
        }
    }

    private static LogSlice written(Disk disk, Path path) throws IOException {
        ManualShard owner = new ManualShard(disk, path);
        PartitionLog log = owner.loaded(ID, LogConfig.DEFAULTS);
        log.append(Batches.of(owner.nowMs, "paid"), 1, AppendOrigin.CLIENT, owner.nowMs);
        owner.settle();
        return ((ReadOutcome.Batches) log.read(0, 1_000, 1, true)).slice();
    }
}

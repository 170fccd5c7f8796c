package dev.ottla.bench.micro;

import dev.ottla.bench.load.BatchShape;
import dev.ottla.log.AppendOutcome;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.FlushPolicy;
import dev.ottla.log.LoadOutcome;
import dev.ottla.log.LogConfig;
import dev.ottla.log.LogListener;
import dev.ottla.log.LogShard;
import dev.ottla.log.PartitionId;
import dev.ottla.log.PartitionLog;
import dev.ottla.log.ReadOutcome;
import dev.ottla.log.disk.FileDisk;
import dev.ottla.log.producer.AppendOrigin;
import dev.ottla.record.Compression;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// A partition's log on a real disk, with everything on the calling thread: appending a batch of 16
/// KiB and ending the turn, which writes it; and finding where an offset lies, through the index.
@State(Scope.Thread)
public class LogAccess {
    private static final long KEPT_BATCHES = 20_000;
    private static final int SEGMENT_BYTES = 256 * 1024 * 1024;
    private static final int READ_BYTES = 1 << 20;
    private static final int OPEN_FILES = 100;
    private static final int INDEX_PAGES = 1000;
    private static final long TRUNCATE_AT_BYTES = 1L << 30;

    private final Path folder;
    private final DataDirectory directory;
    private final LogShard shard =
            new LogShard(new FileDisk(), Runnable::run, OPEN_FILES, INDEX_PAGES);
    private final PartitionLog log;
    private final ByteBuffer batch;
    private final SplittableRandom random = new SplittableRandom(5);

    /// Makes a log of some hundred megabytes.
    public LogAccess() {
        try {
            folder = Files.createTempDirectory("ottla-micro-");
            directory =
                    DataDirectory.open(
                            new FileDisk(),
                            folder.resolve("data"),
                            new DataDirectory.Options(1, 0, 0, 0, new Uuid(3, 4)),
                            Runnable::run,
                            Runnable::run);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        LogConfig config =
                LogConfig.builder()
                        .flushPolicy(FlushPolicy.PAGE_CACHE)
                        .segmentBytes(SEGMENT_BYTES)
                        .segmentMs(Long.MAX_VALUE)
                        .build();
        PartitionId id = new PartitionId(new Uuid(1, 2), "t", 0);
        log =
                switch (directory.loadNow(id, config, shard, new LogListener() {}, 0)) {
                    case LoadOutcome.Ready ready -> ready.log();
                    case LoadOutcome.Failed failed ->
                            throw new IllegalStateException(failed.reason());
                };
        BatchShape shape = BatchShape.filling(16 * 1024, 1024, Compression.NONE);
        ByteBuffer built = shape.build(0, new SplittableRandom(1));
        batch = ByteBuffer.allocateDirect(built.remaining()).put(built).flip();
        for (long i = 0; i < KEPT_BATCHES; i++) appendOne();
    }

    @Benchmark
    public AppendOutcome append() {
        if (log.sizeBytes() > TRUNCATE_AT_BYTES) log.truncateTo(0);
        return appendOne();
    }

    @Benchmark
    public int lookUp() {
        long offset = random.nextLong(log.logEndOffset());
        ReadOutcome outcome = log.read(offset, READ_BYTES, log.logEndOffset(), true);
        if (!(outcome instanceof ReadOutcome.Batches(var slice))) {
            throw new IllegalStateException("offset " + offset + ": " + outcome);
        }
        int size = slice.sizeBytes();
        slice.release();
        return size;
    }

    private AppendOutcome appendOne() {
        AppendOutcome outcome = log.append(batch.duplicate(), 1, AppendOrigin.CLIENT, 0);
        shard.endTurn(0);
        return outcome;
    }

    @TearDown
    public void delete() throws IOException {
        directory.close(false);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        }
    }
}

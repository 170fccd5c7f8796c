package dev.ottla.log.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// How long it takes until one KiB in each of many files is on disk: fdatasync by a few threads, one syncfs, or a journal
/// that all bytes are written to a second time. The figures in docs/decisions/0003 are from here. Run by hand:
///
///     java -cp <test class path of log> dev.ottla.log.disk.SyncBench DIRECTORY
final class SyncBench {
    private static final int[] FILE_COUNTS = {1, 10, 100, 1_000, 10_000};
    private static final int[] WORKER_COUNTS = {1, 4, 8, 16, 32};
    private static final long SECONDS_EACH = 4;
    private static final int RECORD_BYTES = 1024;

    private final FileDisk disk = new FileDisk();
    private final Path directory;
    private final List<DiskFile> files = new ArrayList<>();
    private final ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);
    private long position;

    private SyncBench(Path directory) {
        this.directory = directory;
    }

    /// What makes the files durable.
    private interface Method {
        void sync() throws IOException, InterruptedException, ExecutionException;
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory(Path.of(arguments[0]), "sync-bench");
        System.out.println(
                "files, method, rounds, median ms, 99th percentile ms, files per second");
        for (int count : FILE_COUNTS) {
            new SyncBench(Files.createDirectory(directory.resolve("n" + count))).run(count);
        }
        DiskIo.deleteRecursively(new FileDisk(), directory);
    }

    private void run(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            // A directory for each, as partitions have.
            Path partition = Files.createDirectory(directory.resolve("p-" + i));
            files.add(disk.open(partition.resolve("0.log"), Disk.OpenMode.CREATE));
        }
        FileSystemSync fileSystem = disk.openFileSystemSync(directory).orElseThrow();
        fileSystem.sync();
        for (int workers : WORKER_COUNTS) {
            if (workers == 1 || workers <= count) {
                try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
                    measure("fdatasync x " + workers, () -> syncAll(pool, workers));
                }
            }
        }
        measure("syncfs", fileSystem::sync);
        try (DiskFile journal = disk.open(directory.resolve("journal"), Disk.OpenMode.CREATE)) {
            ByteBuffer copy = ByteBuffer.allocateDirect(count * RECORD_BYTES);
            long[] end = {0};
            measure(
                    "journal",
                    () -> {
                        journal.write(copy.clear(), end[0]);
                        end[0] += copy.capacity();
                        journal.sync();
                    });
        }
        for (DiskFile file : files) {
            file.close();
        }
        fileSystem.close();
    }

    private void syncAll(ExecutorService pool, int workers)
            throws InterruptedException, ExecutionException {
        AtomicInteger next = new AtomicInteger();
        List<Future<Void>> done = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            done.add(
                    pool.submit(() -> {
                        for (int at = next.getAndIncrement();
                                at < files.size();
                                at = next.getAndIncrement()) {
                            files.get(at).sync();
                        }
                        return null;
                    }));
        }
        for (Future<Void> each : done) {
            each.get();
        }
    }

    private void measure(String name, Method method) throws Exception {
        List<Long> rounds = new ArrayList<>();
        long end = System.nanoTime() + SECONDS_EACH * 1_000_000_000L;
        do {
            for (DiskFile file : files) {
                file.write(record.clear(), position);
            }
            position += RECORD_BYTES;
            long start = System.nanoTime();
            method.sync();
            rounds.add(System.nanoTime() - start);
        } while (System.nanoTime() < end || rounds.size() < 3);
        rounds.sort(null);
        double median = rounds.get(rounds.size() / 2) / 1e6;
        double slow = rounds.get(rounds.size() * 99 / 100) / 1e6;
        System.out.println(
                String.format(
                        Locale.ROOT,
                        "%d, %s, %d, %.2f, %.2f, %.0f",
                        files.size(),
                        name,
                        rounds.size(),
                        median,
                        slow,
                        files.size() / median * 1000));
    }
}

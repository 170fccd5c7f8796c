package dev.ottla.quorum.observer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.DataDirectory;
import dev.ottla.log.disk.Disk;
import dev.ottla.metadata.MetadataBatch;
import dev.ottla.metadata.MetadataLog;
import dev.ottla.metadata.MetadataRecord;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.controller.Machine;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.ControllerSettings;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.feed.MetadataSource;
import dev.ottla.quorum.store.MetadataStore;
import dev.ottla.quorum.store.MetadataStoreOptions;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/// A node that copies the metadata log, whose tasks run when a test says so, on the test's thread.
/// Pauses are over at once, or rather when their task's turn comes.
final class TestObserver {
    static final Path PATH = Path.of("/observer");
    static final Path LOG_PATH = PATH.resolve("__cluster_metadata-0");

    final Deque<Runnable> tasks = new ArrayDeque<>();
    final Deque<Runnable> laneTasks = new ArrayDeque<>();

    /// Tasks that wait for time to pass.
    final Deque<Runnable> delayed = new ArrayDeque<>();

    /// What was reported, in its order.
    final List<MetadataBatch> batches = new ArrayList<>();

    boolean blind;

    /// Exclusive ends of the snapshots that were reported.
    final List<Long> snapshotEnds = new ArrayList<>();

    final DataDirectory directory;
    final ObserverMetadataLog log;
    final MetadataService service;
    private long nowMs = 1_700_000_000_000L;

    TestObserver(Disk disk, MetadataSource source, MetadataStoreOptions options)
            throws IOException {
        directory =
                DataDirectory.open(
                        disk,
                        PATH,
                        new DataDirectory.Options(2, 0, 0, 0, new Uuid(8, 8)),
                        laneTasks::add,
                        laneTasks::add);
        InstantSource clock = () -> Instant.ofEpochMilli(nowMs++);
        log =
                new ObserverMetadataLog(
                        new MetadataStore(
                                disk, directory, tasks::add, laneTasks::add, clock, options),
                        source,
                        (delayMs, task) -> delayed.add(task),
                        2,
                        options.maxBatchBytes());
        RandomGenerator ids = new Random(1);
        service =
                new MetadataService(
                        new Recorded(),
                        tasks::add,
                        new ControllerSettings(
                                Map.of(),
                                new Machine(4, 1_000_000),
                                Uuid.random(ids),
                                () -> Uuid.random(ids),
                                1000));
    }

    ClusterImage image() {
        return service.image();
    }

    /// Exclusive end of what was reported.
    long end() {
        return image().version().offset() + 1;
    }

    boolean step() {
        return run(tasks) || run(laneTasks);
    }

    void stepAtRandom(RandomGenerator random) {
        switch (random.nextInt(5)) {
            case 0, 1 -> run(tasks);
            case 2, 3 -> run(laneTasks);
            default -> run(delayed);
        }
    }

    /// Time passes: pauses are over.
    boolean wakeUp() {
        return run(delayed);
    }

    private static boolean run(Deque<Runnable> queue) {
        Runnable task = queue.poll();
        if (task != null) task.run();
        return task != null;
    }

    void close() throws IOException {
        service.close();
        while (step()) {
            // Until all is quiet.
        }
        directory.close(true);
    }

    /// The log under test, with a note of everything that it reports.
    private final class Recorded implements MetadataLog {
        @Override
        public void start(Listener listener) {
            log.start(
                    new Listener() {
                        @Override
                        public void onSnapshot(
                                long lastOffset, int epoch, Iterable<MetadataRecord> image) {
                            snapshotEnds.add(lastOffset + 1);
                            batches.clear();
                            listener.onSnapshot(lastOffset, epoch, image);
                        }

                        @Override
                        public void onCommitted(MetadataBatch batch) {
                            batches.add(batch);
                            listener.onCommitted(batch);
                        }

                        @Override
                        public void onSnapshotDue() {
                            listener.onSnapshotDue();
                        }

                        @Override
                        public void onLeader(int epoch) {
                            assertThat(epoch).as("an observer leads").isNegative();
                        }

                        @Override
                        public void onBlind(boolean is) {
                            blind = is;
                            listener.onBlind(is);
                        }

                        @Override
                        public void onResigned() {
                            listener.onResigned();
                        }
                    });
        }

        @Override
        public long nextOffset() {
            return log.nextOffset();
        }

        @Override
        public long append(List<MetadataRecord> records, int epoch) {
            return log.append(records, epoch);
        }

        @Override
        public int maxBatchBytes() {
            return log.maxBatchBytes();
        }

        @Override
        public void snapshot(long lastOffset, int epoch, Iterable<MetadataRecord> image) {
            log.snapshot(lastOffset, epoch, image);
        }

        @Override
        public QuorumState quorum() {
            return log.quorum();
        }

        @Override
        public void close() {
            log.close();
        }
    }
}

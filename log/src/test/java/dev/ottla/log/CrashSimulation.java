package dev.ottla.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.log.disk.FakeDisk;
import dev.ottla.log.disk.PowerLoss;
import dev.ottla.wire.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A broker's life on a disk that loses power again and again: appends, syncs, rolls, checkpoints,
/// retention, truncation, deletion of topics, clean restarts, ends of the process alone, in random
/// order, and after each crash a look at what is left. Deterministic for a seed.
final class CrashSimulation {
    private static final Path ROOT = Path.of("/data");
    private static final int PARTITIONS = 2;

    private final Random random;
    private final boolean acknowledgeBeforeSync;
    private final FakeDisk disk = new FakeDisk();
    private final List<ModelLog> models = new ArrayList<>();
    private final List<PartitionId> ids = new ArrayList<>();
    private final List<PartitionLog> logs = new ArrayList<>();
    private ManualShard owner;
    private long nowMs = 1_000_000;
    private long incarnations;
    private int crashes;
    private boolean closing; // The last process was about to stop in order.

    CrashSimulation(long seed, boolean acknowledgeBeforeSync) throws IOException {
        random = new Random(seed);
        this.acknowledgeBeforeSync = acknowledgeBeforeSync;
        for (int i = 0; i < PARTITIONS; i++) {
            models.add(new ModelLog());
            ids.add(newId(i));
        }
        owner = newOwner();
        open(false);
    }

    private ManualShard newOwner() throws IOException {
        disk.syncsFileSystem(random.nextInt(3) > 0);
        int togetherFrom = random.nextInt(1, 4);
        return new ManualShard(
                disk,
                ROOT,
                new DataDirectory.Options(2, togetherFrom, 0, 0, 0, new Uuid(7, 7)),
                random.nextInt(1, 4));
    }

    private PartitionId newId(int partition) {
        return new PartitionId(new Uuid(1, ++incarnations), "t", partition);
    }

    private LogConfig config() {
        return LogConfig.builder()
                .segmentBytes(400 + random.nextInt(1500))
                .indexIntervalBytes(64 + random.nextInt(300))
                .retentionBytes(2000)
                .producerIdExpirationMs(Long.MAX_VALUE / 2)
                .build();
    }

    /// Runs until the power was lost so many times.
    void run(int wantedCrashes) throws IOException {
        while (crashes < wantedCrashes) {
            disk.crashAfter(1 + random.nextInt(250));
            disk.foreignBytes(random.nextInt(3) == 0 ? 1L << 30 : 0);
            try {
                live();
            } catch (PowerLoss _) {
                crash();
            }
        }
    }

    private void crash() throws IOException {
        while (true) {
            crashes++;
            disk.crash(random);
            try {
                if (random.nextInt(4) == 0) {
                    disk.crashAfter(1 + random.nextInt(40)); // May hit the recovery.
                }
                owner = newOwner();
                open(false);
                disk.crashAfter(Long.MAX_VALUE);
                return;
            } catch (PowerLoss _) {
                // Once more.
            }
        }
    }

    private void open(boolean clean) throws IOException {
        owner.nowMs = nowMs;
        assertThat(owner.directory.wasClean()).isIn(clean, clean || closing);
        closing = false;
        for (DataDirectory.StoredPartition stored : owner.directory.storedPartitions()) {
            if (!stored.topicId().equals(Optional.of(ids.get(stored.partition()).topicId()))) {
                owner.directory.setAside(stored.topic(), stored.partition());
            }
        }
        logs.clear();
        for (int i = 0; i < PARTITIONS; i++) {
            ModelLog model = models.get(i);
            PartitionLog log =
                    random.nextBoolean()
                            ? owner.loaded(ids.get(i), config(), listener(model))
                            : owner.loadedAtStart(ids.get(i), config(), listener(model));
            logs.add(log);
            if (clean) {
                model.acknowledgedEnd = model.end();
            }
            model.verify(log, random);
            model.acknowledgedEnd = Math.max(model.acknowledgedEnd, log.flushedEndOffset());
            model.acknowledgedStart = Math.max(model.acknowledgedStart, log.logStartOffset());
            model.leaderEpoch++;
        }
    }

    private LogListener listener(ModelLog model) {
        return new LogListener() {
            @Override
            public void onWritten(PartitionLog log, long end) {
                if (acknowledgeBeforeSync) {
                    model.acknowledgedEnd = Math.max(model.acknowledgedEnd, end);
                }
            }

            @Override
            public void onFlushed(PartitionLog log, long end) {
                model.acknowledgedEnd = Math.max(model.acknowledgedEnd, end);
            }
        };
    }

    private void live() throws IOException {
        while (true) {
            assertThat(owner.directory.offlineReason()).isEmpty();
            nowMs += random.nextInt(20);
            owner.nowMs = nowMs;
            int partition = random.nextInt(PARTITIONS);
            ModelLog model = models.get(partition);
            PartitionLog log = logs.get(partition);
            int choice = random.nextInt(100);
            if (choice < 40) {
                model.appendSomething(log, random, nowMs);
            } else if (choice < 85) {
                owner.stepAtRandom(random);
            } else if (choice < 88) {
                owner.shard.sweep(nowMs);
            } else if (choice < 90) {
                owner.directory.checkpoint();
            } else if (choice < 92) {
                log.requestCheckpoint();
            } else {
                rareThings(choice, partition, model, log);
            }
        }
    }

    private void rareThings(int choice, int partition, ModelLog model, PartitionLog log)
            throws IOException {
        switch (choice) {
            case 92, 93 -> advanceStart(model, log);
            case 94 -> {
                log.applyRetention(nowMs, log.flushedEndOffset());
                model.requestedStart = Math.max(model.requestedStart, log.logStartOffset());
            }
            case 95 -> {
                if (random.nextInt(3) == 0) {
                    truncate(model, log);
                }
            }
            case 96 -> {
                if (random.nextInt(4) == 0) {
                    recreate(partition);
                }
            }
            case 97 -> {
                if (random.nextInt(3) == 0) {
                    restart();
                } else if (random.nextBoolean()) {
                    endProcess();
                }
            }
            case 98 -> owner.settle();
            default -> model.leaderEpoch++;
        }
    }

    private void advanceStart(ModelLog model, PartitionLog log) {
        long room = log.flushedEndOffset() - log.logStartOffset();
        if (room > 0) {
            long start = log.logStartOffset() + random.nextLong(Math.min(room, 10) + 1);
            model.requestedStart = Math.max(model.requestedStart, start);
            log.advanceLogStartOffset(
                    start,
                    () -> model.acknowledgedStart = Math.max(model.acknowledgedStart, start));
        }
    }

    private void truncate(ModelLog model, PartitionLog log) {
        // Cutting into the batch that holds the start offset would leave a gap in front.
        long low = log.logStartOffset() + 3;
        long room = log.logEndOffset() - low;
        if (room > 0) {
            long offset = low + random.nextLong(room + 1);
            // Until it is done, what was promised does not count any more, and nothing is cut yet.
            model.acknowledgedEnd = Math.min(model.acknowledgedEnd, offset);
            for (ModelLog.Appended batch : model.batches) {
                if (batch.firstOffset() < offset && batch.lastOffset() >= offset) {
                    model.acknowledgedEnd = Math.min(model.acknowledgedEnd, batch.firstOffset());
                }
            }
            long end = log.truncateTo(offset);
            model.truncate(end);
            model.verifyProducers(log, log.logStartOffset());
        }
    }

    private void recreate(int partition) {
        // The metadata of the cluster is durable before a log is touched.
        PartitionLog old = logs.get(partition);
        ids.set(partition, newId(partition));
        models.set(partition, new ModelLog());
        old.delete();
        logs.set(
                partition,
                owner.loaded(ids.get(partition), config(), listener(models.get(partition))));
    }

    private void endProcess() throws IOException {
        disk.endProcess();
        owner = newOwner();
        open(false);
    }

    private void restart() throws IOException {
        closing = true;
        owner.closeAll(logs.toArray(PartitionLog[]::new));
        for (ModelLog model : models) {
            model.acknowledgedEnd = model.end();
        }
        owner = newOwner();
        open(true);
    }
}

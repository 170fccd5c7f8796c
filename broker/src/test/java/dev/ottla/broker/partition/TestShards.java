package dev.ottla.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.settings.BrokerConfig;
import dev.ottla.broker.shard.Shard;
import dev.ottla.broker.shard.Shards;
import dev.ottla.config.BrokerLayers;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.Surroundings;
import dev.ottla.log.DataDirectory;
import dev.ottla.log.DirectoryException;
import dev.ottla.log.LogShard;
import dev.ottla.log.disk.FakeDisk;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.Uuid;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// Shards on threads of their own with the partitions of one data directory, wired as in a broker
/// with id 1. The test decides when the directory's lane runs.
public final class TestShards {
    public static final Uuid DIRECTORY = new Uuid(7, 7);

    private final List<Shard> shards = new ArrayList<>();
    private final List<LogShard> logs = new ArrayList<>();
    private final List<PartitionManager> managers = new ArrayList<>();
    private final Shards owners;
    private final BrokerConfig config =
            new BrokerConfig(
                    1, new ConfigResolver(BrokerLayers.of(Map.of()), Surroundings.of(1, 1)));
    private final DataDirectory directory;

    public TestShards(FakeDisk disk, Executor lane, int count) throws DirectoryException {
        for (int i = 0; i < count; i++) {
            shards.add(new Shard(i, System::nanoTime, Thread::new, Throwable::printStackTrace));
        }
        owners = new Shards(shards);
        directory =
                DataDirectory.open(
                        disk,
                        Path.of("/data"),
                        new DataDirectory.Options(4, 0, 0, 0, DIRECTORY),
                        lane,
                        Runnable::run);
        PartitionManager.Surroundings surroundings =
                new PartitionManager.Surroundings(
                        1,
                        owners,
                        Map.of(DIRECTORY, directory),
                        config,
                        InstantSource.system(),
                        new BrokerMetrics());
        for (Shard shard : shards) {
            LogShard log = new LogShard(disk, shard, 10, 10);
            logs.add(log);
            managers.add(new PartitionManager(shard, log, surroundings));
        }
    }

    /// Returns when the logs of the stored partitions are open.
    public void start(ClusterImage image, Collection<PartitionKey> stored)
            throws InterruptedException {
        for (PartitionManager manager : managers) {
            Shard shard = manager.shard();
            shard.execute(() -> {
                manager.start(image, stored);
                shard.onTurnEnd(manager::endTurn);
            });
            shard.start();
        }
        awaitIdle();
    }

    /// Whatever the shards have to do without the lane is done.
    public void awaitIdle() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            CountDownLatch done = new CountDownLatch(shards.size());
            shards.forEach(shard -> shard.execute(done::countDown));
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    public void stop() throws InterruptedException {
        for (Shard shard : shards) {
            shard.stop();
            assertThat(shard.awaitStop(10_000)).isTrue();
        }
    }

    public Shards owners() {
        return owners;
    }

    public List<PartitionManager> managers() {
        return managers;
    }

    /// The broker is one of several, and no controller has counted on it of late.
    public void unconfirm() {
        for (PartitionManager manager : managers) {
            manager.shard().execute(() -> manager.confirmed(manager.shard().nowNs()));
        }
    }

    public PartitionManager owner(PartitionKey key) {
        return managers.get(owners.indexOf(key.topicId(), key.partition()));
    }

    /// What the logs of a shard share; for its thread.
    public LogShard logs(int shard) {
        return logs.get(shard);
    }

    public BrokerConfig config() {
        return config;
    }

    public DataDirectory directory() {
        return directory;
    }
}

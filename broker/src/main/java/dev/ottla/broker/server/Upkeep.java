package dev.ottla.broker.server;

import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.voting.QuorumOutlook;
import dev.ottla.config.ConfigResolver;
import dev.ottla.config.ConfigValues;
import dev.ottla.config.LogKeys;
import dev.ottla.config.ReplicationKeys;
import dev.ottla.config.RetentionKeys;
import dev.ottla.metadata.service.MetadataService;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What has to be done from time to time, on one clock for all partitions: old segments, recovery
/// points, idle files, forgotten producers, room on the disks. Its thread only posts; shards and
/// lanes do the work.
final class Upkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private static final long SWEEP_MS = 2_000;
    private static final long SPACE_MS = 5_000;

    private final ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(Threads.named("upkeep"));
    private final List<ShardRuntime> shards;

    Upkeep(
            ConfigValues values,
            List<ShardRuntime> shards,
            DataDirectories directories,
            MetadataRuntime metadata,
            InstantSource clock) {
        this.shards = List.copyOf(shards);
        onShards(SWEEP_MS, SWEEP_MS, PartitionManager::sweepLogs);
        onShards(
                values.value(LogKeys.LOG_INITIAL_TASK_DELAY_MS),
                values.value(RetentionKeys.LOG_RETENTION_CHECK_INTERVAL_MS),
                PartitionManager::applyRetention);
        onShards(
                values.value(LogKeys.LOG_INITIAL_TASK_DELAY_MS),
                values.value(LogKeys.PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS),
                PartitionManager::expireProducers);
        onShards(
                values.value(ReplicationKeys.REPLICA_HIGH_WATERMARK_CHECKPOINT_INTERVAL_MS),
                values.value(ReplicationKeys.REPLICA_HIGH_WATERMARK_CHECKPOINT_INTERVAL_MS),
                PartitionManager::noteHighWatermarks);
        every(
                values.value(LogKeys.LOG_FLUSH_OFFSET_CHECKPOINT_INTERVAL_MS),
                values.value(LogKeys.LOG_FLUSH_OFFSET_CHECKPOINT_INTERVAL_MS),
                directories::checkpoint);
        every(SPACE_MS, SPACE_MS, directories::checkSpace);
        every(SWEEP_MS, SWEEP_MS, () -> directories.removeDeletedFiles(clock.millis()));
        every(SWEEP_MS, SWEEP_MS, metadata::sweep);
    }

    /// Ends a broker that can follow the cluster no more.
    void follow(MetadataRuntime metadata, Membership membership) {
        every(SWEEP_MS, SWEEP_MS, () -> metadata.thread().execute(membership::endIfBlind));
    }

    /// Tells the controller when data directories fail, run full or get stuck, so that others take
    /// over what they held. Each heartbeat says it again.
    void watch(DataDirectories directories, Membership membership, ConfigValues values) {
        Runnable tell =
                () -> {
                    var _ = membership.heartbeats().tellDirectories();
                };
        DirectoryWatch watch =
                new DirectoryWatch(
                        List.copyOf(directories.byId().keySet()),
                        directories::online,
                        _ -> membership.heartbeats().tellDirectories());
        every(SWEEP_MS, SWEEP_MS, watch::check);
        directories.onChange(tell);
        StuckDirectories stuck =
                new StuckDirectories(
                        directories.byId(),
                        shards.stream().map(Upkeep::pulse).toList(),
                        values.value(ReplicationKeys.REPLICA_LAG_TIME_MAX_MS),
                        SWEEP_MS);
        every(
                SWEEP_MS,
                SWEEP_MS,
                () -> {
                    if (stuck.check()) {
                        directories.stuck(stuck.ids());
                        tell.run();
                    }
                });
    }

    /// When the present turn began; empty between two turns.
    private static Supplier<OptionalLong> pulse(ShardRuntime runtime) {
        return () -> {
            long nowNs = System.nanoTime();
            long busyNs = runtime.shard().busyNs(nowNs);
            return busyNs == 0 ? OptionalLong.empty() : OptionalLong.of(nowNs - busyNs);
        };
    }

    /// Asks the controller, if it is here, for what it does of itself.
    void control(MetadataService metadata, Supplier<ConfigResolver> config) {
        ControllerUpkeep controller = new ControllerUpkeep(metadata, config, System::nanoTime);
        every(SWEEP_MS, SWEEP_MS, controller::check);
    }

    /// Lets this node ask to vote when it should, and say so when the voters have no leader.
    void vote(
            NodeQuorum quorum,
            MetadataRuntime metadata,
            QuorumOutlook outlook,
            InstantSource clock) {
        every(SWEEP_MS, SWEEP_MS, () -> metadata.thread().execute(quorum::check));
        every(
                SWEEP_MS,
                SWEEP_MS,
                () ->
                        metadata.thread()
                                .execute(() ->
                                        outlook.check(
                                                metadata.service().quorum(), clock.millis())));
    }

    private void onShards(long delayMs, long periodMs, Consumer<PartitionManager> task) {
        for (ShardRuntime runtime : shards) {
            // Set here, cleared by the shard: a shard that stands still gets the task once.
            AtomicBoolean posted = new AtomicBoolean();
            every(
                    delayMs,
                    periodMs,
                    () -> {
                        if (posted.compareAndSet(false, true)) {
                            runtime.shard()
                                    .execute(() -> {
                                        posted.set(false);
                                        task.accept(runtime.partitions());
                                    });
                        }
                    });
        }
    }

    private void every(long delayMs, long periodMs, Runnable task) {
        var _ =
                scheduler.scheduleWithFixedDelay(
                        repeatable(task), delayMs, Math.max(1, periodMs), TimeUnit.MILLISECONDS);
    }

    /// A task that throws would never run again.
    static Runnable repeatable(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("A periodic task failed; it is tried again at its next time.", e);
            }
        };
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}

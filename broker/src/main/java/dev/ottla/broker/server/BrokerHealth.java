package dev.ottla.broker.server;

import dev.ottla.broker.metrics.Health;
import dev.ottla.log.DataDirectory;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// What the probes are told. Read by the metrics thread; looks only at what other threads publish.
final class BrokerHealth implements Health {
    private static final long STALLED_NS = TimeUnit.SECONDS.toNanos(30);

    private final List<ShardRuntime> shards;
    private final Collection<DataDirectory> directories;
    private final LongSupplier nanoClock;
    private final Supplier<Optional<String>> outOfTouch;

    /// Written once by the starting thread when connections are accepted, read by the probes.
    private volatile boolean serving;

    /// @param outOfTouch why the cluster does not count on this broker
    BrokerHealth(
            List<ShardRuntime> shards,
            Collection<DataDirectory> directories,
            LongSupplier nanoClock,
            Supplier<Optional<String>> outOfTouch) {
        this.outOfTouch = outOfTouch;
        this.shards = List.copyOf(shards);
        this.directories = List.copyOf(directories);
        this.nanoClock = nanoClock;
    }

    void serving() {
        serving = true;
    }

    @Override
    public Optional<String> notAlive() {
        long nowNs = nanoClock.getAsLong();
        for (ShardRuntime runtime : shards) {
            if (runtime.shard().busyNs(nowNs) > STALLED_NS) {
                return Optional.of(
                        "shard " + runtime.shard().index() + " has been in one turn for too long");
            }
        }
        return directories.stream().anyMatch(directory -> directory.offlineReason().isEmpty())
                ? Optional.empty()
                : Optional.of("every data directory is offline");
    }

    @Override
    public Optional<String> notReady() {
        if (!serving) {
            return Optional.of("the broker is starting");
        }
        for (DataDirectory directory : directories) {
            int left =
                    directory.progress().logsFound()
                            - directory.progress().logsReady()
                            - directory.progress().logsFailed();
            if (left > 0) {
                return Optional.of(left + " logs in " + directory + " are still being opened");
            }
        }
        return notAlive().or(outOfTouch);
    }
}

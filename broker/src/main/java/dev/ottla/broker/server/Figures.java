package dev.ottla.broker.server;

import dev.ottla.broker.metrics.BrokerMetrics;
import dev.ottla.broker.network.NetworkServer;
import dev.ottla.log.DataDirectory;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Registers the figures that others keep, to be read when somebody asks for the metrics page.
final class Figures {
    private Figures() {}

    static void register(
            BrokerMetrics metrics,
            NetworkServer network,
            List<ShardRuntime> shards,
            Collection<DataDirectory> directories) {
        metrics.gauge("ottla_connections", "Open client connections.", network::connectionCount);
        metrics.gauge(
                "ottla_request_memory_bytes",
                "Memory that requests in work hold.",
                network::requestMemoryUsedBytes);
        metrics.gauge(
                "ottla_request_memory_limit_bytes",
                "Memory that requests in work may hold.",
                network::requestMemoryLimitBytes);
        metrics.gauge(
                "ottla_shard_queue_messages",
                "Messages waiting for the shard that has most.",
                () ->
                        shards.stream()
                                .mapToInt(runtime -> runtime.shard().backlog())
                                .max()
                                .orElse(0));
        metrics.gauge(
                "ottla_partitions",
                "Partitions with an open log.",
                () -> shards.stream().mapToInt(runtime -> runtime.partitions().count()).sum());
        sum(
                metrics,
                directories,
                "ottla_recovery_logs",
                "Logs that had to be opened since the start.",
                directory -> directory.progress().logsFound());
        sum(
                metrics,
                directories,
                "ottla_recovery_logs_ready",
                "Logs that were opened, of those that had to be.",
                directory -> directory.progress().logsReady());
        sum(
                metrics,
                directories,
                "ottla_recovery_logs_failed",
                "Logs that could not be opened.",
                directory -> directory.progress().logsFailed());
        sum(
                metrics,
                directories,
                "ottla_recovery_bytes",
                "Bytes read again behind recovery points.",
                directory -> directory.progress().bytesScanned());
        sum(
                metrics,
                directories,
                "ottla_directories_offline",
                "Data directories that failed.",
                directory -> directory.offlineReason().isPresent() ? 1 : 0);
        sum(
                metrics,
                directories,
                "ottla_directories_full",
                "Data directories on which producers are refused for want of room.",
                directory -> directory.fullReason().isPresent() ? 1 : 0);
    }

    private static void sum(
            BrokerMetrics metrics,
            Collection<DataDirectory> directories,
            String name,
            String help,
            ToDoubleFunction<DataDirectory> value) {
        metrics.gauge(name, help, () -> directories.stream().mapToDouble(value).sum());
    }
}

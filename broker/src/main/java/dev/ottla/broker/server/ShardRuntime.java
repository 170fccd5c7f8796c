package dev.ottla.broker.server;

import dev.ottla.broker.fetch.ShardFetches;
import dev.ottla.broker.partition.PartitionManager;
import dev.ottla.broker.request.ReadMemory;
import dev.ottla.broker.shard.Shard;
import dev.ottla.log.LogShard;
import dev.ottla.log.disk.Disk;
import java.util.concurrent.Executor;

/// One shard and what lives on it.
///
/// @param shard its thread
/// @param logs what its logs share
/// @param partitions the partitions it owns
/// @param fetches the fetches that are about to be answered
record ShardRuntime(Shard shard, LogShard logs, PartitionManager partitions, ShardFetches fetches) {
    private static final int MAX_INDEX_PAGES = 4096;

    static ShardRuntime create(
            Shard shard,
            Disk disk,
            int maxOpenFiles,
            ReadMemory memory,
            Executor coldReads,
            PartitionManager.Surroundings surroundings) {
        LogShard logs = new LogShard(disk, shard, maxOpenFiles, MAX_INDEX_PAGES);
        PartitionManager partitions = new PartitionManager(shard, logs, surroundings);
        ShardFetches fetches = new ShardFetches(partitions, memory, coldReads);
        shard.execute(() -> {
            // Writing what the turn appended lets waiting requests go on, so fetches come after it.
            shard.onTurnEnd(partitions::endTurn);
            shard.onTurnEnd(fetches::endTurn);
        });
        return new ShardRuntime(shard, logs, partitions, fetches);
    }
}

package dev.ottla.broker.replica;

import dev.ottla.broker.partition.PartitionKey;
import dev.ottla.replication.EpochEnd;
import dev.ottla.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.Optional;

/// What a leader answered for one partition.
///
/// @param highWatermark exclusive
/// @param diverging present when the follower's end is not in the leader's log
/// @param batches whole ones, whose checksums are right; empty without records
record FetchedPartition(
        PartitionKey key,
        ErrorCode error,
        long highWatermark,
        long logStartOffset,
        Optional<EpochEnd> diverging,
        ByteBuffer batches) {}

/// The partitions that this broker leads: each one's log, its leader state, and the requests that
/// wait on it. The main types are {@link dev.ottla.broker.partition.HostedPartition} and the {@link
/// dev.ottla.broker.partition.PartitionManager} of each shard; everything is owned by the shard's
/// thread. Imports no network; requests come and go as objects of those who wait.
@NullMarked
package dev.ottla.broker.partition;

import org.jspecify.annotations.NullMarked;

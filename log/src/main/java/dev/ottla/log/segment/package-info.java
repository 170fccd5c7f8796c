/// One segment of a partition: the batches in its `.log` and what is derived from them, the sparse
/// offset and time indexes and the list of aborted transactions. Main type:
/// [dev.ottla.log.segment.Segment]. Everything here belongs to one thread at a time, the shard's
/// or, during recovery, the lane's; that thread's means are a [dev.ottla.log.segment.LogIo]. May
/// not import the partition, the data directory or the sync service.
@NullMarked
package dev.ottla.log.segment;

import org.jspecify.annotations.NullMarked;

/// One data directory and the partitions in it. Main types: [dev.ottla.log.DataDirectory], which is
/// opened once per path, and [dev.ottla.log.PartitionLog], which belongs to the thread of its
/// [dev.ottla.log.LogShard]; syncs, recovery and deletions run on executors that the wiring gives.
/// Makes no thread, reads no clock, knows no leader, no high watermark and no request: it may
/// import `record` and `wire` only.
@NullMarked
package dev.ottla.log;

import org.jspecify.annotations.NullMarked;

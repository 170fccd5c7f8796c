/// Which leader epoch each offset of a partition was written in. Main type:
/// [dev.ottla.log.epoch.LeaderEpochs]. Owned by the partition's shard thread. May not import
/// anything of the log but the disk port.
@NullMarked
package dev.ottla.log.epoch;

import org.jspecify.annotations.NullMarked;

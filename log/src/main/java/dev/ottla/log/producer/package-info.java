/// What a partition remembers of its idempotent and transactional producers. Main type:
/// [dev.ottla.log.producer.ProducerStates]. Owned by the partition's shard thread. May not import
/// anything of the log, nor do IO: snapshots are turned into bytes and back.
@NullMarked
package dev.ottla.log.producer;

import org.jspecify.annotations.NullMarked;

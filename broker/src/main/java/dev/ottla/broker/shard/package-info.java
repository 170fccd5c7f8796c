/// The shards: threads that own partitions and coordinators. The main type is {@link
/// dev.ottla.broker.shard.Shard}, one thread with a mailbox and a timer wheel; {@link
/// dev.ottla.broker.shard.Shards} says which shard owns what. Every class is owned by its shard's
/// thread except the mailbox, which anyone may post to. Imports no network and no files.
@NullMarked
package dev.ottla.broker.shard;

import org.jspecify.annotations.NullMarked;

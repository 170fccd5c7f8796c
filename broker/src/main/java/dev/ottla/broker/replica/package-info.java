/// Copies what other brokers lead. The main types are {@link dev.ottla.broker.replica.Followers},
/// which knows what one shard follows, and {@link dev.ottla.broker.replica.ReplicaFetcher}, which
/// asks one leader for that shard's partitions. Owned by the shard's thread; answers come in on
/// network loops and are checked there. Generated messages are seen by {@link
/// dev.ottla.broker.replica.FetchMessages} only. Opens no sockets itself.
@NullMarked
package dev.ottla.broker.replica;

import org.jspecify.annotations.NullMarked;

/// State machines of one partition's replicas. The main type is {@link
/// dev.ottla.replication.LeaderReplica}: it counts what every in-sync replica holds on disk and
/// says how far consumers may see. Owned by the partition's shard thread. Imports no network, no
/// files, no threads, no clock and no random source: events and the time come in as arguments, what
/// has to happen goes out as {@link dev.ottla.replication.LeaderReplica.Effects}.
@NullMarked
package dev.ottla.replication;

import org.jspecify.annotations.NullMarked;

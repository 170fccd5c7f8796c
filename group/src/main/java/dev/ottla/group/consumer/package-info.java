/// The consumer group protocol of KIP-848: members heartbeat, the coordinator assigns. Owned by the
/// shard thread of the coordinator. May import `classic` for members that still speak the classic
/// protocol; may not import files, sockets, threads or clocks.
@NullMarked
package dev.ottla.group.consumer;

import org.jspecify.annotations.NullMarked;

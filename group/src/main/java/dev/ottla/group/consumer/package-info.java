/// The consumer group protocol of KIP-848: members heartbeat, the coordinator assigns. Owned by the
/// shard thread of the coordinator. May import `classic` for members that still speak the classic
/// protocol, and `offset` for the checks of commits; may not import files, sockets, threads or
/// clocks. Main types: [ConsumerProtocol] decides, [ConsumerGroup] is the state of one group and
/// changes by replay alone, [Reconciler] moves a member towards its target.
@NullMarked
package dev.ottla.group.consumer;

import org.jspecify.annotations.NullMarked;

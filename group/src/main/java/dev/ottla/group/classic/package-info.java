/// The classic group protocol: JoinGroup, SyncGroup, Heartbeat and LeaveGroup with an assignment
/// made by the leading member. [ClassicProtocol] decides, [ClassicGroup] is the state of one group.
/// Owned by the shard thread of the coordinator. May not import the consumer protocol, files,
/// sockets, threads or clocks.
@NullMarked
package dev.ottla.group.classic;

import org.jspecify.annotations.NullMarked;

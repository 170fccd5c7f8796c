/// The group coordinator: [dev.ottla.group.GroupCoordinator] is the state machine of one partition
/// of `__consumer_offsets` and the only entry from outside; the protocols, offsets and records live
/// in the packages below. Owned by the partition's shard thread. May not import files, sockets,
/// threads, clocks or random sources: time comes with each call, and everything that shall happen
/// leaves through `Effects`.
@NullMarked
package dev.ottla.group;

import org.jspecify.annotations.NullMarked;

/// What the state machines of this module and the shell around them say to each other. The main
/// types are [Effects] (what a machine asks for), [Reply] (where an answer goes) and [Turn] (what
/// one operation collects before it becomes effects). Everything here is used by the one thread
/// that owns the coordinator, the shard thread of its `__consumer_offsets` partition. May import
/// `record` and `wire` types only: no files, sockets, threads or clocks.
@NullMarked
package dev.ottla.group.shell;

import org.jspecify.annotations.NullMarked;

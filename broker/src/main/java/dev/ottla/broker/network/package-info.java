/// Sockets, frames, the order of answers and the limits that keep a client from harming others. The
/// main type is {@link dev.ottla.broker.network.NetworkServer}; a {@link
/// dev.ottla.broker.network.Connection} and all below it is owned by its network loop. Netty stays
/// inside this package. Imports neither handlers nor partitions: requests leave through the handler
/// table.
@NullMarked
package dev.ottla.broker.network;

import org.jspecify.annotations.NullMarked;

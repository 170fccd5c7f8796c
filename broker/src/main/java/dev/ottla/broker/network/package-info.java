/// Sockets, frames, the order of answers and the limits that keep a client from harming others. The
/// main type is {@link dev.ottla.broker.network.NetworkServer}; a {@link
/// dev.ottla.broker.network.Connection} and all below it is owned by its network loop. A {@link
/// dev.ottla.broker.network.Dialer} opens connections the other way. Netty stays inside this
/// package and the one that dials. Imports neither handlers nor partitions: requests leave through
/// the handler table.
@NullMarked
package dev.ottla.broker.network;

import org.jspecify.annotations.NullMarked;

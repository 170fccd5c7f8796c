/// Connections from this node to others: requests out, their answers in, over the Kafka protocol.
/// The main type is {@link dev.ottla.broker.peer.Peers}, which makes a {@link
/// dev.ottla.broker.peer.Peer} for each connection; its state is owned by one network loop, which
/// calls back. Knows no handler, no partition and nothing of what is asked.
@NullMarked
package dev.ottla.broker.peer;

import org.jspecify.annotations.NullMarked;

/// Server-side assignors of the consumer protocol (KIP-848): pure functions from the subscriptions
/// of a group to the partitions of each member. Stateless, so any thread may call them. May not
/// import a group protocol.
@NullMarked
package dev.ottla.group.assignor;

import org.jspecify.annotations.NullMarked;

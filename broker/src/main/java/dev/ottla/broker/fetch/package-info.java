/// Fetch requests between the network loop that owns their session and the shards that read. The
/// main types are {@link dev.ottla.broker.fetch.FetchOperation}, which waits for enough to read,
/// and {@link dev.ottla.broker.fetch.FetchSessions}, what clients need not repeat. A request is
/// made on a loop, looked at by every shard concerned, waits there, and is answered on the loop
/// again. Sees no generated messages.
@NullMarked
package dev.ottla.broker.fetch;

import org.jspecify.annotations.NullMarked;

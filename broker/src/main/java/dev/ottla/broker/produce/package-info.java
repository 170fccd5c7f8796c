/// Produce requests between the network loop that checks their batches and the shards that append
/// them. The main type is {@link dev.ottla.broker.produce.ProduceOperation}. A request is made and
/// checked on its connection's loop, or off it when that takes long, split by shard, and answered
/// by whichever shard finishes last. Sees no generated messages.
@NullMarked
package dev.ottla.broker.produce;

import org.jspecify.annotations.NullMarked;

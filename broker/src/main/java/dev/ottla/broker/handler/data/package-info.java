/// Handlers of the APIs that write and read records. They take requests apart by partition, let the
/// shards do the work and put the answers together; called on network loops, they must not wait.
@NullMarked
package dev.ottla.broker.handler.data;

import org.jspecify.annotations.NullMarked;

/// One class for each API: reads the generated request, asks shards, metadata or coordinators, and
/// builds the generated response. Handlers are called on network loops, keep no state of their own
/// and must not wait. This is the last place that sees generated requests and responses.
@NullMarked
package dev.ottla.broker.handler;

import org.jspecify.annotations.NullMarked;

/// A plain client for what surrounds a measurement: topics, offsets, groups.
///
/// Main types: [WireClient], which asks and waits, and [Topics]. Each client is owned by one
/// thread. Speaks the protocol through `wire` alone, so that preparing a scenario loads neither
/// Kafka's client nor its threads.
@NullMarked
package dev.ottla.bench.client;

import org.jspecify.annotations.NullMarked;

/// The two brokers as processes: how to start and stop them, and what the operating system says
/// about them.
///
/// Main types: [Side] and [RunningBroker]. Owned by the main thread. Imports nothing of the rest of
/// the harness, and nothing of either broker.
@NullMarked
package dev.ottla.bench.side;

import org.jspecify.annotations.NullMarked;

/// Unmodified clients and tools against a real broker process over real sockets: what Ottla claims,
/// proven from outside.
///
/// All classes are tests. Main types: `BrokerProcess` (one broker, started, stopped, killed),
/// `SharedBroker` (one process for many cases) and `Clients` (short ways to Kafka's own clients).
/// Threads: each case owns its clients. Imports no class of Ottla: the broker is only what answers
/// on a port.
@NullMarked
package dev.ottla.acceptance;

import org.jspecify.annotations.NullMarked;

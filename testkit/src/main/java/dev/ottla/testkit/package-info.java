/// Brokers as their users start them, for whoever treats them badly: the acceptance tests and the
/// fault harness.
///
/// Main type: [BrokerProcess], a process that can be stopped, killed, frozen and started again;
/// [NetworkSpaces] cuts what it sends. It may use nothing of Ottla, which it knows as a command
/// only, and no test framework.
@NullMarked
package dev.ottla.testkit;

import org.jspecify.annotations.NullMarked;

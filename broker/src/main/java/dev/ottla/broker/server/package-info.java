/// The wiring: makes threads, clocks and all parts of a broker, connects them, and takes them down
/// again. The main type is {@link dev.ottla.broker.server.BrokerServer}. Owned by the thread that
/// starts and closes the broker. Nothing else in the broker makes a thread or reads a clock.
@NullMarked
package dev.ottla.broker.server;

import org.jspecify.annotations.NullMarked;

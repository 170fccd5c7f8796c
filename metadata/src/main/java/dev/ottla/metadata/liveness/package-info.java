/// Which brokers the active controller takes for alive: {@link
/// dev.ottla.metadata.liveness.BrokerSessions}. Owned by the metadata thread; gets the time as a
/// value, and imports no threads, sockets or clocks.
@NullMarked
package dev.ottla.metadata.liveness;

import org.jspecify.annotations.NullMarked;

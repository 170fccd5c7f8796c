package dev.ottla.broker.metrics;

import java.util.Optional;

/// What the two probes ask. Read by the HTTP thread, so an implementation reads published state
/// only.
public interface Health {
    /// Empty when every thread of the broker makes progress, else what does not.
    Optional<String> notAlive();

    /// Empty when clients can be served, else what is missing.
    Optional<String> notReady();
}

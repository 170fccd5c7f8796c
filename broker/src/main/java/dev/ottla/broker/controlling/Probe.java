package dev.ottla.broker.controlling;

import dev.ottla.config.HostPort;
import java.util.function.Consumer;

/// Looks whether anybody is left at an address.
@FunctionalInterface
public interface Probe {
    /// Looks once.
    ///
    /// @param refused is told, on any thread, whether the machine itself said that nobody listens
    ///   there; false when that is not certain
    void look(HostPort address, Consumer<Boolean> refused);
}

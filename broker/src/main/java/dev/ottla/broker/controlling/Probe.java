package dev.ottla.broker.controlling;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.liveness.Finding;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/// Looks whether anybody is left at an address.
@FunctionalInterface
public interface Probe {
    /// Looks once.
    ///
    /// @param found is told once, on any thread
    void look(HostPort address, Consumer<Finding> found);

    /// Looks once.
    ///
    /// @param found is told once, by `teller`
    default void look(HostPort address, Executor teller, Consumer<Finding> found) {
        look(address, finding -> teller.execute(() -> found.accept(finding)));
    }
}

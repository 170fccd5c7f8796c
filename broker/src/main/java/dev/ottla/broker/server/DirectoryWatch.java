package dev.ottla.broker.server;

import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the controller which data directories are online until it has heard it, so that others
/// take over what a failed one held. [#check] belongs to the upkeep thread.
final class DirectoryWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryWatch.class);

    private final Supplier<List<Uuid>> online;
    private final Function<List<Uuid>, CompletableFuture<ApiError>> tell;

    /// What the controller knows. Written by the thread that completes the command and read by the
    /// upkeep thread, which looks only while no command is under way.
    private volatile List<Uuid> told;

    /// Set by the upkeep thread, cleared by the one that completes the command after it wrote
    /// `told`.
    private final AtomicBoolean telling = new AtomicBoolean();

    /// @param known what the controller knows at the beginning
    DirectoryWatch(
            List<Uuid> known,
            Supplier<List<Uuid>> online,
            Function<List<Uuid>, CompletableFuture<ApiError>> tell) {
        told = List.copyOf(known);
        this.online = online;
        this.tell = tell;
    }

    /// To be called every few seconds.
    void check() {
        if (telling.get()) {
            return;
        }
        List<Uuid> now = online.get();
        if (now.equals(told)) {
            return;
        }
        telling.set(true);
        var _ =
                tell.apply(now)
                        .whenComplete((error, failure) -> {
                            if (failure == null && error.isNone()) {
                                told = now;
                            } else {
                                LOG.debug(
                                        "The controller did not take which data directories are online and is told again: {}",
                                        failure == null ? error.message() : failure.getMessage());
                            }
                            telling.set(false);
                        });
    }
}

package dev.ottla.broker.handler.cluster;

import dev.ottla.broker.request.RequestContext;
import dev.ottla.metadata.controller.Controller;
import dev.ottla.metadata.controller.Outcome;
import dev.ottla.metadata.service.MetadataService;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Commands to the controller of requests with a `timeoutMs`. Immutable.
///
/// As in Kafka the time is a deadline for the controller to begin: a command it comes to later is
/// not carried out, because its client has given up and may have asked again, and neither is one
/// whose time is zero or less. Once begun, a command is answered when it is committed.
public final class TimedCommands {
    private final MetadataService metadata;
    private final LongSupplier nanoClock;

    /// @param nanoClock the one that requests are stamped by
    public TimedCommands(MetadataService metadata, LongSupplier nanoClock) {
        this.metadata = metadata;
        this.nanoClock = nanoClock;
    }

    /// Fails with a [TooLateException] when the time was over.
    <R> CompletableFuture<R> submit(
            RequestContext context, int timeoutMs, Function<Controller, Outcome<R>> command) {
        TooLateException tooLate =
                new TooLateException(
                        "The controller did not come to the request within its time-out of %d ms, and nothing was done: give it more."
                                .formatted(timeoutMs));
        if (timeoutMs <= 0) {
            return CompletableFuture.failedFuture(tooLate);
        }
        long timeoutNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        return metadata.submit(
                        controller -> {
                            if (nanoClock.getAsLong() - context.receivedNs() > timeoutNs) {
                                return Outcome.unchanged(Optional.<R>empty());
                            }
                            Outcome<R> outcome = command.apply(controller);
                            return new Outcome<>(outcome.records(), Optional.of(outcome.reply()));
                        })
                .thenApply(reply -> reply.orElseThrow(() -> tooLate));
    }

    /// The controller came to a command after its deadline.
    static final class TooLateException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLateException(String message) {
            super(message, null, false, false);
        }
    }
}

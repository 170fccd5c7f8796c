package dev.ottla.broker.controlling;

import dev.ottla.config.HostPort;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.controller.RegisterBroker;
import dev.ottla.metadata.controller.RegisteredBroker;
import dev.ottla.metadata.liveness.Finding;
import dev.ottla.wire.ErrorCode;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registers a broker whose node id another process may have. Where that one answers, the id is
/// taken, and that is said at once. Where it does not, it may be this broker's own past, which the
/// cluster has not given up yet: then the registration is tried again until its session must be
/// over.
///
/// A broker that is a part of the cluster looks for the controller however long it takes. A node of
/// another cluster that has the address of one of this one, because its disk was replaced and it
/// began anew, does not end that search.
///
/// Used once. Owned by the metadata thread.
public final class Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
    private static final long PAUSE_MS = 500;

    /// How often a broker that finds no controller says so.
    private static final long TELL_MS = 10_000;

    /// A new controller counts the sessions anew.
    private static final int SESSIONS = 2;

    /// What the wiring gives.
    ///
    /// @param outlook what is known of the controllers, as sentences; asked on the metadata thread
    /// @param registered where the broker of this id was registered; asked on the metadata thread
    /// @param sessionMs `broker.session.timeout.ms`
    /// @param nanoClock monotonic
    public record Surroundings(
            ControllerLink link,
            Probe probe,
            Supplier<String> outlook,
            Supplier<Optional<HostPort>> registered,
            long sessionMs,
            Executor metadataThread,
            Delays delays,
            LongSupplier nanoClock) {}

    private final Surroundings surroundings;
    private final RegisterBroker registration;
    private final String clusterId;
    private final long beganMs;
    private final OptionalLong patienceMs;
    private final CompletableFuture<RegisteredBroker> reply = new CompletableFuture<>();
    private boolean told;

    private Registration(
            Surroundings surroundings,
            RegisterBroker registration,
            String clusterId,
            OptionalLong patienceMs) {
        this.surroundings = surroundings;
        this.registration = registration;
        this.clusterId = clusterId;
        this.patienceMs = patienceMs;
        this.beganMs = nowMs();
    }

    /// Any thread. Fails as [ControllerLink#register] does.
    ///
    /// @param patienceMs how long the controller is looked for; empty for no end
    public static CompletableFuture<RegisteredBroker> of(
            Surroundings surroundings,
            RegisterBroker registration,
            String clusterId,
            OptionalLong patienceMs) {
        Registration made = new Registration(surroundings, registration, clusterId, patienceMs);
        made.attempt();
        return made.reply;
    }

    private void attempt() {
        var _ =
                surroundings
                        .link()
                        .register(
                                registration,
                                clusterId,
                                patienceMs.isEmpty(),
                                Math.max(1, attemptMs()))
                        .whenCompleteAsync(this::onAnswer, surroundings.metadataThread());
    }

    private void onAnswer(RegisteredBroker registered, @Nullable Throwable failure) {
        if (failure != null && isNoController(failure) && hasTime()) {
            LOG.warn(
                    "Broker {} serves nothing yet: it looks for the active controller of its cluster, and goes on with that. {} {}",
                    registration.brokerId(),
                    failure.getMessage(),
                    surroundings.outlook().get());
            attempt();
        } else if (failure != null) {
            reply.completeExceptionally(failure);
        } else if (registered.error().code() != ErrorCode.DUPLICATE_BROKER_REGISTRATION) {
            reply.complete(registered);
        } else {
            Optional<HostPort> address = surroundings.registered().get();
            if (address.isEmpty()) {
                onFound(" ", Finding.UNCLEAR);
                return;
            }
            String where = " at " + address.get() + " ";
            surroundings
                    .probe()
                    .look(
                            address.get(),
                            surroundings.metadataThread(),
                            finding -> onFound(where, finding));
        }
    }

    private void onFound(String where, Finding finding) {
        long sessionsMs = leftMs(SESSIONS * surroundings.sessionMs());
        long leftMs = Math.min(patienceLeftMs(), sessionsMs);
        if (finding == Finding.ANSWERED || leftMs <= PAUSE_MS) {
            reply.complete(
                    new RegisteredBroker(
                            ApiError.of(
                                    ErrorCode.DUPLICATE_BROKER_REGISTRATION,
                                    "another process is node %d of this cluster already%s."
                                            + " Give this one another node id (--node-id) and an"
                                            + " empty directory (--data-dir); or, if it shall take"
                                            + " the place of the other one, with a copy of its"
                                            + " directories, stop that first.",
                                    registration.brokerId(),
                                    where.stripTrailing()),
                            -1));
            return;
        }
        if (!told) {
            told = true;
            LOG.warn(
                    "A broker of node id {} is registered{}and does not answer: this one waits for up to {} s until the cluster takes that"
                            + " one for gone.",
                    registration.brokerId(),
                    where,
                    TimeUnit.MILLISECONDS.toSeconds(leftMs));
        }
        surroundings
                .delays()
                .after(PAUSE_MS, () -> surroundings.metadataThread().execute(this::attempt));
    }

    private long attemptMs() {
        return Math.min(TELL_MS, patienceLeftMs());
    }

    private boolean hasTime() {
        return patienceLeftMs() > PAUSE_MS;
    }

    private long patienceLeftMs() {
        return patienceMs.isEmpty() ? Long.MAX_VALUE : leftMs(patienceMs.getAsLong());
    }

    private static boolean isNoController(Throwable failure) {
        return failure instanceof NotControllerException
                || failure.getCause() instanceof NotControllerException;
    }

    private long leftMs(long ofMs) {
        return beganMs + ofMs - nowMs();
    }

    private long nowMs() {
        return TimeUnit.NANOSECONDS.toMillis(surroundings.nanoClock().getAsLong());
    }
}

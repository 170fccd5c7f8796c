package dev.ottla.broker.controlling;

import dev.ottla.broker.peer.Peer;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ApiMessage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Requests to the active controller over one connection, in this process or by wire, tried again
/// until one that is the controller has answered or the time is over. Owned by the metadata thread.
final class ControllerCalls {
    private static final long FIRST_PAUSE_MS = 20;
    private static final long LONGEST_PAUSE_MS = 500;
    private static final long LOOK_MS = 200;

    /// What the calls of all purposes share.
    ///
    /// @param peers connections to other nodes
    /// @param nanoClock monotonic
    record Surroundings(
            MetadataService metadata,
            Executor metadataThread,
            Connector peers,
            Delays delays,
            LongSupplier nanoClock) {}

    /// One command in its two forms.
    ///
    /// @param local runs it here, where the active controller is
    /// @param request makes what says the same by wire
    /// @param read makes the reply of an answer; empty when it came from somebody who is not the
    ///   active controller
    record Command<R>(
            Supplier<CompletableFuture<R>> local,
            Supplier<ApiMessage> request,
            Function<ApiMessage, Optional<R>> read) {}

    private final Surroundings surroundings;
    private final Controllers controllers;
    private final String clientId;
    private final long attemptMs;
    private @Nullable Peer peer;
    private @Nullable HostPort peerAddress;

    /// @param attemptMs how long one node may take, so that others are tried before the time is
    ///   over
    ControllerCalls(
            Surroundings surroundings, Controllers controllers, String clientId, long attemptMs) {
        this.surroundings = surroundings;
        this.controllers = controllers;
        this.clientId = clientId;
        this.attemptMs = attemptMs;
    }

    /// Any thread. Fails with [NotControllerException] when the time is over; whether the command
    /// was carried out is not known then.
    <R> CompletableFuture<R> run(Command<R> command, long timeoutMs) {
        long deadlineNs =
                surroundings.nanoClock().getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        Errand<R> errand = new Errand<>(command, deadlineNs);
        surroundings.metadataThread().execute(errand::attempt);
        return errand.reply;
    }

    private final class Errand<R> {
        final CompletableFuture<R> reply = new CompletableFuture<>();
        private final Command<R> command;
        private final long deadlineNs;
        private long pauseMs = FIRST_PAUSE_MS;

        /// Who was said to lead when somebody was asked last.
        private Optional<HostPort> leaderThen = Optional.empty();

        Errand(Command<R> command, long deadlineNs) {
            this.command = command;
            this.deadlineNs = deadlineNs;
        }

        void attempt() {
            if (surroundings.metadata().isLeader()) {
                var _ =
                        command.local()
                                .get()
                                .whenCompleteAsync(this::onLocal, surroundings.metadataThread());
                return;
            }
            leaderThen = controllers.leader();
            Optional<HostPort> address = controllers.next();
            if (address.isEmpty()) {
                again("no node is known that could be the controller");
                return;
            }
            CompletableFuture<ApiMessage> answer =
                    peerAt(address.get())
                            .ask(command.request().get(), Math.min(attemptMs, leftMs()));
            var _ = answer.whenCompleteAsync(this::onAnswer, surroundings.metadataThread());
            watch(address.get(), answer);
        }

        /// A controller that stands still keeps its connections and answers nothing. Once another
        /// node is known to lead, nobody waits for it any more.
        private void watch(HostPort asked, CompletableFuture<ApiMessage> answer) {
            if (answer.isDone()) return;
            if (isAnotherLeader() && !controllers.leader().equals(Optional.of(asked))) {
                disconnect(asked);
                return;
            }
            surroundings
                    .delays()
                    .after(
                            LOOK_MS,
                            () ->
                                    surroundings
                                            .metadataThread()
                                            .execute(() -> watch(asked, answer)));
        }

        private boolean isAnotherLeader() {
            Optional<HostPort> now = controllers.leader();
            return now.isPresent() && !now.equals(leaderThen);
        }

        private void onLocal(R result, @Nullable Throwable failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure;
            if (cause == null) {
                reply.complete(result);
            } else if (cause instanceof NotControllerException) {
                again(String.valueOf(cause.getMessage()));
            } else {
                reply.completeExceptionally(cause);
            }
        }

        private void onAnswer(ApiMessage answer, @Nullable Throwable failure) {
            if (failure != null) {
                if (isAnotherLeader()) {
                    controllers.found();
                } else {
                    controllers.failed();
                }
                again(String.valueOf(failure.getMessage()));
                return;
            }
            Optional<R> result;
            try {
                result = command.read().apply(answer);
            } catch (RuntimeException e) {
                reply.completeExceptionally(e);
                return;
            }
            if (result.isPresent()) {
                controllers.found();
                reply.complete(result.get());
            } else {
                controllers.failed();
                again("the node that was asked is not the active controller");
            }
        }

        private void again(String why) {
            if (leftMs() <= pauseMs) {
                reply.completeExceptionally(
                        new NotControllerException(
                                "The active controller was not found in time. What came last: %s%s"
                                        .formatted(why, why.endsWith(".") ? "" : ".")));
                return;
            }
            surroundings
                    .delays()
                    .after(pauseMs, () -> surroundings.metadataThread().execute(this::attempt));
            pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
        }

        private long leftMs() {
            return Math.max(
                    1,
                    TimeUnit.NANOSECONDS.toMillis(
                            deadlineNs - surroundings.nanoClock().getAsLong()));
        }
    }

    /// Whether the connection is to that node, and stands.
    boolean isConnectedTo(HostPort address) {
        Peer present = peer;
        return present != null && address.equals(peerAddress) && present.isConnected();
    }

    /// What is on its way to that node fails, and is asked elsewhere.
    private void disconnect(HostPort address) {
        Peer present = peer;
        if (present == null || !address.equals(peerAddress)) return;
        peer = null;
        peerAddress = null;
        present.close();
    }

    private Peer peerAt(HostPort address) {
        Peer present = peer;
        if (present != null && address.equals(peerAddress)) {
            return present;
        }
        if (present != null) {
            present.close();
        }
        Peer next = surroundings.peers().connect(address, clientId);
        peer = next;
        peerAddress = address;
        return next;
    }
}

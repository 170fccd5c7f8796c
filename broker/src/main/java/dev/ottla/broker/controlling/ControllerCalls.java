package dev.ottla.broker.controlling;

import dev.ottla.broker.peer.Peer;
import dev.ottla.config.HostPort;
import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ApiMessage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Requests to the active controller, in this process or by wire, tried again until one that is the
/// controller has answered or the time is over. Who is not known to lead and takes long, because it
/// stands still or is just starting, is overtaken: the next one is asked too, so that the search
/// goes on beside it. Owned by the metadata thread.
final class ControllerCalls {
    private static final long FIRST_PAUSE_MS = 20;
    private static final long LONGEST_PAUSE_MS = 500;
    private static final long LOOK_MS = 200;

    /// How long a node that is not known to lead is waited for alone.
    private static final long ALONE_MS = 400;

    /// How many nodes one errand waits for at most.
    private static final int MAX_AT_ONCE = 5;

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

    /// Those that were asked; only the controller's stays when it is found.
    private final Map<HostPort, Line> lines = new HashMap<>();

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

    private static final class Line {
        final Peer peer;
        int questions;

        Line(Peer peer) {
            this.peer = peer;
        }
    }

    /// Runs in one chain of attempts: the next one follows on the answer to the last, or when that
    /// is overtaken; then its answer counts only if it is the controller's.
    private final class Errand<R> {
        final CompletableFuture<R> reply = new CompletableFuture<>();
        private final Command<R> command;
        private final long deadlineNs;
        private final Set<HostPort> asked = new HashSet<>();
        private long pauseMs = FIRST_PAUSE_MS;

        Errand(Command<R> command, long deadlineNs) {
            this.command = command;
            this.deadlineNs = deadlineNs;
        }

        void attempt() {
            if (reply.isDone()) return;
            if (surroundings.metadata().isLeader()) {
                var _ =
                        command.local()
                                .get()
                                .whenCompleteAsync(this::onLocal, surroundings.metadataThread());
                return;
            }
            Optional<HostPort> address = controllers.next(asked);
            if (address.isEmpty()) {
                again(
                        asked.isEmpty()
                                ? "no node is known that could be the controller"
                                : "no node that was asked has answered");
                return;
            }
            new Question<>(this, address.get(), controllers.leader()).ask();
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

    /// One node that is asked on an errand.
    private final class Question<R> {
        private final Errand<R> errand;
        private final HostPort address;

        /// Who was said to lead when it was asked.
        private final Optional<HostPort> leaderThen;

        private final long sinceNs = surroundings.nanoClock().getAsLong();
        private boolean overtaken;
        private boolean answered;

        Question(Errand<R> errand, HostPort address, Optional<HostPort> leaderThen) {
            this.errand = errand;
            this.address = address;
            this.leaderThen = leaderThen;
        }

        void ask() {
            errand.asked.add(address);
            Line line = lineTo(address);
            line.questions++;
            var _ =
                    line.peer
                            .ask(
                                    errand.command.request().get(),
                                    Math.min(attemptMs, errand.leftMs()))
                            .whenCompleteAsync(
                                    (answer, failure) -> {
                                        line.questions--;
                                        answered = true;
                                        errand.asked.remove(address);
                                        onAnswer(answer, failure);
                                    },
                                    surroundings.metadataThread());
            watch();
        }

        /// A controller that stands still keeps its connections and answers nothing. Once another
        /// node is known to lead, nobody waits for it any more.
        private void watch() {
            if (answered || errand.reply.isDone()) return;
            boolean leads = controllers.leader().equals(Optional.of(address));
            if (!leads && isAnotherLeader()) {
                disconnect(address);
                return;
            }
            if (!leads && !overtaken && isLate() && errand.asked.size() < MAX_AT_ONCE) {
                overtaken = true;
                controllers.failed();
                errand.attempt();
            }
            surroundings
                    .delays()
                    .after(LOOK_MS, () -> surroundings.metadataThread().execute(this::watch));
        }

        private boolean isLate() {
            return surroundings.nanoClock().getAsLong() - sinceNs
                    >= TimeUnit.MILLISECONDS.toNanos(ALONE_MS);
        }

        private boolean isAnotherLeader() {
            Optional<HostPort> now = controllers.leader();
            return now.isPresent() && !now.equals(leaderThen);
        }

        private void onAnswer(@Nullable ApiMessage answer, @Nullable Throwable failure) {
            if (answer == null) {
                failed(failure == null ? "no answer" : String.valueOf(failure.getMessage()));
                return;
            }
            Optional<R> result;
            try {
                result = errand.command.read().apply(answer);
            } catch (RuntimeException e) {
                errand.reply.completeExceptionally(e);
                return;
            }
            if (result.isPresent()) {
                found(address);
                errand.reply.complete(result.get());
            } else {
                failed("the node that was asked is not the active controller of this cluster");
            }
        }

        private void failed(String why) {
            dropUnused(address);
            if (isAnotherLeader()) controllers.found();
            else if (!overtaken) controllers.failed();
            if (!overtaken) errand.again(why);
        }
    }

    /// Whether there is a connection to that node, and stands.
    boolean isConnectedTo(HostPort address) {
        Line line = lines.get(address);
        return line != null && line.peer.isConnected();
    }

    /// What waits for others is asked there; it stays with whom this node takes for the leader.
    private void found(HostPort address) {
        controllers.found();
        for (HostPort other : List.copyOf(lines.keySet())) {
            boolean leads = controllers.leader().equals(Optional.of(other));
            if (!leads && !other.equals(address)) disconnect(other);
        }
    }

    /// What is on its way to that node fails, and is asked elsewhere.
    private void disconnect(HostPort address) {
        Line line = lines.remove(address);
        if (line != null) line.peer.close();
    }

    private void dropUnused(HostPort address) {
        Line line = lines.get(address);
        if (line != null && line.questions == 0) disconnect(address);
    }

    private Line lineTo(HostPort address) {
        return lines.computeIfAbsent(
                address, there -> new Line(surroundings.peers().connect(there, clientId)));
    }
}

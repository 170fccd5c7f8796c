package dev.ottla.broker.controlling;

import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.image.ImageDelta;
import dev.ottla.metadata.liveness.BrokerIncarnation;
import dev.ottla.metadata.service.ImageListener;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps this broker's session with the controller, from the moment when there are others on. Until
/// it is let in, and while it waits to stop, it asks more often. Owned by the metadata thread; what
/// says so may be called by any thread.
public final class Heartbeats implements ImageListener {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
    private static final long HASTY_MS = 50;

    private static final int FAILURES_OF_A_SESSION = 2;

    /// How long an answer may take before the word of the one before does not count any more.
    private static final long ANSWER_MS = 500;

    /// How long a broker that stops looks for the controller.
    private static final long FAREWELL_MS = 2_000;

    /// What the wiring gives.
    ///
    /// @param letIn whether it is to be let in ever, which a controller alone is not
    /// @param intervalMs `broker.heartbeat.interval.ms`
    /// @param timeoutMs how long one heartbeat may look for the controller: half of
    ///   `broker.session.timeout.ms`
    /// @param session hears of this broker's session with the controller
    /// @param image that requests work with
    /// @param offlineDirectories those of the registration that have failed
    /// @param fullDirectories those that have no room for records
    public record Surroundings(
            BrokerIncarnation broker,
            boolean letIn,
            long intervalMs,
            long timeoutMs,
            Supplier<ClusterImage> image,
            Supplier<List<Uuid>> offlineDirectories,
            Supplier<List<Uuid>> fullDirectories,
            Session session,
            Executor metadataThread,
            Delays delays,
            LongSupplier nanoClock) {}

    /// What a broker knows of its session with the controller. Called on the metadata thread.
    public interface Session {
        /// Whether no controller has answered for a session, so that it must be over.
        void onOutOfTouch(boolean is);

        /// A controller counts on this broker, which knew all that was committed when it asked:
        /// nobody is elected in its place for its silence before `untilNs`. The first call says
        /// that it begins to ask.
        void onConfirmed(long untilNs);
    }

    private final ControllerLink link;
    private final Surroundings surroundings;
    private final CompletableFuture<Void> admitted = new CompletableFuture<>();
    private final CompletableFuture<Void> mayStop = new CompletableFuture<>();

    /// What the controller is to be told; empty when there was never anything to tell.
    private Optional<List<Uuid>> cordoned = Optional.empty();

    private boolean begun;
    private boolean stopping;

    /// At most one heartbeat is under way; whoever wants another one soon sets the second.
    private boolean underWay;

    private boolean again;

    /// Counts heartbeats, so that only the last planned one takes place.
    private long turn;

    /// Heartbeats in a row that found no controller; two of them take a session.
    private int failures;

    private @Nullable ErrorCode lastError;

    /// Written by the metadata thread, read by the probes; that of a moment ago will do.
    private volatile Optional<String> trouble = Optional.empty();

    public Heartbeats(ControllerLink link, Surroundings surroundings) {
        this.link = link;
        this.surroundings = surroundings;
    }

    /// What the last heartbeat says against this broker being of use; empty while all is well, and
    /// for one that is alone. Any thread.
    public Optional<String> trouble() {
        return trouble;
    }

    /// Others have come.
    @Override
    public void onImage(ImageDelta delta, ClusterImage image) {
        boolean alone =
                image.brokers().keySet().stream().allMatch(id -> id == surroundings.broker().id());
        if (!begun && !alone) begin();
        else if (begun && !admitted.isDone()) soon();
    }

    /// Any thread: begins, and returns what completes when the broker is let in.
    public CompletableFuture<Void> admitted() {
        surroundings.metadataThread().execute(this::begin);
        return admitted;
    }

    /// Any thread: these directories get no new replicas; completes when the controller has taken
    /// it.
    public CompletableFuture<ApiError> cordon(List<Uuid> directories) {
        return tell(() -> cordoned = Optional.of(directories));
    }

    /// Any thread: tells the controller at once which directories are offline and which are full.
    public CompletableFuture<ApiError> tellDirectories() {
        return tell(() -> {});
    }

    private CompletableFuture<ApiError> tell(Runnable change) {
        CompletableFuture<ApiError> told = new CompletableFuture<>();
        surroundings
                .metadataThread()
                .execute(() -> {
                    change.run();
                    var _ =
                            link.heartbeat(sign(), surroundings.timeoutMs())
                                    .whenComplete((answer, failure) -> {
                                        if (failure == null) told.complete(ofCode(answer.error()));
                                        else told.completeExceptionally(failure);
                                    });
                });
        return told;
    }

    private static ApiError ofCode(ErrorCode error) {
        return error == ErrorCode.NONE ? ApiError.NONE : new ApiError(error, error.message());
    }

    /// Any thread: asks that others take over what this broker leads; completes when they have, and
    /// fails when no controller is found.
    public CompletableFuture<Void> shutDown() {
        surroundings
                .metadataThread()
                .execute(() -> {
                    stopping = true;
                    if (begun) soon();
                    else begin();
                });
        return mayStop;
    }

    private void begin() {
        if (begun) return;
        begun = true;
        surroundings.session().onConfirmed(surroundings.nanoClock().getAsLong());
        beat();
    }

    private void soon() {
        if (underWay) again = true;
        else beat();
    }

    private void beat() {
        if (underWay || mayStop.isDone()) return;
        underWay = true;
        again = false;
        turn++;
        long askedNs = surroundings.nanoClock().getAsLong();
        var _ =
                link.heartbeat(sign(), stopping ? FAREWELL_MS : surroundings.timeoutMs())
                        .whenCompleteAsync(
                                (answer, failure) -> onAnswer(askedNs, answer, failure),
                                surroundings.metadataThread());
    }

    /// It serves when its requests work with its own registration.
    private SignOfLife sign() {
        ClusterImage image = surroundings.image().get();
        BrokerIncarnation broker = surroundings.broker();
        boolean knowsItself =
                image.broker(broker.id()).map(BrokerState::epoch).orElse(-1L) == broker.epoch();
        return new SignOfLife(
                broker,
                image.version().offset(),
                !knowsItself || !surroundings.letIn(),
                stopping,
                surroundings.offlineDirectories().get(),
                surroundings.fullDirectories().get(),
                cordoned);
    }

    private void onAnswer(long askedNs, LifeAnswer answer, @Nullable Throwable failure) {
        underWay = false;
        noteTouch(failure != null);
        if (failure != null) {
            if (failures == 1) {
                LOG.warn(
                        "No heartbeat reached the controller, trying on: {}", failure.getMessage());
            }
            trouble =
                    Optional.of(
                            "no active controller has answered for "
                                    + surroundings.timeoutMs()
                                    + " ms");
            if (stopping) mayStop.completeExceptionally(failure);
        } else {
            note(answer);
            if (answer.caughtUp() && !answer.fenced()) {
                long validMs =
                        Math.min(surroundings.intervalMs() + ANSWER_MS, surroundings.timeoutMs());
                surroundings
                        .session()
                        .onConfirmed(askedNs + TimeUnit.MILLISECONDS.toNanos(validMs));
            }
        }
        boolean hasty =
                again || stopping || failure != null || (answer.fenced() && lastError == null);
        long planned = turn;
        surroundings
                .delays()
                .after(
                        hasty ? HASTY_MS : surroundings.intervalMs(),
                        () ->
                                surroundings
                                        .metadataThread()
                                        .execute(() -> {
                                            if (turn == planned) beat();
                                        }));
    }

    private void noteTouch(boolean failed) {
        if (failed) failures++;
        if (failed && failures == FAILURES_OF_A_SESSION) {
            surroundings.session().onOutOfTouch(true);
        } else if (!failed) {
            if (failures > 0) LOG.info("Heartbeats reach the controller again.");
            if (failures >= FAILURES_OF_A_SESSION) surroundings.session().onOutOfTouch(false);
            failures = 0;
        }
    }

    private void note(LifeAnswer answer) {
        if (answer.error() != ErrorCode.NONE) {
            if (answer.error() != lastError) {
                LOG.error(
                        "The controller does not know this broker any more ({}): it is to be started again.",
                        answer.error());
            }
            lastError = answer.error();
            if (stopping) mayStop.complete(null); // Nobody counts on it.
            trouble = Optional.of("the controller does not know this broker any more");
            return;
        }
        lastError = null;
        trouble =
                answer.fenced()
                        ? Optional.of("the cluster has not let this broker in")
                        : Optional.empty();
        if (!answer.fenced()) admitted.complete(null);
        if (answer.mayStop()) mayStop.complete(null);
    }
}

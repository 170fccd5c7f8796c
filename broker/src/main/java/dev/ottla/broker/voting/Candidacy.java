package dev.ottla.broker.voting;

import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumState;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node's way to become a voter. It asks the active controller who votes, makes itself ready, so
/// that it could vote, and asks to be added; when that does not work it goes back to copying and
/// asks again later.
///
/// | this node                                    | what it does                                   |
/// |----------------------------------------------|------------------------------------------------|
/// | votes                                        | nothing                                        |
/// | votes, as it believes, but hears nobody lead | asks whether it is named, as below             |
/// | votes, but is not where the others find it   | has itself taken out, copies, then as wanted   |
/// | copies, but is named as a voter              | has that voter taken out, then as below        |
/// | copies, and is wanted                        | gets ready, asks to be added                   |
/// | copies, and is not wanted                    | asks again later                               |
/// | is ready, but not named as a voter           | asks to be added, or copies when not wanted    |
/// | votes, as it believes, but is not named      | forgets its vote, copies, then as wanted       |
///
/// A node that copies has nothing of what it once promised as a voter: its directory is another
/// one, or an attempt to vote was given up. So the voter of that name is dead, and as long as it
/// counts, the quorum stands one failure less. It must be gone before this node gets ready, because
/// then it answers under that name again.
///
/// While it is ready and not added yet it hears nothing new of the metadata, so it gets ready only
/// when it has reason to think that it will be added.
///
/// Owned by the metadata thread.
public final class Candidacy {
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);
    private static final long PAUSE_NS = 10_000_000_000L;

    /// What the wiring gives.
    ///
    /// @param self this node as a voter
    /// @param image the newest
    /// @param nanoClock monotonic
    public record Surroundings(
            Role role,
            Supplier<QuorumVoter> self,
            Supplier<ClusterImage> image,
            OwnVote vote,
            Executor metadataThread,
            Electorate electorate,
            LongSupplier nanoClock) {}

    private final Surroundings with;
    private boolean asking;

    /// Ends when what was asked for last has an answer.
    private CompletableFuture<Boolean> asked = CompletableFuture.completedFuture(false);

    private boolean drained;

    /// Whether it does not matter any more that this node was taken out.
    private boolean forgiven;

    /// Whether it voted since this process began: to be taken out before is no reason not to ask.
    private boolean voted;

    private boolean paused;
    private long pausedUntilNs;
    private Map<Integer, BrokerState> lookedAt = Map.of();

    public Candidacy(Surroundings surroundings) {
        this.with = surroundings;
    }

    /// To be called every few seconds.
    public void check() {
        ClusterImage image = with.image().get();
        if (asking || with.vote().leads()) return;
        if (isAtHome() && with.vote().isLed()) {
            voted = true;
            return;
        }
        if (isPaused(image)) return;
        lookedAt = image.brokers();
        notice(image);
        var _ = ask(false);
    }

    /// Makes this node a voter now, whatever its role: somebody wants it to vote. On any thread.
    public CompletableFuture<ApiError> volunteer() {
        return CompletableFuture.completedFuture(true)
                .thenComposeAsync(_ -> volunteerNow(), with.metadataThread());
    }

    private CompletableFuture<ApiError> volunteerNow() {
        if (with.vote().leads()) return CompletableFuture.completedFuture(already());
        if (!isAdded()) return stand();
        // Nobody tells a voter that it was taken out, so only the controller knows.
        return with.electorate()
                .quorum()
                .thenComposeAsync(
                        quorum ->
                                isNamed(quorum)
                                        ? CompletableFuture.completedFuture(already())
                                        : stand(),
                        with.metadataThread())
                .exceptionally(this::notYet);
    }

    private ApiError already() {
        return ApiError.of(
                ErrorCode.DUPLICATE_VOTER, "Node %d votes already.", with.self().get().nodeId());
    }

    private ApiError notYet(Throwable failure) {
        return ApiError.of(
                ErrorCode.REQUEST_TIMED_OUT,
                "Node %d does not vote yet: %s",
                with.self().get().nodeId(),
                reason(failure));
    }

    /// After what is asked for already: its answer may be that nobody wants this node to vote.
    private CompletableFuture<ApiError> stand() {
        return asking
                ? asked.handle((_, _) -> true)
                        .thenComposeAsync(_ -> volunteerNow(), with.metadataThread())
                : ask(true).thenApply(_ -> ApiError.NONE).exceptionally(this::notYet);
    }

    private boolean isNamed(QuorumState quorum) {
        QuorumVoter self = with.self().get();
        return quorum.voters().stream()
                .anyMatch(voter ->
                        voter.nodeId() == self.nodeId()
                                && voter.directoryId().equals(self.directoryId()));
    }

    private CompletableFuture<Boolean> ask(boolean wanted) {
        asking = true;
        CompletableFuture<Boolean> ended =
                with.electorate()
                        .quorum()
                        .thenComposeAsync(
                                quorum -> proceed(quorum, wanted || isWanted(quorum)),
                                with.metadataThread())
                        .whenCompleteAsync(this::onEnd, with.metadataThread());
        asked = ended;
        return ended;
    }

    /// A node that was drained lost its vote for that reason; when it is not any more, it may have
    /// one again.
    private void notice(ClusterImage image) {
        int self = with.self().get().nodeId();
        boolean drainedNow =
                image.broker(self).stream().anyMatch(broker -> broker.openDirectories().isEmpty());
        if (drained && !drainedNow) forgiven = true;
        drained = drainedNow;
    }

    /// The pause ends too when brokers have come or gone.
    private boolean isPaused(ClusterImage image) {
        boolean over = !paused || with.nanoClock().getAsLong() - pausedUntilNs >= 0;
        if (over || !image.brokers().equals(lookedAt)) paused = false;
        return paused;
    }

    private void pause() {
        paused = true;
        pausedUntilNs = with.nanoClock().getAsLong() + PAUSE_NS;
    }

    private boolean isAdded() {
        return ownVoter().isPresent();
    }

    /// Whether it votes, and the others find it where it is.
    private boolean isAtHome() {
        return ownVoter().equals(Optional.of(with.self().get()));
    }

    private Optional<QuorumVoter> ownVoter() {
        if (!with.vote().isReady()) return Optional.empty();
        QuorumVoter self = with.self().get();
        return with.vote().voters().stream()
                .filter(voter ->
                        voter.nodeId() == self.nodeId()
                                && voter.directoryId().equals(self.directoryId()))
                .findFirst();
    }

    /// Whether this node votes now.
    private CompletableFuture<Boolean> proceed(QuorumState quorum, boolean wanted) {
        QuorumVoter self = with.self().get();
        List<QuorumState.Replica> named =
                quorum.voters().stream().filter(voter -> voter.nodeId() == self.nodeId()).toList();
        if (with.vote().isReady()) {
            boolean same = isNamed(quorum);
            if (same && !isAdded()) return CompletableFuture.completedFuture(true);
            if (same && isAtHome()) return CompletableFuture.completedFuture(false);
            if (same) return move(self);
            if (isAdded()) return forget(quorum, wanted);
            if (wanted) return add(self);
            with.vote().giveUp();
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<?> gone = CompletableFuture.completedFuture(null);
        for (QuorumState.Replica old : named) {
            LOG.info(
                    "Node {} has nothing of the voter that it was with directory id {}: that one is taken out of the quorum.",
                    old.nodeId(),
                    old.directoryId());
            gone =
                    gone.thenComposeAsync(
                            _ -> with.electorate().remove(old.nodeId(), old.directoryId()),
                            with.metadataThread());
        }
        return gone.thenComposeAsync(
                _ ->
                        wanted
                                ? with.vote().getReady().thenCompose(_ -> add(with.self().get()))
                                : CompletableFuture.completedFuture(false),
                with.metadataThread());
    }

    /// It was taken out and has not heard of it: an engine that goes on would hear so later, and
    /// leave when it has just been added again. A controller that may have been replaced is no
    /// witness.
    private CompletableFuture<Boolean> forget(QuorumState quorum, boolean wanted) {
        if (quorum.leaderEpoch() < with.vote().epoch()) {
            return CompletableFuture.failedFuture(
                    new NotControllerException(
                            "The controller that answered may have been replaced: try again."));
        }
        with.vote().giveUp();
        if (!wanted) return CompletableFuture.completedFuture(false);
        return with.vote().getReady().thenCompose(_ -> add(with.self().get()));
    }

    /// What this node has promised is worth nothing once it is taken out for sure, and not before.
    private CompletableFuture<Boolean> move(QuorumVoter self) {
        LOG.info(
                "Node {} is at {}:{} now: its vote moves there.",
                self.nodeId(),
                self.host(),
                self.port());
        forgiven = true;
        return with.electorate()
                .remove(self.nodeId(), self.directoryId())
                .thenRunAsync(
                        () -> {
                            if (with.vote().isReady()) with.vote().giveUp();
                        },
                        with.metadataThread())
                .thenComposeAsync(_ -> with.vote().getReady(), with.metadataThread())
                .thenCompose(_ -> add(with.self().get()));
    }

    private CompletableFuture<Boolean> add(QuorumVoter self) {
        return with.electorate().add(self).thenApply(_ -> true);
    }

    private boolean isWanted(QuorumState quorum) {
        if (voted && with.vote().wasTakenOut() && !forgiven) return false;
        int self = with.self().get().nodeId();
        Set<Integer> others =
                quorum.voters().stream()
                        .map(QuorumState.Replica::nodeId)
                        .collect(Collectors.toCollection(HashSet::new));
        others.remove(self);
        return switch (with.role()) {
            case OBSERVER -> false;
            case VOTER -> true;
            case AUTO ->
                    Candidates.of(others, with.image().get().brokers().values()).contains(self);
        };
    }

    private void onEnd(@Nullable Boolean votes, @Nullable Throwable failure) {
        asking = false;
        if (failure == null && Boolean.TRUE.equals(votes)) {
            LOG.info("This node is a voter of the quorum.");
            voted = true;
            forgiven = false;
            return;
        }
        pause();
        if (failure == null || isAdded()) return;
        LOG.info(
                "This node is no voter of the quorum yet, it asks again later: {}",
                reason(failure));
        if (with.vote().isReady()) with.vote().giveUp();
    }

    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}

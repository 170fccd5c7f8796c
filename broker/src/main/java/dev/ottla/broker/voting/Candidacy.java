package dev.ottla.broker.voting;

import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.engine.QuorumEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A node's way to become a voter. It makes itself ready, so that it could vote, and asks the
/// active controller to add it; when that does not work it goes back to copying and asks again
/// later.
///
/// While it is ready and not added yet it hears nothing new of the metadata, so it gets ready only
/// when it has reason to think that it will be added.
///
/// Owned by the metadata thread.
public final class Candidacy {
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);
    private static final int VOTERS = 3;
    private static final long PAUSE_NS = 10_000_000_000L;

    /// What the wiring gives.
    ///
    /// @param self this node as a voter
    /// @param ask tells the active controller, wherever that is, to add a voter
    /// @param nanoClock monotonic
    public record Surroundings(
            Role role,
            Supplier<QuorumVoter> self,
            MetadataService metadata,
            QuorumEngine engine,
            Executor metadataThread,
            Function<QuorumVoter, CompletableFuture<Void>> ask,
            LongSupplier nanoClock) {}

    private final Surroundings with;
    private boolean asking;
    private long pausedUntilNs;
    private boolean paused;

    public Candidacy(Surroundings surroundings) {
        this.with = surroundings;
    }

    /// To be called every few seconds.
    public void check() {
        if (asking || with.metadata().isLeader() || isPaused() || !wants()) return;
        asking = true;
        QuorumVoter self = with.self().get();
        var _ =
                with.engine()
                        .becomeVoter()
                        .thenCompose(_ -> with.ask().apply(self))
                        .whenCompleteAsync(
                                (_, failure) -> onAnswer(failure), with.metadataThread());
    }

    private boolean isPaused() {
        if (paused && with.nanoClock().getAsLong() - pausedUntilNs < 0) return true;
        paused = false;
        return false;
    }

    private boolean wants() {
        QuorumEngine engine = with.engine();
        if (engine.isVoter()) return !isAdded();
        if (engine.wasTakenOut()) return false;
        return switch (with.role()) {
            case OBSERVER -> false;
            case VOTER -> with.metadata().quorum().leaderId() >= 0;
            case AUTO -> isOneOfThree();
        };
    }

    private boolean isAdded() {
        QuorumVoter self = with.self().get();
        return with.engine().voters().stream()
                .anyMatch(voter ->
                        voter.nodeId() == self.nodeId()
                                && voter.directoryId().equals(self.directoryId()));
    }

    /// The active controller and the first two others of the living nodes.
    private boolean isOneOfThree() {
        int leader = with.metadata().quorum().leaderId();
        if (leader < 0) return false;
        ClusterImage image = with.metadata().image();
        List<Integer> living =
                image.brokers().values().stream()
                        .filter(BrokerState::isActive)
                        .map(BrokerState::id)
                        .filter(id -> id != leader)
                        .sorted()
                        .limit(VOTERS - 1)
                        .toList();
        return living.size() == VOTERS - 1 && living.contains(with.self().get().nodeId());
    }

    private void onAnswer(@Nullable Throwable failure) {
        asking = false;
        if (failure == null) {
            LOG.info("This node is a voter of the quorum.");
            return;
        }
        paused = true;
        pausedUntilNs = with.nanoClock().getAsLong() + PAUSE_NS;
        if (isAdded()) return;
        LOG.info(
                "This node is no voter of the quorum yet, it asks again later: {}",
                failure.getMessage());
        with.engine().leave();
    }
}

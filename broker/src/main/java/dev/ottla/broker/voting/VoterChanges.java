package dev.ottla.broker.voting;

import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.quorum.engine.QuorumEngine;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// Changes of the voters on the active controller, one after the other. The first voter that is
/// added to a node with an engine of its own makes that begin the quorum.
///
/// Any thread may ask; the work is done on the metadata thread.
public final class VoterChanges {
    private final QuorumEngine engine;
    private final MetadataService metadata;
    private final Executor metadataThread;

    /// Done when the last change is; belongs to the metadata thread.
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    public VoterChanges(QuorumEngine engine, MetadataService metadata, Executor metadataThread) {
        this.engine = engine;
        this.metadata = metadata;
        this.metadataThread = metadataThread;
    }

    /// Adds a voter, which must be ready to be one. Refused while another voter has its node id: a
    /// node votes once. Fails with [NotControllerException] when this node does not lead.
    public CompletableFuture<ApiError> add(QuorumVoter voter) {
        return next(
                () -> engine.becomeVoter().thenComposeAsync(_ -> addNow(voter), metadataThread));
    }

    private CompletableFuture<ApiError> addNow(QuorumVoter voter) {
        Optional<QuorumVoter> older =
                engine.voters().stream()
                        .filter(known ->
                                known.nodeId() == voter.nodeId()
                                        && !known.directoryId().equals(voter.directoryId()))
                        .findFirst();
        return older.map(known ->
                        CompletableFuture.completedFuture(
                                ApiError.of(
                                        ErrorCode.DUPLICATE_VOTER,
                                        "Node %d votes with directory id %s: take that voter out of the quorum first.",
                                        known.nodeId(),
                                        known.directoryId())))
                .orElseGet(() -> engine.addVoters(List.of(voter)).thenApply(_ -> ApiError.NONE));
    }

    /// Takes a voter out; false when there is no such voter. Fails with [NotControllerException]
    /// when this node does not lead.
    public CompletableFuture<Boolean> remove(int nodeId, Uuid directoryId) {
        return next(() -> {
            boolean known =
                    engine.voters().stream()
                            .anyMatch(voter ->
                                    voter.nodeId() == nodeId
                                            && voter.directoryId().equals(directoryId));
            return known
                    ? engine.removeVoter(nodeId, directoryId).thenApply(_ -> true)
                    : CompletableFuture.completedFuture(false);
        });
    }

    /// Whether a node votes, whatever its directory.
    public CompletableFuture<Boolean> votes(int nodeId) {
        return CompletableFuture.supplyAsync(
                () -> engine.voters().stream().anyMatch(voter -> voter.nodeId() == nodeId),
                metadataThread);
    }

    private <T> CompletableFuture<T> next(Supplier<CompletableFuture<T>> change) {
        CompletableFuture<T> done = new CompletableFuture<>();
        metadataThread.execute(() -> enqueue(change, done));
        return done;
    }

    private <T> void enqueue(Supplier<CompletableFuture<T>> change, CompletableFuture<T> done) {
        last =
                last.handle((_, _) -> true)
                        .thenComposeAsync(
                                _ -> metadata.isLeader() ? change.get() : notHere(), metadataThread)
                        .whenComplete((result, failure) -> {
                            if (failure == null) done.complete(result);
                            else done.completeExceptionally(failure);
                        });
    }

    private static <T> CompletableFuture<T> notHere() {
        return CompletableFuture.failedFuture(
                new NotControllerException("This node is not the active controller: try again."));
    }
}

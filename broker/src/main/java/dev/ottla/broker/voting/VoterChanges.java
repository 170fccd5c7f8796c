package dev.ottla.broker.voting;

import dev.ottla.metadata.NotControllerException;
import dev.ottla.metadata.QuorumMembers;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.Uuid;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Changes of the voters on the active controller, one after the other. The first voter that is
/// added to a node with an engine of its own makes that begin the quorum.
///
/// Futures fail with [NotControllerException] when this node does not lead. Any thread may ask; the
/// work is done on the metadata thread.
public final class VoterChanges {
    /// What the wiring gives.
    ///
    /// @param begin makes this node a voter, if it is none yet
    /// @param leads whether this node is the active controller
    public record Surroundings(
            int nodeId,
            QuorumMembers members,
            Supplier<CompletableFuture<Void>> begin,
            BooleanSupplier leads,
            Executor metadataThread) {}

    private final Surroundings with;

    /// Done when the last change is; belongs to the metadata thread.
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    public VoterChanges(Surroundings surroundings) {
        this.with = surroundings;
    }

    /// Adds a voter, which must be ready to be one. Refused while another voter has its node id: a
    /// node votes once.
    public CompletableFuture<ApiError> add(QuorumVoter voter) {
        return next(() ->
                with.begin().get().thenComposeAsync(_ -> addNow(voter), with.metadataThread()));
    }

    private CompletableFuture<ApiError> addNow(QuorumVoter voter) {
        Optional<QuorumVoter> older =
                find(known -> known.nodeId() == voter.nodeId() && !known.equals(voter));
        return older.map(known ->
                        refused(
                                ApiError.of(
                                        ErrorCode.DUPLICATE_VOTER,
                                        "Node %d votes with directory id %s at %s:%d: take that voter out of the quorum first.",
                                        known.nodeId(),
                                        known.directoryId(),
                                        known.host(),
                                        known.port())))
                .orElseGet(() ->
                        with.members().addVoters(List.of(voter)).thenApply(_ -> ApiError.NONE));
    }

    /// Takes a voter out. Refused when the others could not go on without it.
    public CompletableFuture<ApiError> remove(int nodeId, Uuid directoryId) {
        return next(() -> {
            Optional<QuorumVoter> voter =
                    find(known ->
                            known.nodeId() == nodeId && known.directoryId().equals(directoryId));
            if (voter.isEmpty()) return refused(notFound(nodeId, directoryId));
            ApiError risk = risk(voter.get());
            return risk.isNone()
                    ? with.members().removeVoter(nodeId, directoryId).thenApply(_ -> ApiError.NONE)
                    : refused(risk);
        });
    }

    /// A node that keeps the metadata with an engine of its own is the only voter there is.
    private ApiError notFound(int nodeId, Uuid directoryId) {
        if (with.members().voters().isEmpty() && nodeId == with.nodeId()) return only(nodeId);
        return ApiError.of(
                ErrorCode.VOTER_NOT_FOUND,
                "Node %d with directory id %s is not a voter.",
                nodeId,
                directoryId);
    }

    private static ApiError only(int nodeId) {
        return ApiError.of(
                ErrorCode.INVALID_REQUEST,
                "Node %d is the only voter, so the cluster's metadata would be lost without it: let others vote first. They do so by themselves when three nodes run.",
                nodeId);
    }

    /// The change itself needs a majority of the voters that are left.
    private ApiError risk(QuorumVoter voter) {
        List<QuorumVoter> left =
                with.members().voters().stream().filter(known -> !known.equals(voter)).toList();
        if (left.isEmpty()) return only(voter.nodeId());
        List<Integer> down =
                left.stream()
                        .filter(known -> !with.members().isThere(known))
                        .map(QuorumVoter::nodeId)
                        .toList();
        if (left.size() - down.size() > left.size() / 2) return ApiError.NONE;
        return ApiError.of(
                ErrorCode.INVALID_REQUEST,
                "Without node %d the voters are %s, most of which must be there, but %s is not: start that one first, or take it out of the quorum instead.",
                voter.nodeId(),
                shown(left.stream().map(QuorumVoter::nodeId).toList()),
                shown(down));
    }

    private static String shown(List<Integer> nodes) {
        return nodes.stream().map(String::valueOf).collect(Collectors.joining(" and "));
    }

    /// Whether a node votes, whatever its directory.
    public CompletableFuture<Boolean> votes(int nodeId) {
        return CompletableFuture.supplyAsync(
                () -> find(voter -> voter.nodeId() == nodeId).isPresent(), with.metadataThread());
    }

    private Optional<QuorumVoter> find(Predicate<QuorumVoter> condition) {
        return with.members().voters().stream().filter(condition).findFirst();
    }

    private static CompletableFuture<ApiError> refused(ApiError error) {
        return CompletableFuture.completedFuture(error);
    }

    private CompletableFuture<ApiError> next(Supplier<CompletableFuture<ApiError>> change) {
        CompletableFuture<ApiError> done = new CompletableFuture<>();
        with.metadataThread().execute(() -> enqueue(change, done));
        return done;
    }

    private void enqueue(
            Supplier<CompletableFuture<ApiError>> change, CompletableFuture<ApiError> done) {
        last =
                last.handle((_, _) -> true)
                        .thenComposeAsync(
                                _ -> with.leads().getAsBoolean() ? change.get() : notHere(),
                                with.metadataThread())
                        .whenComplete((result, failure) -> {
                            if (failure == null) done.complete(result);
                            else done.completeExceptionally(failure);
                        });
    }

    private static CompletableFuture<ApiError> notHere() {
        return CompletableFuture.failedFuture(
                new NotControllerException("This node is not the active controller: try again."));
    }
}

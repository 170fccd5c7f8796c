package dev.ottla.broker.handler.voting;

import dev.ottla.broker.controlling.VoterMessages;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.voting.VoterChanges;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.BrokerState;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.AddRaftVoterRequest;
import dev.ottla.wire.message.AddRaftVoterResponse;
import dev.ottla.wire.message.ApiKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/// AddRaftVoter: a node is to vote on the metadata (KIP-853). Only a node that is ready for it can
/// be added, so it comes twice: somebody wants a node to vote, and the active controller passes
/// that on to the node; the node gets ready and asks to be added itself, by the listener of the
/// quorum, at which the other voters reach it. Both are answered when it votes.
///
/// Errors: INCONSISTENT_CLUSTER_ID, INVALID_REQUEST without a listener or for a node that is no
/// broker, DUPLICATE_VOTER for a node that votes, NOT_CONTROLLER, REQUEST_TIMED_OUT when the node
/// could not be brought up to date.
public final class AddRaftVoterHandler implements ApiHandler<AddRaftVoterRequest> {
    private final Surroundings with;

    /// What the wiring gives.
    ///
    /// @param volunteer makes this node a voter
    /// @param passOn asks another node
    public record Surroundings(
            int nodeId,
            String clusterId,
            Supplier<ClusterImage> image,
            VoterChanges changes,
            Supplier<CompletableFuture<ApiError>> volunteer,
            BiFunction<BrokerState, AddRaftVoterRequest, CompletableFuture<ApiError>> passOn) {}

    public AddRaftVoterHandler(Surroundings surroundings) {
        this.with = surroundings;
    }

    /// Whether a node is asked to become a voter, rather than the controller to add it.
    public static boolean isWish(AddRaftVoterRequest request) {
        return request.listeners().stream()
                .noneMatch(listener -> listener.name().equals(VoterMessages.LISTENER));
    }

    @Override
    public ApiKey api() {
        return ApiKey.ADD_RAFT_VOTER;
    }

    @Override
    public void handle(RequestContext context, AddRaftVoterRequest request, Responder responder) {
        if (request.clusterId() != null && !with.clusterId().equals(request.clusterId())) {
            responder.respond(answer(VoterErrors.otherCluster(with.clusterId())));
            return;
        }
        VoterErrors.whenEnded(
                misfit(request)
                        .map(CompletableFuture::completedFuture)
                        .orElseGet(() -> isWish(request) ? wish(request) : add(request)),
                error -> responder.respond(answer(error)),
                responder);
    }

    private CompletableFuture<ApiError> wish(AddRaftVoterRequest request) {
        return request.voterId() == with.nodeId()
                ? with.volunteer().get()
                : with.passOn()
                        .apply(with.image().get().broker(request.voterId()).orElseThrow(), request);
    }

    private CompletableFuture<ApiError> add(AddRaftVoterRequest request) {
        AddRaftVoterRequest.Listener listener = request.listeners().getFirst();
        return with.changes()
                .add(
                        new QuorumVoter(
                                request.voterId(),
                                request.voterDirectoryId(),
                                listener.host(),
                                listener.port()));
    }

    /// A voter is a broker of this cluster, and its metadata is in one of its directories.
    private Optional<ApiError> misfit(AddRaftVoterRequest request) {
        int id = request.voterId();
        boolean isBroker =
                with.image().get().broker(id).stream()
                        .anyMatch(broker ->
                                broker.directories().contains(request.voterDirectoryId()));
        if (!isBroker) {
            return Optional.of(
                    ApiError.of(
                            ErrorCode.INVALID_REQUEST,
                            "No broker %d with directory id %s is registered; only a broker of the cluster can vote.",
                            id,
                            request.voterDirectoryId()));
        }
        boolean reachable =
                !request.listeners().isEmpty() && !request.listeners().getFirst().host().isEmpty();
        return reachable
                ? Optional.empty()
                : Optional.of(
                        ApiError.of(
                                ErrorCode.INVALID_REQUEST,
                                "Voter %d needs a listener at which the others reach it.",
                                id));
    }

    private static AddRaftVoterResponse answer(ApiError error) {
        return AddRaftVoterResponse.builder()
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .build();
    }
}

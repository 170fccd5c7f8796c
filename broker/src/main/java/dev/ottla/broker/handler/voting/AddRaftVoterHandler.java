package dev.ottla.broker.handler.voting;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.voting.VoterChanges;
import dev.ottla.metadata.QuorumVoter;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.image.ClusterImage;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.AddRaftVoterRequest;
import dev.ottla.wire.message.AddRaftVoterResponse;
import dev.ottla.wire.message.ApiKey;
import java.util.Optional;
import java.util.function.Supplier;

/// AddRaftVoter: a node is to vote on the metadata (KIP-853). The first listener says where the
/// other voters reach it. Answered when it votes.
///
/// Errors: INCONSISTENT_CLUSTER_ID, INVALID_REQUEST without a listener or for a node that is no
/// broker, DUPLICATE_VOTER for a node that votes with another directory, NOT_CONTROLLER,
/// REQUEST_TIMED_OUT when the node could not be brought up to date.
public final class AddRaftVoterHandler implements ApiHandler<AddRaftVoterRequest> {
    private final VoterChanges changes;
    private final Supplier<ClusterImage> image;
    private final String clusterId;

    public AddRaftVoterHandler(
            VoterChanges changes, Supplier<ClusterImage> image, String clusterId) {
        this.changes = changes;
        this.image = image;
        this.clusterId = clusterId;
    }

    @Override
    public ApiKey api() {
        return ApiKey.ADD_RAFT_VOTER;
    }

    @Override
    public void handle(RequestContext context, AddRaftVoterRequest request, Responder responder) {
        if (request.clusterId() != null && !clusterId.equals(request.clusterId())) {
            responder.respond(answer(VoterErrors.otherCluster(clusterId)));
            return;
        }
        Optional<ApiError> misfit = misfit(request);
        if (misfit.isPresent()) {
            responder.respond(answer(misfit.get()));
            return;
        }
        AddRaftVoterRequest.Listener listener = request.listeners().getFirst();
        QuorumVoter voter =
                new QuorumVoter(
                        request.voterId(),
                        request.voterDirectoryId(),
                        listener.host(),
                        listener.port());
        VoterErrors.whenEnded(
                changes.add(voter), error -> responder.respond(answer(error)), responder);
    }

    /// A voter is a broker of this cluster, and its metadata is in one of its directories.
    private Optional<ApiError> misfit(AddRaftVoterRequest request) {
        int id = request.voterId();
        boolean isBroker =
                image.get().broker(id).stream()
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

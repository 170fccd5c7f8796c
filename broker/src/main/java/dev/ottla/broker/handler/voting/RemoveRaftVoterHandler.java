package dev.ottla.broker.handler.voting;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.voting.VoterChanges;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.RemoveRaftVoterRequest;
import dev.ottla.wire.message.RemoveRaftVoterResponse;

/// RemoveRaftVoter: a node votes on the metadata no longer (KIP-853).
///
/// Errors: INCONSISTENT_CLUSTER_ID, VOTER_NOT_FOUND, INVALID_REQUEST when the others could not go
/// on without it, NOT_CONTROLLER, REQUEST_TIMED_OUT.
public final class RemoveRaftVoterHandler implements ApiHandler<RemoveRaftVoterRequest> {
    private final VoterChanges changes;
    private final String clusterId;

    public RemoveRaftVoterHandler(VoterChanges changes, String clusterId) {
        this.changes = changes;
        this.clusterId = clusterId;
    }

    @Override
    public ApiKey api() {
        return ApiKey.REMOVE_RAFT_VOTER;
    }

    @Override
    public void handle(
            RequestContext context, RemoveRaftVoterRequest request, Responder responder) {
        if (request.clusterId() != null && !clusterId.equals(request.clusterId())) {
            responder.respond(answer(VoterErrors.otherCluster(clusterId)));
            return;
        }
        VoterErrors.whenEnded(
                changes.remove(request.voterId(), request.voterDirectoryId()),
                error -> responder.respond(answer(error)),
                responder);
    }

    private static RemoveRaftVoterResponse answer(ApiError error) {
        return RemoveRaftVoterResponse.builder()
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .build();
    }
}

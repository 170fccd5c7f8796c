package dev.ottla.broker.handler.voting;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.voting.VoterChanges;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.UnregisterControllerRequest;
import dev.ottla.wire.message.UnregisterControllerResponse;

/// UnregisterController: forgets a controller that votes no longer. Here controllers are brokers,
/// which UnregisterBroker forgets, so there is nothing to forget.
///
/// Errors: INVALID_REQUEST for a voter, CONTROLLER_ID_NOT_REGISTERED for any other node.
public final class UnregisterControllerHandler implements ApiHandler<UnregisterControllerRequest> {
    private final VoterChanges changes;

    public UnregisterControllerHandler(VoterChanges changes) {
        this.changes = changes;
    }

    @Override
    public ApiKey api() {
        return ApiKey.UNREGISTER_CONTROLLER;
    }

    @Override
    public void handle(
            RequestContext context, UnregisterControllerRequest request, Responder responder) {
        int id = request.controllerId();
        VoterErrors.whenEnded(
                changes.votes(id)
                        .thenApply(votes ->
                                votes
                                        ? ApiError.of(
                                                ErrorCode.INVALID_REQUEST,
                                                "Node %d is a voter: take it out of the quorum first.",
                                                id)
                                        : ApiError.of(
                                                ErrorCode.CONTROLLER_ID_NOT_REGISTERED,
                                                "Node %d is registered as a broker alone: unregister that.",
                                                id)),
                error -> responder.respond(answer(error)),
                responder);
    }

    private static UnregisterControllerResponse answer(ApiError error) {
        return UnregisterControllerResponse.builder()
                .errorCode(error.code().code())
                .errorMessage(error.message())
                .build();
    }
}

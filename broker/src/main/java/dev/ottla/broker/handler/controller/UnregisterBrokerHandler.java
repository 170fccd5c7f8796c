package dev.ottla.broker.handler.controller;

import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.UnregisterBrokerRequest;
import dev.ottla.wire.message.UnregisterBrokerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/// UnregisterBroker: removes a broker for good (KIP-746). One that votes is taken out of the quorum
/// first: a voter that nobody knows any more would be missing for ever.
///
/// Errors: INVALID_REQUEST for a voter, NOT_CONTROLLER, BROKER_ID_NOT_REGISTERED, and those of the
/// controller's command.
public final class UnregisterBrokerHandler implements ApiHandler<UnregisterBrokerRequest> {
    private final MetadataService metadata;
    private final IntFunction<CompletableFuture<Boolean>> votes;

    /// @param votes whether the node of that id votes
    public UnregisterBrokerHandler(
            MetadataService metadata, IntFunction<CompletableFuture<Boolean>> votes) {
        this.metadata = metadata;
        this.votes = votes;
    }

    @Override
    public ApiKey api() {
        return ApiKey.UNREGISTER_BROKER;
    }

    @Override
    public void handle(
            RequestContext context, UnregisterBrokerRequest request, Responder responder) {
        int id = request.brokerId();
        Failures.whenEnded(
                votes.apply(id)
                        .thenCompose(voter ->
                                voter
                                        ? CompletableFuture.completedFuture(votesStill(id))
                                        : metadata.submit(
                                                controller -> controller.unregisterBroker(id))),
                error -> responder.respond(answer(error)),
                error -> responder.respond(answer(error)),
                responder);
    }

    private static ApiError votesStill(int id) {
        return ApiError.of(
                ErrorCode.INVALID_REQUEST,
                "Broker %d votes on the metadata: take it out of the quorum first, with './ottla cluster drain %d' while it runs or 'kafka-metadata-quorum remove-controller'.",
                id,
                id);
    }

    private static UnregisterBrokerResponse answer(ApiError error) {
        return UnregisterBrokerResponse.builder()
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .build();
    }
}

package dev.ottla.broker.handler.controller;

import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.controller.ApiError;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.UnregisterBrokerRequest;
import dev.ottla.wire.message.UnregisterBrokerResponse;

/// UnregisterBroker: removes a broker for good (KIP-746).
///
/// Errors: NOT_CONTROLLER, BROKER_ID_NOT_REGISTERED, and those of the controller's command.
public final class UnregisterBrokerHandler implements ApiHandler<UnregisterBrokerRequest> {
    private final MetadataService metadata;

    public UnregisterBrokerHandler(MetadataService metadata) {
        this.metadata = metadata;
    }

    @Override
    public ApiKey api() {
        return ApiKey.UNREGISTER_BROKER;
    }

    @Override
    public void handle(
            RequestContext context, UnregisterBrokerRequest request, Responder responder) {
        Failures.whenEnded(
                metadata.submit(controller -> controller.unregisterBroker(request.brokerId())),
                error -> responder.respond(answer(error)),
                error -> responder.respond(answer(error)),
                responder);
    }

    private static UnregisterBrokerResponse answer(ApiError error) {
        return UnregisterBrokerResponse.builder()
                .errorCode(error.code().code())
                .errorMessage(error.isNone() ? null : error.message())
                .build();
    }
}

package dev.ottla.broker.handler.controller;

import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.metadata.service.MetadataService;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.AllocateProducerIdsRequest;
import dev.ottla.wire.message.AllocateProducerIdsResponse;
import dev.ottla.wire.message.ApiKey;

/// AllocateProducerIds: a block of producer ids for a broker (KIP-730).
///
/// Errors: NOT_CONTROLLER, STALE_BROKER_EPOCH.
public final class AllocateProducerIdsHandler implements ApiHandler<AllocateProducerIdsRequest> {
    private final MetadataService metadata;

    public AllocateProducerIdsHandler(MetadataService metadata) {
        this.metadata = metadata;
    }

    @Override
    public ApiKey api() {
        return ApiKey.ALLOCATE_PRODUCER_IDS;
    }

    @Override
    public boolean internal() {
        return true;
    }

    @Override
    public void handle(
            RequestContext context, AllocateProducerIdsRequest request, Responder responder) {
        boolean known =
                metadata.image()
                        .broker(request.brokerId())
                        .filter(broker -> broker.epoch() == request.brokerEpoch())
                        .isPresent();
        if (!known) {
            responder.respond(refused(ErrorCode.STALE_BROKER_EPOCH));
            return;
        }
        Failures.whenEnded(
                metadata.submit(controller ->
                        controller.allocateProducerIds(request.brokerId(), request.brokerEpoch())),
                block ->
                        responder.respond(
                                AllocateProducerIdsResponse.builder()
                                        .producerIdStart(block.first())
                                        .producerIdLen(Math.toIntExact(block.end() - block.first()))
                                        .build()),
                error -> responder.respond(refused(error.code())),
                responder);
    }

    private static AllocateProducerIdsResponse refused(ErrorCode error) {
        return AllocateProducerIdsResponse.builder().errorCode(error.code()).build();
    }
}

package dev.ottla.broker.handler.data;

import dev.ottla.broker.produce.ProducerIds;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.InitProducerIdRequest;
import dev.ottla.wire.message.InitProducerIdResponse;

/// InitProducerId 0-5 for idempotent producers: a fresh id with epoch 0, whatever id the producer
/// had before.
///
/// A transactional id is answered UNSUPPORTED_VERSION, which producers give up on, until there are
/// transactions; an empty one INVALID_REQUEST; COORDINATOR_NOT_AVAILABLE when the controller gives
/// no ids at present.
public final class InitProducerIdHandler implements ApiHandler<InitProducerIdRequest> {
    private final ProducerIds ids;

    public InitProducerIdHandler(ProducerIds ids) {
        this.ids = ids;
    }

    @Override
    public ApiKey api() {
        return ApiKey.INIT_PRODUCER_ID;
    }

    @Override
    public void handle(RequestContext context, InitProducerIdRequest request, Responder responder) {
        String transactionalId = request.transactionalId();
        if ((request.producerId() < 0) != (request.producerEpoch() < 0)) {
            responder.respond(error(ErrorCode.INVALID_REQUEST));
            return;
        }
        if (transactionalId != null) {
            responder.respond(
                    error(
                            transactionalId.isEmpty()
                                    ? ErrorCode.INVALID_REQUEST
                                    : ErrorCode.UNSUPPORTED_VERSION));
            return;
        }
        var _ =
                ids.fresh()
                        .whenComplete((id, failure) ->
                                responder.guard(() ->
                                        responder.respond(
                                                failure != null
                                                        ? error(ErrorCode.COORDINATOR_NOT_AVAILABLE)
                                                        : InitProducerIdResponse.builder()
                                                                .producerId(id)
                                                                .producerEpoch((short) 0)
                                                                .build())));
    }

    private static InitProducerIdResponse error(ErrorCode code) {
        return InitProducerIdResponse.builder()
                .errorCode(code.code())
                .producerId(-1)
                .producerEpoch((short) -1)
                .build();
    }
}

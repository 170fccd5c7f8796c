package dev.ottla.broker.handler.controller;

import dev.ottla.broker.controlling.HeartbeatMessages;
import dev.ottla.broker.controlling.Liveness;
import dev.ottla.broker.handler.cluster.Failures;
import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.BrokerHeartbeatRequest;
import dev.ottla.wire.message.BrokerHeartbeatResponse;
import java.util.Optional;

/// BrokerHeartbeat: keeps a session up, lets a broker in, and lets one stop that leads nothing any
/// more (KIP-631).
///
/// Errors: NOT_CONTROLLER, BROKER_ID_NOT_REGISTERED, STALE_BROKER_EPOCH.
public final class BrokerHeartbeatHandler implements ApiHandler<BrokerHeartbeatRequest> {
    private final Liveness liveness;

    public BrokerHeartbeatHandler(Liveness liveness) {
        this.liveness = liveness;
    }

    @Override
    public ApiKey api() {
        return ApiKey.BROKER_HEARTBEAT;
    }

    @Override
    public boolean internal() {
        return true;
    }

    @Override
    public void handle(
            RequestContext context, BrokerHeartbeatRequest request, Responder responder) {
        Failures.whenEnded(
                liveness.heartbeat(
                        HeartbeatMessages.read(request), Optional.of(context.connection())),
                answer -> responder.respond(HeartbeatMessages.response(answer)),
                error ->
                        responder.respond(
                                BrokerHeartbeatResponse.builder()
                                        .errorCode(error.code().code())
                                        .build()),
                responder);
    }
}

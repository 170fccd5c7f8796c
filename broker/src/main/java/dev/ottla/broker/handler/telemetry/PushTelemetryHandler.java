package dev.ottla.broker.handler.telemetry;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.telemetry.ClientTelemetry;
import dev.ottla.broker.telemetry.Push;
import dev.ottla.broker.telemetry.TelemetryClient;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.PushTelemetryRequest;
import dev.ottla.wire.message.PushTelemetryResponse;
import java.util.concurrent.Executor;

/// PushTelemetry: takes the metrics of a client. The errors are those of [ClientTelemetry#onPush].
public final class PushTelemetryHandler implements ApiHandler<PushTelemetryRequest> {
    private final ClientTelemetry telemetry;
    private final Executor owner;

    /// @param owner runs tasks on the thread that owns `telemetry`
    public PushTelemetryHandler(ClientTelemetry telemetry, Executor owner) {
        this.telemetry = telemetry;
        this.owner = owner;
    }

    @Override
    public ApiKey api() {
        return ApiKey.PUSH_TELEMETRY;
    }

    @Override
    public void handle(RequestContext context, PushTelemetryRequest request, Responder responder) {
        TelemetryClient client = TelemetryClients.of(context, request.clientInstanceId());
        Push push =
                new Push(
                        request.subscriptionId(),
                        request.terminating(),
                        request.compressionType(),
                        request.metrics());
        owner.execute(() -> {
            ErrorCode error = telemetry.onPush(client, push, TelemetryClients.nowMs(context));
            responder.respond(PushTelemetryResponse.builder().errorCode(error.code()).build());
        });
    }
}

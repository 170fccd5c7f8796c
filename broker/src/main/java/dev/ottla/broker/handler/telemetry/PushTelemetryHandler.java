package dev.ottla.broker.handler.telemetry;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.telemetry.ClientTelemetry;
import dev.ottla.broker.telemetry.Push;
import dev.ottla.broker.telemetry.PushedMetrics;
import dev.ottla.broker.telemetry.TelemetryClient;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.PushTelemetryRequest;
import dev.ottla.wire.message.PushTelemetryResponse;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PushTelemetry: takes the metrics of a client. The errors are those of [ClientTelemetry#onPush],
/// then those of [PushedMetrics#check]. Unpacking takes time, so it is done in the background; what
/// waits there is bounded by the memory that requests may take.
public final class PushTelemetryHandler implements ApiHandler<PushTelemetryRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(PushTelemetryHandler.class);

    private final ClientTelemetry telemetry;
    private final PushedMetrics pushedMetrics;
    private final Executor owner;
    private final Executor background;

    /// @param owner runs tasks on the thread that owns `telemetry`
    /// @param background runs what takes long
    public PushTelemetryHandler(
            ClientTelemetry telemetry,
            PushedMetrics pushedMetrics,
            Executor owner,
            Executor background) {
        this.telemetry = telemetry;
        this.pushedMetrics = pushedMetrics;
        this.owner = owner;
        this.background = background;
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
        long nowMs = TelemetryClients.nowMs(context);
        owner.execute(
                responder.guarded(() -> {
                    ErrorCode error = telemetry.onPush(client, push, nowMs);
                    if (error != ErrorCode.NONE) {
                        answer(responder, error);
                        return;
                    }
                    background.execute(
                            responder.guarded(() -> {
                                ErrorCode checked = check(push);
                                owner.execute(
                                        responder.guarded(() -> {
                                            telemetry.onChecked(client, push, checked, nowMs);
                                            answer(responder, checked);
                                        }));
                            }));
                }));
    }

    private ErrorCode check(Push push) {
        try {
            return pushedMetrics.check(push.compression().orElseThrow(), push.metrics());
        } catch (RuntimeException e) {
            LOG.error("Pushed metrics could not be checked.", e);
            return ErrorCode.UNKNOWN_SERVER_ERROR;
        }
    }

    private static void answer(Responder responder, ErrorCode error) {
        responder.respond(PushTelemetryResponse.builder().errorCode(error.code()).build());
    }
}

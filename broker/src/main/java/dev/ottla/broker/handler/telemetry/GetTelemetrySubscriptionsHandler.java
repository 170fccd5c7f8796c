package dev.ottla.broker.handler.telemetry;

import dev.ottla.broker.request.ApiHandler;
import dev.ottla.broker.request.RequestContext;
import dev.ottla.broker.request.Responder;
import dev.ottla.broker.telemetry.ClientTelemetry;
import dev.ottla.broker.telemetry.SubscriptionReply;
import dev.ottla.broker.telemetry.TelemetryClient;
import dev.ottla.wire.ErrorCode;
import dev.ottla.wire.message.ApiKey;
import dev.ottla.wire.message.GetTelemetrySubscriptionsRequest;
import dev.ottla.wire.message.GetTelemetrySubscriptionsResponse;
import java.util.List;
import java.util.concurrent.Executor;

/// GetTelemetrySubscriptions: tells a client which of its metrics are wanted, and gives it an id
/// when it has none.
///
/// Error: THROTTLING_QUOTA_EXCEEDED when it asks again before its interval is over.
public final class GetTelemetrySubscriptionsHandler
        implements ApiHandler<GetTelemetrySubscriptionsRequest> {
    private static final List<Byte> COMPRESSIONS =
            ClientTelemetry.ACCEPTED_COMPRESSIONS.stream().map(codec -> (byte) codec.id()).toList();

    private final ClientTelemetry telemetry;
    private final Executor owner;

    /// @param owner runs tasks on the thread that owns `telemetry`
    public GetTelemetrySubscriptionsHandler(ClientTelemetry telemetry, Executor owner) {
        this.telemetry = telemetry;
        this.owner = owner;
    }

    @Override
    public ApiKey api() {
        return ApiKey.GET_TELEMETRY_SUBSCRIPTIONS;
    }

    @Override
    public void handle(
            RequestContext context, GetTelemetrySubscriptionsRequest request, Responder responder) {
        TelemetryClient client = TelemetryClients.of(context, request.clientInstanceId());
        owner.execute(
                responder.guarded(() ->
                        responder.respond(
                                answer(telemetry.onAsk(client, TelemetryClients.nowMs(context))))));
    }

    private GetTelemetrySubscriptionsResponse answer(SubscriptionReply reply) {
        return switch (reply) {
            case SubscriptionReply.TooEarly _ ->
                    GetTelemetrySubscriptionsResponse.builder()
                            .errorCode(ErrorCode.THROTTLING_QUOTA_EXCEEDED.code())
                            .build();
            case SubscriptionReply.Wanted wanted ->
                    GetTelemetrySubscriptionsResponse.builder()
                            .clientInstanceId(wanted.instanceId())
                            .subscriptionId(wanted.metrics().subscriptionId())
                            .acceptedCompressionTypes(COMPRESSIONS)
                            .pushIntervalMs(wanted.metrics().pushIntervalMs())
                            .telemetryMaxBytes(telemetry.maxPushBytes())
                            .deltaTemporality(true)
                            .requestedMetrics(wanted.metrics().metrics())
                            .build();
        };
    }
}
